internal import FlowCore

extension Parser {
  /// `LITERAL`, without a sign.
  mutating func literal() throws(ExpressionErrors) -> SyntaxNode {
    let kind: SyntaxNode.Kind
    switch token.kind {
    case .true: kind = .literal(.bool(true))
    case .false: kind = .literal(.bool(false))
    case .null: kind = .literal(.null)
    case .int, .uint, .double: return try number(isNegative: false, token.span.lowerBound)
    case .string:
      let content = try StringLiteral(token, in: lexer.bytes).content
      kind = .literal(.string(String(decoding: content, as: UTF8.self)))
    case .bytes: kind = .literal(.bytes(Bytes(try StringLiteral(token, in: lexer.bytes).content)))
    default: throw unexpected("an expression")
    }
    let start = token.span.lowerBound
    try advance()
    return try node(kind, start)
  }

  /// The number behind a minus sign, which belongs to it; nil when there is none.
  mutating func negativeNumber(_ start: Int) throws(ExpressionErrors) -> SyntaxNode? {
    guard token.kind == .int || token.kind == .double else { return nil }
    return try number(isNegative: true, start)
  }

  private mutating func number(
    isNegative: Bool, _ start: Int
  ) throws(ExpressionErrors) -> SyntaxNode {
    let sign = isNegative ? "-" : ""
    guard let kind = Self.number(sign + tokenText, token.kind) else {
      throw ExpressionErrors(.numberRange(sign + tokenText, start..<token.span.upperBound))
    }
    try advance()
    return try node(kind, start)
  }

  private static func number(_ text: String, _ kind: Token.Kind) -> SyntaxNode.Kind? {
    switch kind {
    case .double:
      guard let number = Double(text), number.isFinite else { return nil }
      return .double(number, text)
    case .uint: return integer(text.dropLast(), UInt.self).map { .literal(.uint($0)) }
    default: return integer(text[...], Int.self).map { .literal(.int($0)) }
    }
  }

  private static func integer<Number: FixedWidthInteger>(
    _ text: Substring, _ type: Number.Type
  ) -> Number? {
    let isNegative = text.first == "-"
    let digits = isNegative ? text.dropFirst() : text
    guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return Number(text) }
    return Number((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
  }
}
