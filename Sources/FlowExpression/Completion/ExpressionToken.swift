/// A part of an expression's text for readers, such as an editor's colours.
package struct ExpressionToken: Sendable, Hashable {
  /// The kind of a part.
  package enum Kind: Sendable {
    case name, function, word, number, string, sign
  }

  package let kind: Kind
  /// The place in the text, in bytes.
  package let bytes: Range<Int>

  /// Returns the parts of an expression up to its first mistake.
  package static func all(in text: String) -> [ExpressionToken] {
    var (lexer, tokens) = (Lexer(text), [Token]())
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
    return tokens.indices.map { index in
      let isCall = index + 1 < tokens.count && tokens[index + 1].kind == .openParenthesis
      return ExpressionToken(kind: kind(of: tokens[index].kind, isCall), bytes: tokens[index].bytes)
    }
  }

  private static func kind(of kind: Token.Kind, _ isCall: Bool) -> Kind {
    switch kind {
    case .identifier: isCall ? .function : .name
    case .quotedIdentifier: .name
    case .true, .false, .null, .in, .reserved: .word
    case .int, .uint, .double: .number
    case .string, .bytes: .string
    default: .sign
    }
  }
}
