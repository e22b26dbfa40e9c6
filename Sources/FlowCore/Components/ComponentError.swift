/// A code that an operation may answer with instead of its output.
///
/// Declare the codes of a plugin as static members:
///
///     extension ErrorCode {
///       static let insufficient = ErrorCode("insufficient", "The balance would fall below zero.")
///     }
public struct ErrorCode: Sendable {
  /// The name in `expect: {error: name}` and in transcripts.
  public package(set) var name: String
  /// When the operation answers with it, one sentence.
  public let summary: String

  /// A code with its meaning.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  /// What the engine records when a component throws something that is not a `CodedError`.
  public static let unexpected = ErrorCode(
    "unexpected", "The component failed in a way that it does not declare.")

  /// What the engine records when a component cannot be opened, whatever it throws: that is how a component says
  /// that its settings are wrong.
  public static let settings = ErrorCode(
    "settings",
    "The component cannot be opened: a setting has no meaning, or what it names is not there.")
}

extension ErrorCode: Hashable {
  /// Codes of one name are one code.
  public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// An error that says with which declared code an operation answers.
///
/// Conform the model's own errors to it, and throw them as they are: `code` becomes the code and the error's description
/// the message, which has no secrets, begins in lower case and ends without a full stop.
public protocol CodedError: Error, Sendable {
  /// One of the codes that the operation declares. Asked once for each error that is thrown.
  var code: ErrorCode { get }
}

/// An operation's answer when it could not do its work, for a component without errors of its own.
public struct ComponentError: CodedError, Hashable {
  /// Which of the declared codes.
  public package(set) var code: ErrorCode
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
