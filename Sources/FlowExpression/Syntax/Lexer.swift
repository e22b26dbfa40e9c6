/// Takes an expression's text apart, by the lexis of CEL's "Syntax" section.
struct Lexer {
  let bytes: [UInt8]
  var position = 0
  // Scalars are counted as bytes less the continuation bytes passed so far.
  var continuations = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The byte `offset` places ahead; zero beyond the end.
  func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// The position in unicode scalars.
  var scalar: Int { position - continuations }

  mutating func advance() {
    if bytes[position] & 0xC0 == 0x80 { continuations += 1 }
    position += 1
  }

  /// The next token; `.end` for ever after the last.
  mutating func next() throws(ExpressionErrors) -> Token {
    skipBlanks()
    let start = position
    let startScalar = scalar
    guard position < bytes.count else {
      return Token(kind: .end, span: scalar..<scalar, bytes: start..<start)
    }
    let kind = try scan(startScalar)
    return Token(kind: kind, span: startScalar..<scalar, bytes: start..<position)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while position < bytes.count, bytes[position] != 0x0A { advance() }
      default: return
      }
    }
  }

  private mutating func scan(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
    let first = bytes[position]
    if Self.isDigit(first) || (first == UInt8(ascii: ".") && Self.isDigit(byte(1))) {
      return try number(start)
    }
    if Self.isLetter(first) {
      if let kind = try prefixedString(start) { return kind }
      return word()
    }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      try skipString(isRaw: false, start)
      return .string
    case UInt8(ascii: "`"): return try quotedIdentifier(start)
    default: return try symbol(start)
    }
  }

  private mutating func word() -> Token.Kind {
    let start = position
    while Self.isLetter(byte()) || Self.isDigit(byte()) { position += 1 }
    return Self.words[text(start..<position)] ?? .identifier
  }

  private mutating func quotedIdentifier(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
    position += 1
    let first = position
    while Self.isQuotable(byte()) { position += 1 }
    guard byte() == UInt8(ascii: "`"), position > first else {
      throw ExpressionErrors(.badQuotedName(start..<scalar))
    }
    position += 1
    return .quotedIdentifier
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }

  // The characters that cel-go's grammar allows in an escaped field name.
  private static func isQuotable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: " "): true
    default: isLetter(byte) || isDigit(byte)
    }
  }

  /// Whether a text is an `IDENT`.
  static func isIdentifier(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) } && words[text] == nil
  }

  // The definition reserves `loop` too, for the language that expressions are embedded in: here it
  // is the variable of a `repeat`.
  private static let words: [String: Token.Kind] = {
    let reserved = [
      "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
      "package", "namespace", "return", "var", "void", "while",
    ]
    let words: [String: Token.Kind] = ["true": .true, "false": .false, "null": .null, "in": .in]
    return words.merging(reserved.map { ($0, .reserved) }) { first, _ in first }
  }()
}
