/// A word, a sign or a value of a statement.
public struct SQLToken: Equatable, Sendable {
  /// The kinds of tokens.
  public enum Kind: Sendable {
    /// A keyword, or a name without quotes.
    case word
    /// A name in quotes, which belong to its bytes.
    case name
    /// A literal in quotes, which belong to its bytes with the letter before them.
    case text
    case number
    /// The place of a value, such as `$1`.
    case parameter
    /// An operator, or another sign.
    case sign
  }

  /// The kind of the token.
  public let kind: Kind
  /// The bytes with their places in the statement.
  public let bytes: ArraySlice<UInt8>

  /// The text in the statement.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// A reader of the tokens of SQL, which skips blanks and comments.
///
/// It reads any bytes, and each of them once. A quote without its end lasts to the end.
public struct SQLLexer {
  private let dialect: SQLDialect
  private var rest: ArraySlice<UInt8>
  /// True inside of a comment that belongs to the statement.
  private var isInComment = false

  /// Creates a reader of a statement or of several.
  public init(_ text: ArraySlice<UInt8>, _ dialect: SQLDialect) {
    (rest, self.dialect) = (text, dialect)
  }

  /// Returns the next token, or nil at the end.
  public mutating func next() -> SQLToken? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    if let token = quoted(first) ?? dollarText() ?? parameter() { return token }
    let isFraction = first == UInt8(ascii: ".") && rest.dropFirst().first?.isDigit ?? false
    if first.isDigit || isFraction { return number() }
    let isVariable = dialect.hasVariables && first == UInt8(ascii: "@")
    return first.isLetter || isVariable ? word() : sign()
  }

  /// Takes a token that ends before a place.
  private mutating func taken(_ kind: SQLToken.Kind, through end: Int) -> SQLToken {
    let token = SQLToken(kind: kind, bytes: rest[..<end])
    rest = rest[end...]
    return token
  }

  // MARK: - Comments

  private mutating func skipBlanks() {
    while let first = rest.first {
      if first == 0x20 || 0x09...0x0D ~= first {
        rest.removeFirst()
      } else if isLineComment {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        skipComment()
      } else if isInComment, rest.starts(with: "*/".utf8) {
        isInComment = false
        rest = rest.dropFirst(2)
      } else {
        return
      }
    }
  }

  private var isLineComment: Bool {
    if dialect.hasHashComments, rest.first == UInt8(ascii: "#") { return true }
    guard rest.starts(with: "--".utf8) else { return false }
    return !dialect.hasSpacedDashes || (rest.dropFirst(2).first ?? 0) <= 0x20
  }

  private mutating func skipComment() {
    if dialect.runsComments {
      for start in ["/*!", "/*M!"] where rest.starts(with: start.utf8) {
        isInComment = true
        // The least version of the server may follow.
        rest = rest.dropFirst(start.utf8.count).drop(while: \.isDigit)
        return
      }
    }
    rest = Self.afterComment(rest, isNested: dialect.nestsComments)
  }

