/// The bounds that keep a hostile expression from exhausting time, memory or the stack.
///
/// CEL's "Syntax" section requires at least 32 repetitions and 12 levels of nesting.
enum Limits {
  /// Bytes of an expression's text.
  static let textLength = 100_000
  /// Levels of parentheses, operators, calls and literals inside each other.
  ///
  /// A release build takes 2.5 KiB of stack a level, and Darwin gives the threads of tasks 512 KiB.
  static let depth = 100
  /// Parts of an expression.
  static let nodes = 20_000
  /// Problems reported for one expression.
  static let problems = 20
  /// Steps of one evaluation: an element visited, a part evaluated in a loop, 32 bytes of text.
  static let evaluationSteps = 2_000_000
  /// Steps spent on computing constant parts in advance.
  static let foldingSteps = 2_000
  /// Parts of conditions visited to find out what is known where a variable is used.
  static let conditionParts = 50_000
  /// Steps that PCRE2 may take for one match; twenty of them count as one of an evaluation.
  static let patternSteps: UInt32 = 10_000_000
  /// Steps that PCRE2 may take from one place of a text in which every match is searched for.
  static let searchSteps: UInt32 = 100_000
  /// Kilobytes that PCRE2 may use for one match.
  static let patternKilobytes: UInt32 = 64_000
  /// Digits behind the point of a formatted number.
  static let formatPrecision = 1_000
}
