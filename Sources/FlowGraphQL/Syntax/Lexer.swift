internal import FlowCore

/// A token of a document.
struct Token {
  enum Kind: Equatable {
    case end
    /// `!`, `$`, `&`, `(`, `)`, `:`, `=`, `@`, `[`, `]`, `{`, `|` or `}`.
    case punctuator(UInt8)
    case spread
    case name
    case int
    case float
    case string
    case blockString
  }

  let kind: Kind
  let range: Range<Int>
}

/// Splits a document into tokens (GraphQL, September 2025, section 2.1).
struct Lexer {
  let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Returns the text of a token.
  func text(_ token: Token) -> String { text(token.range) }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the next token, `.end` again after the last one.
  mutating func next() throws(GraphQLProblem) -> Token {
    skipIgnored()
    let start = index
    guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
    let byte = bytes[start]
    switch byte {
    case UInt8(ascii: "\""): return try string(from: start)
    case UInt8(ascii: "."):
      guard peek(1) == byte, peek(2) == byte else {
        throw GraphQLProblem(start..<(start + 1), "'.' is no part of GraphQL; a spread is '...'")
      }
      index += 3
      return Token(kind: .spread, range: start..<index)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(from: start)
    case _ where byte.startsName:
      skip(while: \.continuesName)
      return Token(kind: .name, range: start..<index)
    case _ where Self.punctuators.contains(byte):
      index += 1
      return Token(kind: .punctuator(byte), range: start..<index)
    default: throw unexpected(at: start)
    }
  }

  private static let punctuators = Set("!$&():=@[]{|}".utf8)

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while index < bytes.count, holds(bytes[index]) { index += 1 }
  }

  /// Skips blanks, line ends, commas and comments.
  private mutating func skipIgnored() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): index += 1
      case UInt8(ascii: "#"): skip { $0 != 0x0A && $0 != 0x0D }
      case 0xEF where peek(1) == 0xBB && peek(2) == 0xBF: index += 3
      default: return
      }
    }
  }

  private func unexpected(at start: Int) -> GraphQLProblem {
    let rest = String(decoding: bytes[start...].prefix(4), as: UTF8.self)
    let scalar = rest.unicodeScalars.first.map(String.init) ?? ""
    return GraphQLProblem(
      start..<min(bytes.count, start + scalar.utf8.count),
      "unexpected character '\(scalar.escaped)'")
  }

  // MARK: - Numbers

  private mutating func number(from start: Int) throws(GraphQLProblem) -> Token {
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    try digits(from: start)
    if bytes[first] == UInt8(ascii: "0"), index > first + 1 {
      throw GraphQLProblem(start..<index, "a number cannot start with 0")
    }
    var isFloat = false
    if peek(0) == UInt8(ascii: ".") {
      isFloat = true
      index += 1
      try digits(from: start)
    }
    if peek(0) == UInt8(ascii: "e") || peek(0) == UInt8(ascii: "E") {
      isFloat = true
      index += 1
      if peek(0) == UInt8(ascii: "+") || peek(0) == UInt8(ascii: "-") { index += 1 }
      try digits(from: start)
    }
    if let byte = peek(0), byte.startsName || byte == UInt8(ascii: ".") {
      throw GraphQLProblem(start..<(index + 1), "a number cannot be followed by a name or a point")
    }
    return Token(kind: isFloat ? .float : .int, range: start..<index)
  }

  private mutating func digits(from start: Int) throws(GraphQLProblem) {
    let first = index
    skip { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if index == first { throw GraphQLProblem(start..<max(index, start + 1), "incomplete number") }
  }

  // MARK: - Strings

  private mutating func string(from start: Int) throws(GraphQLProblem) -> Token {
    let quote = UInt8(ascii: "\"")
    if peek(1) == quote, peek(2) == quote { return try blockString(from: start) }
    index += 1
    while let byte = peek(0), byte != 0x0A, byte != 0x0D {
      if byte == quote {
        index += 1
        return Token(kind: .string, range: start..<index)
      }
      if byte == UInt8(ascii: "\\") {
        try skipEscape()
      } else {
        if byte < 0x20, byte != 0x09 { throw unexpected(at: index) }
        index += 1
      }
    }
    throw GraphQLProblem(start..<index, "the string has no end")
  }

  private mutating func skipEscape() throws(GraphQLProblem) {
    let start = index
    index += 1
    guard let byte = peek(0) else { throw GraphQLProblem(start..<index, "the string has no end") }
    index += 1
    if Set("\"\\/bfnrt".utf8).contains(byte) { return }
    guard byte == UInt8(ascii: "u") else {
      throw GraphQLProblem(start..<index, "unknown escape '\(text(start..<index).escaped)'")
    }
    guard StringText.scalar(in: bytes, &index) != nil else {
      throw GraphQLProblem(start..<index, "the escape is no Unicode character")
    }
  }

  private mutating func blockString(from start: Int) throws(GraphQLProblem) -> Token {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    index += 3
    while let byte = peek(0) {
      if byte == quote, peek(1) == quote, peek(2) == quote {
        index += 3
        return Token(kind: .blockString, range: start..<index)
      }
      let isEscaped =
        byte == backslash && peek(1) == quote && peek(2) == quote && peek(3) == quote
      index += isEscaped ? 4 : 1
    }
    throw GraphQLProblem(start..<index, "the block string has no end")
  }
}

extension UInt8 {
  /// True for a letter or `_`.
  var startsName: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// True for a letter, a digit or `_`.
  var continuesName: Bool { startsName || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
