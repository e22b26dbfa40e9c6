/// Why an expression has no value.
public struct EvaluationError: Error, Sendable, Hashable {
  /// The kind of an error; its name is stable.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name, in lower case with dashes.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// A function or operator takes no values of these kinds.
    public static let noMatchingOverload = Code("no-matching-overload")
    /// A map or record has no such key or field.
    public static let noSuchKey = Code("no-such-key")
    /// An index lies outside its list or text.
    public static let outOfRange = Code("out-of-range")
    /// A variable was never set.
    public static let unset = Code("unset")
    /// A name that nothing declares, in an expression that was not checked.
    public static let undeclared = Code("undeclared")
    /// A number, timestamp or duration exceeds its range.
    public static let overflow = Code("overflow")
    /// A divisor is zero.
    public static let divisionByZero = Code("division-by-zero")
    /// An exact decimal would have too many digits.
    public static let inexact = Code("inexact")
    /// A text or value does not have the form that a function asks for.
    public static let invalidArgument = Code("invalid-argument")
    /// A map has the same key twice, or a key of a kind that no map has.
    public static let invalidKey = Code("invalid-key")
    /// The value of an empty optional was asked for.
    public static let emptyOptional = Code("empty-optional")
    /// The evaluation takes too many steps.
    public static let limit = Code("limit")
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong: lower case, no full stop, the user's text in single quotes.
  public let message: String
  /// The part of the expression that fails, in unicode scalars from 0.
  public private(set) var span: Range<Int>?

  init(_ code: Code, _ message: String, _ span: Range<Int>? = nil) {
    self.code = code
    self.message = message
    self.span = span
  }

  /// The same error at a place, unless it has one.
  func located(_ place: Range<Int>) -> EvaluationError {
    var error = self
    error.span = span ?? place
    return error
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
