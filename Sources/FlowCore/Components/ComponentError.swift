/// A code that an operation may answer with instead of its output.
///
/// Declare the codes of a plugin as static members:
///
///     extension ErrorCode {
///       static let insufficient = ErrorCode("insufficient", "The balance would fall below zero.")
///     }
public struct ErrorCode: Sendable {
  /// The name in `expect: {error: name}` and in transcripts.
  public internal(set) var name: String
  /// When the operation answers with it, one sentence.
  public let summary: String

  /// A code with its meaning.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  /// What the engine records when a component throws something that is no `ComponentError`.
  public static let unexpected = ErrorCode(
    "unexpected", "The component failed in a way that it does not declare.")
}

extension ErrorCode: Hashable {
  /// Codes of one name are one code.
  public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// An operation's answer when it could not do its work.
public struct ComponentError: Error, Sendable, Hashable {
  /// Which of the declared codes.
  public internal(set) var code: ErrorCode
  /// What happened this time: lower case, no full stop, no secrets.
  public package(set) var message: String

  /// An error of a declared code.
  public init(_ code: ErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ComponentError: CustomStringConvertible {
  /// `insufficient: 1000.00 is more than the balance of 87.50`.
  public var description: String { "\(code.name): \(message)" }
}
