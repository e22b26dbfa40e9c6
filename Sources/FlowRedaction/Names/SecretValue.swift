internal import FlowSystem

/// A reader of the value after a name: a sign such as `=` or `:`, then a text with or without
/// quotes.
struct SecretValue {
  typealias Text = Substring.UnicodeScalarView

  private(set) var rest: Text
  /// The sign between the name and the value.
  private(set) var sign = ""
  /// The characters that end a text without quotes.
  private let ends: String.UnicodeScalarView

  init(_ rest: Text, isInList: Bool = false) {
    self.rest = rest
    ends = ("\"'<>&,;{}()\n\r\t" + (isInList ? "[]" : "")).unicodeScalars
  }

  /// Takes the sign between a name and its value.
  ///
  /// Returns false if no value follows.
  mutating func takeSign() -> Bool {
    let isQuoted = takeQuote() != nil
    let blanks = (isQuoted ? " \t\r\n" : " \t").unicodeScalars
    if rest.first == "]" {
      rest = rest.dropFirst()
    } else if rest.starts(with: "%5D".unicodeScalars) {
      rest = rest.dropFirst(3)
    }
    rest = rest.drop { blanks.contains($0) }
    let signs = rest.prefix { "=:".unicodeScalars.contains($0) }
    guard let first = signs.first else { return false }
    sign = String(first)
    rest = rest[signs.endIndex...]
    if first == "=", rest.first == ">" { rest = rest.dropFirst() }
    if first == ":", rest.starts(with: "//".unicodeScalars) { return false }
    rest = rest.drop { blanks.contains($0) }
    return true
  }

  /// True if a placeholder follows: `{{name}}`.
  var isPlaceholder: Bool {
    let text = rest.prefix(SecretFinder.longestLabel).prefix { $0 != "}" && $0 != "\n" }
    return text.starts(with: "{{".unicodeScalars) && CredentialNames.isPlain(String(text) + "}}")
  }

  /// Takes the value without its quotes and without a scheme such as `Bearer`, or returns nil.
  mutating func take() -> Range<String.Index>? {
    let value: Text
    if let quote = takeQuote() {
      value = quoted(by: quote)
    } else {
      value = unquoted()
    }
    let text = Substring(value).withoutScheme
    return text.isEmpty ? nil : text.startIndex..<text.endIndex
  }

  /// Takes a quote, with backslashes before it in a text inside of a text.
  private mutating func takeQuote() -> (slashes: Int, mark: Unicode.Scalar)? {
    let slashes = rest.prefix { $0 == "\\" }
    let after = rest[slashes.endIndex...]
    guard let mark = after.first, mark == "\"" || mark == "'" else { return nil }
    rest = after.dropFirst()
    return (slashes.count, mark)
  }

  /// Takes a text through its closing quote.
  private mutating func quoted(by quote: (slashes: Int, mark: Unicode.Scalar)) -> Text {
    var (place, slashes) = (rest.startIndex, 0)
    while place < rest.endIndex {
      let scalar = rest[place]
      // A quote that belongs to the text has more of them, twice as many for each level and itself.
      let more = slashes - quote.slashes
      if scalar == quote.mark, more >= 0, more % (2 * (quote.slashes + 1)) == 0 {
        let end = rest.index(place, offsetBy: -quote.slashes)
        let value = rest[..<end]
        rest = rest[place...].dropFirst()
        return value
      }
      slashes = scalar == "\\" ? slashes + 1 : 0
      place = rest.index(after: place)
    }
    defer { rest = rest[rest.endIndex...] }
    return rest
  }

  private mutating func unquoted() -> Text {
    let all = rest.prefix { !ends.contains($0) }
    let value = Substring(all).withoutScheme.unicodeScalars.prefix { $0 != " " }
    defer { rest = rest[value.endIndex...] }
    return rest[..<value.endIndex]
  }
}

/// A search for every text and number in the bracketed value of a secret name.
struct SecretContainer {
  private(set) var rest: SecretValue.Text
  private(set) var found: [SecretFinder.Place] = []
  private let name: String

  /// Begins at the bracket.
  init(_ rest: SecretValue.Text, _ name: String) {
    self.rest = rest
    self.name = name
  }

  /// Reads up to the closing bracket of the value, or to the end of a text without one.
  mutating func read() {
    var (depth, key) = (0, "")
    while let scalar = rest.first {
      switch scalar {
      case "{", "[":
        depth += 1
        key = ""
        rest = rest.dropFirst()
      case "}", "]":
        depth -= 1
        rest = rest.dropFirst()
        if depth == 0 { return }
      case _ where scalar == "\"" || scalar == "'" || scalar == "\\" || scalar.isValue:
        key = entry(key)
      default: rest = rest.dropFirst()
      }
    }
  }

  /// Takes a key or a value.
  ///
  /// Returns the key of the next value.
  private mutating func entry(_ key: String) -> String {
    let whole = rest
    var value = SecretValue(rest, isInList: true)
    let range = value.take()
    // A lone backslash is no quote.
    rest = value.rest.startIndex == rest.startIndex ? rest.dropFirst() : value.rest
    guard let range else { return "" }
    let text = String(whole[range])
    let isKey = rest.drop { $0.properties.isWhitespace }.first == ":"
    if isKey || text.hasSuffix(":") { return text }
    let owner = CredentialNames.isSecret(key) ? key : name
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E || $0 == 0x2D }
    let isSecret = !isNumber || CredentialNames.isSecretNumber(owner)
    if isSecret, !CredentialNames.isHarmless(key), !CredentialNames.isPlain(text) {
      found.append((range, owner))
    }
    return ""
  }
}

extension Unicode.Scalar {
  fileprivate var isValue: Bool { isPartOfName || "+/=$.\u{F8FF}".unicodeScalars.contains(self) }
}

extension Substring {
  /// The text without the scheme of an `Authorization`, which is no secret.
  var withoutScheme: Substring {
    let word = prefix { $0.isLetter }
    guard Self.schemes.contains(word.lowercased()), self[word.endIndex...].first == " " else {
      return self
    }
    return self[word.endIndex...].drop { $0 == " " }
  }

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "token", "negotiate", "apikey",
  ]
}

extension String {
  /// The scheme of an `Authorization` at the start of the text, such as `Bearer`, and the blanks
  /// after it.
  package var scheme: String { String(self[..<self[...].withoutScheme.startIndex]) }
}
