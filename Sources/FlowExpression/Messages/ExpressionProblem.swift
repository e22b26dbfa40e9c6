public import FlowCore

/// One mistake of an expression, found before it is evaluated.
public struct ExpressionProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem, with a stable name.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name, in lower case with dashes.
    public let description: String

    private init(_ name: String) { description = name }

    /// The text is not an expression of the language.
    public static let syntax = Code("syntax")
    /// A literal denotes no value.
    public static let invalidLiteral = Code("invalid-literal")
    /// No variable, field or type has this name.
    public static let undeclaredReference = Code("undeclared-reference")
    /// No function has this name.
    public static let undeclaredFunction = Code("undeclared-function")
    /// A record has no such field.
    public static let unknownField = Code("unknown-field")
    /// A string is compared with one that it can never equal.
    public static let unknownName = Code("unknown-name")
    /// A function takes another number of arguments.
    public static let argumentCount = Code("argument-count")
    /// A function or operator takes no values of these types.
    public static let noMatchingOverload = Code("no-matching-overload")
    /// A value of another type is expected here.
    public static let typeMismatch = Code("type-mismatch")
    /// A macro is not used in its form.
    public static let invalidMacro = Code("invalid-macro")
    /// A constant is not a regular expression or time zone.
    public static let invalidArgument = Code("invalid-argument")
    /// A part of the language that is left out, such as protocol buffer messages.
    public static let unsupported = Code("unsupported")
    /// The expression is too long, too large or too deeply nested.
    public static let limit = Code("limit")
  }

  /// The kind of the problem.
  public let code: Code
  /// The message: lower case, no full stop, the user's text in single quotes.
  public let message: String
  /// The place, in unicode scalars from 0.
  ///
  /// Empty at the end of the text.
  public let span: Range<Int>
  /// Suggestions for the name under `span`, sorted, at most four.
  public let suggestions: [String]
  /// The type without the field under `span`, or nil for other problems.
  public let record: RecordType?
  /// The possible names in place of an unknown one under `span`, sorted.
  ///
  /// Empty for other problems.
  package internal(set) var known: [String] = []
  /// The notation here for a notation of another language, or nil.
  package internal(set) var note: String?

  init(
    _ code: Code, _ message: String, _ span: Range<Int>, near suggestions: [String] = [],
    of record: RecordType? = nil, note: String? = nil
  ) {
    self.code = code
    self.message = message
    self.span = span
    self.suggestions = suggestions
    self.record = record
    self.note = note
  }

  /// The message with the suggestions.
  public var description: String { message + Suggestion.ending(suggestions) }
}

/// All mistakes of an expression, in text order.
public struct ExpressionErrors: Error, Sendable, Hashable, CustomStringConvertible {
  /// The independent problems, in text order.
  ///
  /// Never empty.
  public let problems: [ExpressionProblem]

  init(_ problems: [ExpressionProblem]) { self.problems = problems }
  init(_ problem: ExpressionProblem) { problems = [problem] }
  /// The problems' messages, one a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The reason why an expression has no value.
public struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error, with a stable name.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name, in lower case with dashes.
    public let description: String

    private init(_ name: String) { description = name }

    /// A function or operator takes no values of these kinds.
    public static let noMatchingOverload = Code("no-matching-overload")
    /// A map or record has no such key or field.
    public static let noSuchKey = Code("no-such-key")
    /// An index lies outside its list or text.
    public static let outOfRange = Code("out-of-range")
    /// A variable was never set.
    public static let unset = Code("unset")
    /// An undeclared name in an unchecked expression.
    public static let undeclared = Code("undeclared")
    /// A number, timestamp or duration exceeds its range.
    public static let overflow = Code("overflow")
    /// A divisor is zero.
    public static let divisionByZero = Code("division-by-zero")
    /// An exact decimal would have too many digits.
    public static let inexact = Code("inexact")
    /// A string or value does not have the form expected by a function.
    public static let invalidArgument = Code("invalid-argument")
    /// A map has the same key twice, or a key of a kind that no map has.
    public static let invalidKey = Code("invalid-key")
    /// The value of an empty optional was asked for.
    public static let emptyOptional = Code("empty-optional")
    /// The evaluation takes too many steps.
    public static let limit = Code("limit")
  }

  /// The kind of the error.
  public let code: Code
  /// The message: lower case, no full stop, the user's text in single quotes.
  public let message: String
  /// The failing part of the expression, in unicode scalars from 0.
  public private(set) var span: Range<Int>?
  /// The path to an absent part of a value, with which the message will start.
  private(set) var path: Range<Int>?

  init(_ code: Code, _ message: String, _ span: Range<Int>? = nil) {
    self.code = code
    self.message = message
    self.span = span
  }

  init(_ code: Code, _ message: String, _ place: PartPlace) {
    self.init(code, message, place.span)
    path = place.path
  }

  /// The error with a path at the start of its message.
  func following(_ path: String) -> EvaluationError {
    EvaluationError(code, "\(path): \(message)", span)
  }

  func located(_ place: Range<Int>) -> EvaluationError {
    var error = self
    error.span = span ?? place
    return error
  }

  /// The message.
  public var description: String { message }
}

/// The bounds that keep a hostile expression from exhausting time, memory or the stack.
///
/// CEL's "Syntax" section requires at least 32 repetitions and 12 levels of nesting.
enum Limits {
  static let textLength = 100_000
  /// Levels of parentheses, operators, calls and literals inside each other.
  ///
  /// A release build takes 2.5 KiB of stack a level, and Darwin gives the threads of tasks 512 KiB.
  static let depth = 100
  static let nodes = 20_000
  static let problems = 20
  /// Steps of one evaluation: an element visited, a part evaluated in a loop, 32 bytes of text.
  static let evaluationSteps = 2_000_000
  /// Steps spent on computing constant parts in advance.
  static let foldingSteps = 2_000
  /// The most parts of conditions visited to find the conditions of a variable's use.
  static let conditionParts = 50_000
  /// Bytes of a regular expression.
  ///
  /// RE2 looks for the end of `[:` up to the end of the pattern, from each of them.
  static let patternLength = 16_000
  /// The bytes that RE2 may use for a pattern by default, the same as RE2's own limit.
  static let patternMemory = 8 << 20
  /// The steps charged for a refused pattern, which may have become too large first.
  static let refusedPatternSteps = 20_000
  /// The digits after the point of a formatted number.
  static let formatPrecision = 1_000
}

/// A stretch of an expression's text in unicode scalars from 0, in 8 bytes: compiled expressions are full of them.
struct Stretch: Sendable, Hashable {
  private let start: UInt32
  private let end: UInt32

  /// Creates a packed range.
  ///
  /// - Precondition: The range is in a text that is not too long for an expression.
  init(_ range: Range<Int>) {
    start = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// The place of an expression that names a part of a value, in unicode scalars from 0.
struct PartPlace: Sendable {
  private let spanStretch: Stretch
  private let pathStretch: Stretch

  init(span: Range<Int>, path: Range<Int>) {
    spanStretch = Stretch(span)
    pathStretch = Stretch(path)
  }

  /// The name of the field, or the whole of `list[index]`.
  var span: Range<Int> { spanStretch.range }
  /// The path to the part, with the part itself: `steps.page.items[0].price`.
  var path: Range<Int> { pathStretch.range }
}