  /// Returns the part after a comment between `/*` and `*/`, which begins the text.
  ///
  /// `isNested` is true if comments in it have ends of their own. Without its end it lasts to the end.
  public static func afterComment(
    _ text: ArraySlice<UInt8>, isNested: Bool
  ) -> ArraySlice<UInt8> {
    var (rest, depth) = (text, 0)
    repeat {
      if rest.starts(with: "/*".utf8), isNested || depth == 0 {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "*/".utf8) {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
    return rest
  }

  // MARK: - Quotes

  /// Takes a text or a name in quotes, or returns nil without one.
  private mutating func quoted(_ first: UInt8) -> SQLToken? {
    if let end = dialect.names[first] {
      return taken(.name, through: self.end(of: rest, closing: end, escapes: false))
    }
    let isPrefixed = dialect.prefixes.contains(first | 0x20)
    let text = isPrefixed ? rest.dropFirst() : rest
    guard let quote = text.first, dialect.texts.contains(quote) else { return nil }
    let escapes =
      switch dialect.backslashes {
      case .none: false
      case .afterE: first | 0x20 == UInt8(ascii: "e")
      case .all: true
      }
    return taken(.text, through: end(of: text, closing: quote, escapes: escapes))
  }

  /// Returns the place behind a quoted part, whose closing quotes are doubled inside of it.
  private func end(of text: ArraySlice<UInt8>, closing: UInt8, escapes: Bool) -> Int {
    var inside = text.dropFirst()
    while let byte = inside.popFirst() {
      if escapes, byte == UInt8(ascii: "\\") {
        inside = inside.dropFirst()
      } else if byte == closing {
        guard inside.first == closing else { break }
        inside.removeFirst()
      }
    }
    return inside.startIndex
  }

  /// Takes a text between `$tag$`, or returns nil without one.
  private mutating func dollarText() -> SQLToken? {
    guard dialect.hasDollarTexts, rest.first == UInt8(ascii: "$") else { return nil }
    let name = rest.dropFirst().prefix { $0.isLetter || $0.isDigit }
    let tag = rest[..<name.endIndex] + [UInt8(ascii: "$")]
    guard name.first?.isDigit != true, rest.starts(with: tag) else { return nil }
    var inside = rest.dropFirst(tag.count)
    while !inside.isEmpty, !inside.starts(with: tag) { inside = inside.dropFirst() }
    return taken(.text, through: inside.dropFirst(tag.count).startIndex)
  }

  // MARK: - Words and signs

  private mutating func parameter() -> SQLToken? {
    let sign = UInt8(ascii: dialect.parameter == .numberedDollar ? "$" : "?")
    guard rest.first == sign else { return nil }
    let digits = dialect.parameter == .question ? [] : rest.dropFirst().prefix(while: \.isDigit)
    if dialect.parameter == .numberedDollar, digits.isEmpty { return nil }
    return taken(.parameter, through: rest.startIndex + 1 + digits.count)
  }

  private mutating func number() -> SQLToken {
    if dialect.hasNamesWithDigits, let end = endOfNameWithDigits {
      return taken(.word, through: end)
    }
    var tail = rest
    while let byte = tail.first, byte.isDigit || byte.isLetter || byte == UInt8(ascii: ".") {
      tail.removeFirst()
      // An exponent may have a sign.
      let isExponent = byte | 0x20 == UInt8(ascii: "e")
      let sign = tail.first == UInt8(ascii: "-") || tail.first == UInt8(ascii: "+")
      if isExponent, sign { tail.removeFirst() }
    }
    return taken(.number, through: tail.startIndex)
  }

  /// The place behind a name such as `2fa`, or nil for a number such as `2`, `0x2f` or `2e5`.
  private var endOfNameWithDigits: Int? {
    let word = rest.prefix(while: \.isOfWord)
    let letters = word.drop(while: \.isDigit)
    guard let letter = letters.first.map({ $0 | 0x20 }) else { return nil }
    let tail = letters.dropFirst()
    let isPrefix = word.first == UInt8(ascii: "0") && letters.startIndex == word.startIndex + 1
    let isHex = isPrefix && letter == UInt8(ascii: "x") || isPrefix && letter == UInt8(ascii: "b")
    let isExponent = letter == UInt8(ascii: "e") && tail.allSatisfy(\.isDigit)
    return isHex || isExponent ? nil : word.endIndex
  }

  private mutating func word() -> SQLToken {
    let name = dialect.hasVariables ? rest.drop { $0 == UInt8(ascii: "@") } : rest
    return taken(.word, through: max(name.prefix(while: \.isOfWord).endIndex, rest.startIndex + 1))
  }

  /// Takes an operator, which has one or more signs, or a single other sign.
  private mutating func sign() -> SQLToken {
    if rest.starts(with: "::".utf8) { return taken(.sign, through: rest.startIndex + 2) }
    var end = rest.startIndex
    while end < rest.endIndex, dialect.operators.contains(rest[end]) {
      let tail = rest[end...]
      if tail.starts(with: "--".utf8) || tail.starts(with: "/*".utf8) { break }
      if isInComment, tail.starts(with: "*/".utf8) { break }
      end += 1
    }
    return taken(.sign, through: max(end, rest.startIndex + 1))
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
      || self >= 0x80
  }

  fileprivate var isOfWord: Bool { isLetter || isDigit || self == UInt8(ascii: "$") }
}
