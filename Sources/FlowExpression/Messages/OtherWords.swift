internal import FlowCore

/// What other languages call something, and what CEL calls it: nobody finds `size` who looks for `len`.
enum OtherWords {
  /// The operator that a sign or a word means elsewhere; nothing for all others.
  static func operators(like text: String) -> [String] { of(text, in: operators, else: []) }

  /// The names that may have been meant by one that is not declared.
  static func names(like text: String, among known: some Sequence<String>) -> [String] {
    of(text, in: constants, else: known)
  }

  /// The functions that may have been meant by one that does not exist.
  static func functions(like text: String, among known: some Sequence<String>) -> [String] {
    of(text, in: functions, else: known)
  }

  private static func of(
    _ text: String, in table: [String: String], else known: some Sequence<String>
  ) -> [String] {
    table[text].map { [$0] } ?? Suggestion.nearest(to: text, among: known)
  }

  /// What does here what a sign does elsewhere that is no operator of CEL.
  static func note(onSign sign: String) -> String? {
    switch sign {
    case "=~": "match a text with text.matches('...')"
    case "=>": "write list.map(x, ...), list.filter(x, ...) or list.all(x, ...)"
    default: nil
    }
  }

  /// What was probably meant by an operator between values of such types.
  static func note(on sign: String, between types: [ExpressionType]) -> String? {
    switch (sign, types.first, types.last) {
    case ("in", .string, .string): "look for a part of a text with text.contains('...')"
    case ("-", _, .type): "write a name with '-' in brackets, as headers['content-type']"
    case ("==", .string, .int), ("==", .int, .string), ("!=", .string, .int), ("!=", .int, .string),
      ("==", .string, .decimal), ("==", .decimal, .string):
      "a text is never a number; write the number without quotes, or compare string(...)"
    case ("+", .string, .int), ("+", .int, .string), ("+", .string, .decimal),
      ("+", .decimal, .string):
      "string(...) converts a number to text"
    default: nil
    }
  }

  /// What was probably meant by an operator of truth values that is given something else.
  static func note(onOperatorOfBools sign: String) -> String? {
    let isOperator = sign == "&&" || sign == "||"
    return isOperator ? "one of two values is chosen with CONDITION ? A : B" : nil
  }

  /// How a number that is written in an expression is calculated with beside an exact one; empty for other values.
  static func ending(on constant: Value?, in values: [Value]) -> String {
    guard case .double(let number)? = constant, number.isFinite,
      values.contains(where: { if case .decimal = $0 { true } else { false } })
    else { return "" }
    return "; write decimal('\(number)')"
  }

  private static let operators = ["=": "==", "and": "&&", "or": "||"]

  private static let constants = [
    "True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
    "None": "null", "NULL": "null", "nil": "null", "undefined": "null",
  ]

  private static let functions = [
    "len": "size", "length": "size", "count": "size",
    "includes": "contains", "has_key": "has",
    "lower": "lowerAscii", "toLowerCase": "lowerAscii", "to_lower": "lowerAscii",
    "upper": "upperAscii", "toUpperCase": "upperAscii", "to_upper": "upperAscii",
    "strip": "trim", "test": "matches",
    "str": "string", "toString": "string", "to_s": "string",
    "parseInt": "int", "integer": "int", "float": "double", "parseFloat": "double",
    "number": "decimal", "Number": "decimal", "fromJson": "json", "fromJSON": "json",
    "parseJSON": "json",
    "any": "exists", "some": "exists", "every": "all", "find": "filter",
    "max": "math.greatest", "min": "math.least",
  ]
}
