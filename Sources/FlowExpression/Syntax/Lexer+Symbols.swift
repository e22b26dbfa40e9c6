extension Lexer {
  /// Takes an operator or a bracket.
  mutating func symbol(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
    if let kind = Self.pair(byte(), byte(1)) {
      position += 2
      return kind
    }
    if let kind = Self.single(byte()) {
      position += 1
      return kind
    }
    let first = position
    repeat { advance() } while position < bytes.count && bytes[position] & 0xC0 == 0x80
    let character = text(first..<position)
    throw ExpressionErrors(.strayCharacter(character, start..<scalar))
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Token.Kind? {
    switch (first, second) {
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): .lessOrEqual
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): .greaterOrEqual
    case (UInt8(ascii: "="), UInt8(ascii: "=")): .equal
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): .unequal
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): .and
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): .or
    default: nil
    }
  }

  private static func single(_ byte: UInt8) -> Token.Kind? {
    switch byte {
    case UInt8(ascii: "("): .openParenthesis
    case UInt8(ascii: ")"): .closeParenthesis
    case UInt8(ascii: "["): .openBracket
    case UInt8(ascii: "]"): .closeBracket
    case UInt8(ascii: "{"): .openBrace
    case UInt8(ascii: "}"): .closeBrace
    case UInt8(ascii: "."): .dot
    case UInt8(ascii: ","): .comma
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: "?"): .question
    case UInt8(ascii: "+"): .plus
    case UInt8(ascii: "-"): .minus
    case UInt8(ascii: "*"): .star
    case UInt8(ascii: "/"): .slash
    case UInt8(ascii: "%"): .percent
    case UInt8(ascii: "!"): .not
    case UInt8(ascii: "<"): .less
    case UInt8(ascii: ">"): .greater
    default: nil
    }
  }
}
