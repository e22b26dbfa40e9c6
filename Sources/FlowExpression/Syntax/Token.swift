/// The smallest part of an expression's text.
struct Token {
  /// What part it is.
  enum Kind: Equatable {
    case end
    case identifier, quotedIdentifier, reserved, `in`
    case `true`, `false`, null, int, uint, double, string, bytes
    case openParenthesis, closeParenthesis, openBracket, closeBracket, openBrace, closeBrace
    case dot, comma, colon, question
    case plus, minus, star, slash, percent, not
    case less, lessOrEqual, greater, greaterOrEqual, equal, unequal, and, or
  }

  let kind: Kind
  /// The place in the text, in unicode scalars.
  let span: Range<Int>
  /// The place in the text, in bytes.
  let bytes: Range<Int>
}
