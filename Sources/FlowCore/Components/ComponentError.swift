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
  /// The cases in which the operation answers with it, one sentence.
  public let summary: String

  /// A code with its meaning.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  /// The code of an error that is not a `CodedError`.
  public static let unexpected = ErrorCode(
    "unexpected", "The component failed in a way that it does not declare.")

  /// The code of any error of `open`, which is how a component reports wrong settings.
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

/// An error with one of the codes that an operation declares.
///
/// Conform the model's own errors to it, and throw them unchanged. `code` becomes the code, and the
/// error's description the message, without secrets, in lower case and without a full stop.
public protocol CodedError: Error, Sendable {
  /// One of the codes that the operation declares.
  ///
  /// Called once for each thrown error.
  var code: ErrorCode { get }
}

/// The error of an operation, for a component without error types of its own.
public struct ComponentError: CodedError, Hashable {
  /// One of the declared codes.
  public package(set) var code: ErrorCode
  /// The details of this case: lower case, no full stop, no secrets.
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
