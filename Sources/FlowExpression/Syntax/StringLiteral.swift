internal import FlowSystem

/// Reads the content of a string or bytes literal: quotes, prefixes and escapes.
struct StringLiteral {
  private let bytes: ArraySlice<UInt8>
  private let token: Token
  private var position: Int
  private let isBytes: Bool
  private(set) var content: [UInt8] = []

  /// Reads the literal of a token.
  ///
  /// - Throws: A problem at the literal for an invalid escape, or one that denotes no scalar.
  init(_ token: Token, in text: [UInt8]) throws(ExpressionErrors) {
    self.token = token
    isBytes = token.kind == .bytes
    var start = token.bytes.lowerBound
    var isRaw = false
    while text[start] != UInt8(ascii: "'"), text[start] != UInt8(ascii: "\"") {
      if text[start] | 0x20 == UInt8(ascii: "r") { isRaw = true }
      start += 1
    }
    let isTriple =
      token.bytes.upperBound - start >= 6 && text[start + 1] == text[start]
      && text[start + 2] == text[start]
    let quotes = isTriple ? 3 : 1
    bytes = text[start + quotes..<token.bytes.upperBound - quotes]
    position = bytes.startIndex
    if isRaw || !bytes.contains(UInt8(ascii: "\\")) {
      content = Array(bytes)
    } else {
      try readEscaped()
    }
  }

  private mutating func readEscaped() throws(ExpressionErrors) {
    content.reserveCapacity(bytes.count)
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\") { try readEscape() } else { content.append(byte) }
    }
  }

  private mutating func readEscape() throws(ExpressionErrors) {
    let start = position - 1
    guard position < bytes.endIndex else { throw problem(from: start) }
    let mark = bytes[position]
    position += 1
    switch mark {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): try appendCode(digits: 2, radix: 16, from: start)
    case UInt8(ascii: "u"): try appendScalar(digits: 4, from: start)
    case UInt8(ascii: "U"): try appendScalar(digits: 8, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      try appendCode(digits: 3, radix: 8, from: start)
    default:
      guard let byte = Self.simple(mark) else { throw problem(from: start) }
      content.append(byte)
    }
  }

  /// `\x41` and `\101`: an octet in bytes, a code point in text.
  private mutating func appendCode(
    digits: Int, radix: Int, from start: Int
  ) throws(ExpressionErrors) {
    let code = try number(digits: digits, radix: radix, from: start)
    if isBytes { content.append(UInt8(code)) } else { try append(scalar: code, from: start) }
  }

  private mutating func appendScalar(digits: Int, from start: Int) throws(ExpressionErrors) {
    // The definition allows every escape in bytes except `\U`, and `\u` is its UTF-8 form there.
    if isBytes, digits == 8 { throw problem(from: start) }
    try append(scalar: try number(digits: digits, radix: 16, from: start), from: start)
  }

  private mutating func append(scalar code: UInt32, from start: Int) throws(ExpressionErrors) {
    guard let scalar = Unicode.Scalar(code) else { throw problem(from: start) }
    content.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
  }

  private mutating func number(
    digits: Int, radix: Int, from start: Int
  ) throws(ExpressionErrors) -> UInt32 {
    let end = position + digits
    guard end <= bytes.endIndex,
      bytes[position..<end].allSatisfy({ $0.hexadecimalValue != nil }),
      let number = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: radix)
    else { throw problem(from: start) }
    position = end
    return number
  }

  private static func simple(_ mark: UInt8) -> UInt8? {
    switch mark {
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "`"):
      mark
    default: nil
    }
  }

  /// A problem at the escape up to the reader's position.
  private func problem(from start: Int) -> ExpressionErrors {
    var end = min(max(position, start + 2), bytes.endIndex)
    while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let before = bytes[..<start].scalarCount
    let prefix = bytes.startIndex - token.bytes.lowerBound
    let first = token.span.lowerBound + prefix + before
    let length = bytes[start..<end].scalarCount
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    return ExpressionErrors(.badEscape(text, first..<first + length))
  }
}
