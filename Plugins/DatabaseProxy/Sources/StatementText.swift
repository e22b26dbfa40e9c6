/// The normalised text of a statement: one blank between words, no comments, and `?` for literals.
///
/// The lexical rules are those of PostgreSQL with `standard_conforming_strings`. Parameters such as
/// `$1` stay.
struct StatementText: Hashable, Sendable {
  /// The most bytes of a statement that are kept.
  static let greatestLength = 16 << 10

  let text: String
  /// The first word in capitals, such as `SELECT`.
  ///
  /// Empty without one.
  let kind: String

  /// Normalises one statement.
  init(_ sql: [UInt8]) {
    var lexer = StatementLexer(sql[...])
    var words: [String] = []
    while let word = lexer.next() { words.append(word) }
    self.init(words)
  }

  private init(_ words: [String]) {
    var text = ""
    for (index, word) in words.enumerated() {
      let isTight =
        index == 0 || Self.closing.contains(word) || Self.opening.contains(words[index - 1])
      text += (isTight ? "" : " ") + word
    }
    self.text = text
    kind = words.first { $0 != "(" }?.uppercased() ?? ""
  }

  private static let closing: Set = [")", ",", ";", ".", "]", "::"]
  private static let opening: Set = ["(", ".", "[", "::"]

  /// Normalises the statements of a script, which a semicolon outside of quotes separates.
  ///
  /// Statements without a word are left out, as the server does.
  static func all(in script: [UInt8]) -> [StatementText] {
    var lexer = StatementLexer(script[...])
    var (statements, words): ([StatementText], [String]) = ([], [])
    while let word = lexer.next() {
      if word != ";" {
        words.append(word)
      } else if !words.isEmpty {
        statements.append(StatementText(words))
        words = []
      }
    }
    return words.isEmpty ? statements : statements + [StatementText(words)]
  }
}

/// A reader of the words of SQL.
private struct StatementLexer {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  /// Returns the next word, sign or placeholder, or nil at the end.
  mutating func next() -> String? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    switch first {
    case UInt8(ascii: "'"): return string(escapes: false)
    case UInt8(ascii: "\""): return quotedName()
    case UInt8(ascii: "$"): return dollar()
    case _ where Self.isDigit(first): return number()
    case UInt8(ascii: ".") where rest.dropFirst().first.map(Self.isDigit) ?? false: return number()
    case _ where Self.isLetter(first): return name()
    default: return sign()
    }
  }

  private mutating func skipBlanks() {
    while let first = rest.first {
      if first == 0x20 || 0x09...0x0D ~= first {
        rest.removeFirst()
      } else if rest.starts(with: Array("--".utf8)) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: Array("/*".utf8)) {
        skipComment()
      } else {
        return
      }
    }
  }

  /// Skips a comment, in which others may be nested.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if rest.starts(with: Array("/*".utf8)) {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.starts(with: Array("*/".utf8)) {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }

  /// Takes a text in quotes, whose quotes are doubled inside of it.
  private mutating func string(escapes: Bool) -> String {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if escapes, byte == UInt8(ascii: "\\") {
        rest = rest.dropFirst()
      } else if byte == UInt8(ascii: "'") {
        guard rest.first == UInt8(ascii: "'") else { break }
        rest.removeFirst()
      }
    }
    return "?"
  }

  private mutating func quotedName() -> String {
    let start = rest
    rest.removeFirst()
    rest = rest.drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    return String(decoding: start[..<rest.startIndex], as: UTF8.self)
  }

  /// Takes `$1`, a text between `$tag$`, or a single sign.
  private mutating func dollar() -> String {
    let word = rest.dropFirst().prefix { Self.isLetter($0) || Self.isDigit($0) }
    let tag = rest[..<word.endIndex] + [UInt8(ascii: "$")]
    if let first = word.first, Self.isDigit(first) { return taken(through: word.endIndex) }
    guard rest.starts(with: tag) else { return sign() }
    rest = rest.dropFirst(tag.count)
    while !rest.isEmpty, !rest.starts(with: tag) { rest = rest.dropFirst() }
    rest = rest.dropFirst(tag.count)
    return "?"
  }

  private mutating func number() -> String {
    while let byte = rest.first {
      let isPart = Self.isDigit(byte) || Self.isLetter(byte) || byte == UInt8(ascii: ".")
      guard isPart else { break }
      rest.removeFirst()
      // An exponent may have a sign.
      let isExponent = byte | 0x20 == UInt8(ascii: "e")
      let sign = rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+")
      if isExponent, sign { rest.removeFirst() }
    }
    return "?"
  }

  private mutating func name() -> String {
    let word = rest.prefix {
      Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "$")
    }
    let next = rest[word.endIndex...].first
    if word.count == 1, next == UInt8(ascii: "'"), let letter = word.first {
      let prefix = letter | 0x20
      if [UInt8(ascii: "e"), UInt8(ascii: "b"), UInt8(ascii: "x"), UInt8(ascii: "n")].contains(
        prefix)
      {
        rest.removeFirst()
        return string(escapes: prefix == UInt8(ascii: "e"))
      }
    }
    return taken(through: word.endIndex)
  }

  /// Takes an operator, which has one or more signs, or a single other sign.
  private mutating func sign() -> String {
    if rest.starts(with: Array("::".utf8)) { return taken(through: rest.startIndex + 2) }
    var end = rest.startIndex
    while end < rest.endIndex, Self.operators.contains(rest[end]) {
      let tail = rest[end...]
      if tail.starts(with: Array("--".utf8)) || tail.starts(with: Array("/*".utf8)) { break }
      end += 1
    }
    return taken(through: max(end, rest.startIndex + 1))
  }

  // https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-OPERATORS
  private static let operators = Set("+-*/<>=~!@#%^&|`?".utf8)

  private mutating func taken(through end: Int) -> String {
    let word = rest[..<end]
    rest = rest[end...]
    return String(decoding: word, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }
}
