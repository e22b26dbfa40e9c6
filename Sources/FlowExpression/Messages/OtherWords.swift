internal import FlowCore

/// The names of other languages with their counterparts in CEL, such as `len` for `size`.
enum OtherWords {
  /// The operators for a sign or a word of another language, mostly none.
  static func operators(like text: String) -> [String] { of(text, in: operators, else: []) }

  /// The possible intentions behind an undeclared name.
  static func names(like text: String, among known: some Sequence<String>) -> [String] {
    of(text, in: constants, else: known)
  }

  /// The possible intentions behind an unknown function.
  static func functions(like text: String, among known: some Sequence<String>) -> [String] {
    of(text, in: functions, else: known)
  }

  private static func of(
    _ text: String, in table: [String: String], else known: some Sequence<String>
  ) -> [String] {
    table[text].map { [$0] } ?? Suggestion.nearest(to: text, among: known)
  }

  /// The counterpart of a sign that is an operator of another language.
  static func note(onSign sign: String) -> String? {
    switch sign {
    case "=~": "to match a pattern, write text.matches('...')"
    case "=>": "write list.map(x, ...), list.filter(x, ...) or list.all(x, ...)"
    default: nil
    }
  }

  /// The probable intention of an operator between values of these types.
  static func note(on sign: String, between types: [ExpressionType]) -> String? {
    switch (sign, types.first, types.last) {
    case ("in", .string, .string): "to search in a string, write text.contains('...')"
    case ("-", _, .type): "write a name that contains '-' in brackets: headers['content-type']"
    case ("==", .string, .int), ("==", .int, .string), ("!=", .string, .int), ("!=", .int, .string),
      ("==", .string, .decimal), ("==", .decimal, .string):
      "a string never equals a number; write the number without quotes, or compare string(...)"
    case ("+", .string, .int), ("+", .int, .string), ("+", .string, .decimal),
      ("+", .decimal, .string):
      "string(...) converts a number to a string"
    default: nil
    }
  }

  /// Returns the probable intention of a boolean operator with other operands.
  static func note(onOperatorOfBools sign: String) -> String? {
    let isOperator = sign == "&&" || sign == "||"
    return isOperator ? "to choose one of two values, write CONDITION ? A : B" : nil
  }

  /// The advice for a number literal next to an exact number, or an empty string.
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
