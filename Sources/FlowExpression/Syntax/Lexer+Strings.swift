extension Lexer {
  /// Passes over a string or bytes literal with a prefix (`r`, `b`, `br`); nil when there is none.
  mutating func prefixedString(_ start: Int) throws(ExpressionErrors) -> Token.Kind? {
    var prefix = 0
    var (isBytes, isRaw) = (false, false)
    if byte(prefix) | 0x20 == UInt8(ascii: "b") {
      isBytes = true
      prefix += 1
    }
    if byte(prefix) | 0x20 == UInt8(ascii: "r") {
      isRaw = true
      prefix += 1
    }
    guard prefix > 0, byte(prefix) == UInt8(ascii: "'") || byte(prefix) == UInt8(ascii: "\"") else {
      return nil
    }
    position += prefix
    try skipString(isRaw: isRaw, start)
    return isBytes ? .bytes : .string
  }

  /// Passes over the quotes and what is between them; escapes are read by `StringLiteral`.
  mutating func skipString(isRaw: Bool, _ start: Int) throws(ExpressionErrors) {
    let quote = byte()
    let isTriple = byte(1) == quote && byte(2) == quote
    position += isTriple ? 3 : 1
    while position < bytes.count {
      switch bytes[position] {
      case quote where !isTriple:
        position += 1
        return
      case quote where byte(1) == quote && byte(2) == quote:
        position += 3
        return
      case 0x0A, 0x0D:
        guard isTriple else { throw ExpressionErrors(.openString(start..<scalar)) }
        position += 1
      case UInt8(ascii: "\\") where !isRaw && position + 1 < bytes.count:
        advance()
        advance()
      default: advance()
      }
    }
    throw ExpressionErrors(.openString(start..<scalar))
  }
}
