extension Lexer {
  /// Passes over `INT_LIT`, `UINT_LIT` or `FLOAT_LIT`; the sign belongs to the parser.
  mutating func number(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
      position += 2
      try skipDigits(start, Self.isHexDigit)
      return try endNumber(takeUnsignedMark() ? .uint : .int, start)
    }
    var kind = Token.Kind.int
    if Self.isDigit(byte()) { try skipDigits(start, Self.isDigit) }
    if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
      kind = .double
      position += 1
      try skipDigits(start, Self.isDigit)
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      kind = .double
      position += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
      try skipDigits(start, Self.isDigit)
    }
    if kind == .int, takeUnsignedMark() { kind = .uint }
    return try endNumber(kind, start)
  }

  private mutating func takeUnsignedMark() -> Bool {
    guard byte() | 0x20 == UInt8(ascii: "u") else { return false }
    position += 1
    return true
  }

  private mutating func skipDigits(
    _ start: Int, _ isDigit: (UInt8) -> Bool
  ) throws(ExpressionErrors) {
    let first = position
    while isDigit(byte()) { position += 1 }
    if position == first { throw ExpressionErrors(.badNumber(start..<scalar)) }
  }

  // `1abc` would otherwise be two tokens, and the message would be about the second.
  private mutating func endNumber(
    _ kind: Token.Kind, _ start: Int
  ) throws(ExpressionErrors) -> Token.Kind {
    guard Self.isLetter(byte()) else { return kind }
    while Self.isLetter(byte()) || Self.isDigit(byte()) { position += 1 }
    throw ExpressionErrors(.badNumber(start..<scalar))
  }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
  }
}
