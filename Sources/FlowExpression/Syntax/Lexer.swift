internal import FlowSystem

/// Takes an expression's text apart, by the lexis of CEL's "Syntax" section.
package struct Lexer {
  let bytes: [UInt8]
  private var position = 0
  // Scalars are counted as bytes less the continuation bytes passed so far.
  private var continuations = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The byte `offset` places ahead, or zero beyond the end.
  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private var scalar: Int { position - continuations }

  private mutating func advance() {
    if bytes[position] & 0xC0 == 0x80 { continuations += 1 }
    position += 1
  }

  /// The next token, always `.end` after the last.
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

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

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
    if first.isDigit || (first == UInt8(ascii: ".") && byte(1).isDigit) {
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
    while byte().isWordCharacter { position += 1 }
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

  static func isLetter(_ byte: UInt8) -> Bool { byte.isLetter || byte == UInt8(ascii: "_") }

  // The characters that cel-go's grammar allows in an escaped field name.
  private static func isQuotable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: " "): true
    default: byte.isWordCharacter
    }
  }

  /// Returns true if a string is an `IDENT`.
  package static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy(\.isWordCharacter) && words[text] == nil
  }

  /// Returns a text as a string literal.
  package static func literal(_ text: String) -> String {
    let text = text.replacingScalars { scalar in
      switch scalar {
      case "'": "\\'"
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: scalar.breaksText ? "\\U" + scalar.hexadecimalDigits(8) : nil
      }
    }
    return "'\(text)'"
  }

  /// Returns bytes as a literal.
  package static func literal(_ bytes: some Sequence<UInt8>) -> String {
    let text = bytes.map { byte in
      let isPlain = 0x20...0x7E ~= byte && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
      let scalar = Unicode.Scalar(byte)
      return isPlain ? String(scalar) : "\\x" + scalar.hexadecimalDigits(2)
    }
    return "b'\(text.joined())'"
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

  // MARK: - Numbers

  /// Passes over `INT_LIT`, `UINT_LIT` or `FLOAT_LIT`.
  ///
  /// The sign belongs to the parser.
  private mutating func number(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
      position += 2
      try skipDigits(start) { $0.hexadecimalValue != nil }
      return try endNumber(takeUnsignedMark() ? .uint : .int, start)
    }
    var kind = Token.Kind.int
    if byte().isDigit { try skipDigits(start, \.isDigit) }
    if byte() == UInt8(ascii: "."), byte(1).isDigit {
      kind = .double
      position += 1
      try skipDigits(start, \.isDigit)
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      kind = .double
      position += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
      try skipDigits(start, \.isDigit)
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
    if position == first { throw ExpressionErrors(.badNumber("", start..<scalar)) }
  }

  // `1abc` would otherwise be two tokens, and the message would be about the second.
  private mutating func endNumber(
    _ kind: Token.Kind, _ start: Int
  ) throws(ExpressionErrors) -> Token.Kind {
    guard Self.isLetter(byte()) else { return kind }
    while byte().isWordCharacter { position += 1 }
    let number = text((position - (scalar - start))..<position)
    throw ExpressionErrors(.badNumber(number, start..<scalar))
  }

  // MARK: - Strings

  /// Passes over a string or bytes literal with a prefix (`r`, `b`, `br`).
  ///
  /// Returns nil without one.
  private mutating func prefixedString(_ start: Int) throws(ExpressionErrors) -> Token.Kind? {
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

  /// Passes over a quoted text.
  ///
  /// `StringLiteral` reads its escapes.
  private mutating func skipString(isRaw: Bool, _ start: Int) throws(ExpressionErrors) {
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

  // MARK: - Symbols

  private mutating func symbol(_ start: Int) throws(ExpressionErrors) -> Token.Kind {
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
    let next = byte() < 0x80 ? text(position..<min(position + 1, bytes.count)) : ""
    throw ExpressionErrors(.strayCharacter(character, before: next, start..<scalar))
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

/// The smallest part of an expression's text.
struct Token {
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
