internal import FlowSystem
private import Synchronization

/// Finds the values of secret names in a text that may be JSON, XML, a form, headers or a mixture.
///
/// Each part of the text is read once, so the time is linear.
package struct SecretFinder {
  typealias Text = Substring.UnicodeScalarView
  package typealias Place = (range: Range<String.Index>, name: String)

  /// The members and attributes with the name of their neighbour: `{"name": "token", "value":
  /// "…"}`.
  package static let labels: Set<String> = [
    "name", "key", "field", "type", "id", "header", "param",
  ]
  package static let values: Set<String> = ["value", "val", "content", "data", "text", "secret"]
  /// Longer values are no names.
  package static let longestLabel = 64

  private let whole: Text
  private var position: String.Index
  private var found: [Place] = []
  /// The label and its value in the present object of a text.
  private var label: String?
  private var labelled: Range<String.Index>?
  /// The elements without an end tag.
  private var open: Set<String> = []

  /// Returns the places of secrets in a text, in order, without overlaps.
  package static func secrets(in text: String) -> [Place] {
    guard ClearTexts.isLong(text) else { return search(text) }
    let bytes = Array(text.utf8)
    if clear.withLock({ $0.contains(bytes) }) { return [] }
    let found = search(text)
    if found.isEmpty { clear.withLock { $0.insert(bytes) } }
    return found
  }

  private static let clear = Mutex(ClearTexts())

  private static func search(_ text: String) -> [Place] {
    var finder = SecretFinder(text)
    finder.read()
    finder.found.sort { $0.range.lowerBound < $1.range.lowerBound }
    return finder.found
  }

  private init(_ text: String) {
    whole = text[...].unicodeScalars
    position = whole.startIndex
  }

  private mutating func read() {
    var previous: Unicode.Scalar?
    while position < whole.endIndex {
      let scalar = whole[position]
      if scalar == "<", element() {
        previous = nil
        continue
      }
      if scalar == "{" || scalar == "}" { (label, labelled) = (nil, nil) }
      if scalar.isPartOfName {
        let name = String(whole[position...].prefix(while: \.isPartOfName))
        position = whole.index(position, offsetBy: name.unicodeScalars.count)
        member(name, after: previous)
        previous = nil
      } else {
        position = whole.index(after: position)
        previous = scalar
      }
    }
  }

  private mutating func add(_ range: Range<String.Index>, _ name: String) {
    if !range.isEmpty { found.append((range, name)) }
  }

  // MARK: - Names and values

  /// Takes the value of a name, if it is a secret.
  private mutating func member(_ name: String, after previous: Unicode.Scalar?) {
    var value = SecretValue(whole[position...])
    guard value.takeSign() else { return }
    // The host of an address has a port behind it.
    if value.sign == ":", let previous, "/@".unicodeScalars.contains(previous) { return }
    let start = value.rest.startIndex
    if let mark = value.rest.first, "{[".unicodeScalars.contains(mark) {
      guard CredentialNames.isSecret(name), !value.isPlaceholder else { return }
      var container = SecretContainer(value.rest, name)
      container.read()
      found += container.found
      position = container.rest.startIndex
      return
    }
    guard let range = value.take() else { return }
    let isUnquoted = range.lowerBound == start
    let text = String(whole[range])
    // Types and variables of GraphQL are no values.
    if isUnquoted, value.sign == ":", previous == "$" || text.hasPrefix("$") { return }
    if CredentialNames.isSecret(name, holding: text) {
      add(range, name)
      position = range.upperBound
    } else {
      pair(name, range, text)
    }
  }

  /// Takes a value named by another value, the label beside it.
  private mutating func pair(_ name: String, _ range: Range<String.Index>, _ text: String) {
    let name = name.lowercased()
    if Self.labels.contains(name), text.utf8.count <= Self.longestLabel,
      CredentialNames.isSecret(text)
    {
      label = text
    } else if Self.values.contains(name) {
      labelled = range
    }
    guard let known = label, let value = labelled else { return }
    (label, labelled) = (nil, nil)
    guard CredentialNames.isSecret(known, holding: String(whole[value])) else { return }
    add(value, known)
    position = max(position, value.upperBound)
  }

  // MARK: - Elements

  /// Takes an element of XML with secret attributes or content.
  ///
  /// Returns false for anything else.
  private mutating func element() -> Bool {
    guard let tag = SecretTag(whole[position...]) else { return false }
    for place in tag.secrets { add(place.range, place.name) }
    position = tag.end
    guard !tag.isEmpty, let name = tag.secret else { return true }
    let end = "</" + tag.name
    guard !open.contains(end), let content = self.content(until: end) else {
      open.insert(end)
      add(texts(in: whole[position...].prefix { $0 != "<" }), name)
      return true
    }
    add(texts(in: content), name)
    position = content.endIndex
    return true
  }

  private mutating func add(_ ranges: [Range<String.Index>], _ name: String) {
    for range in ranges where !CredentialNames.isPlain(String(whole[range])) { add(range, name) }
    if let last = ranges.last { position = max(position, last.upperBound) }
  }

  private func content(until end: String) -> Text? {
    var rest = whole[position...]
    while let mark = rest.firstIndex(of: "<") {
      rest = rest[mark...]
      if rest.starts(with: end.unicodeScalars) { return whole[position..<mark] }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Returns the texts between tags, without harmless elements, and without the marks of sections.
  private func texts(in content: Text) -> [Range<String.Index>] {
    var (texts, rest, isHarmless) = ([Range<String.Index>](), content, false)
    while !rest.isEmpty {
      if rest.starts(with: "<![CDATA[".unicodeScalars) {
        let inside = rest.dropFirst(9)
        let section = inside.prefix { $0 != "]" }
        texts.append(section.startIndex..<section.endIndex)
        rest = rest[section.endIndex...].drop { $0 == "]" || $0 == ">" }
      } else if rest.first == "<" {
        let tag = rest.dropFirst().prefix { $0 != ">" }
        let name = tag.prefix { $0 != " " }.split(separator: ":").last.map { String($0) } ?? ""
        isHarmless = CredentialNames.isHarmless(name)
        rest = rest[tag.endIndex...].dropFirst()
      } else {
        let text = rest.prefix { $0 != "<" }
        let isBlank = text.allSatisfy(\.properties.isWhitespace)
        if !isBlank, !isHarmless { texts.append(text.startIndex..<text.endIndex) }
        rest = rest[text.endIndex...]
      }
    }
    return texts
  }
}

extension Unicode.Scalar {
  /// True for a character in names of members and parameters.
  var isPartOfName: Bool {
    // As nearly all are.
    if isASCII {
      return "a"..."z" ~= self || "A"..."Z" ~= self || "0"..."9" ~= self || self == "_"
        || self == "-"
    }
    return properties.isAlphabetic || properties.numericType != nil
  }
}

/// A start tag of XML or HTML, with its secret attributes.
struct SecretTag {
  typealias Text = Substring.UnicodeScalarView

  /// The name as it is written, with its prefix.
  private(set) var name = ""
  private(set) var isEmpty = false
  /// The place after the tag.
  private(set) var end: String.Index
  /// The values of secret attributes.
  private(set) var secrets: [SecretFinder.Place] = []
  /// The name that makes the content a secret, or nil for harmless content.
  private(set) var secret: String?

  private var attributes: [(name: String, range: Range<String.Index>, text: String)] = []

  /// Creates the tag at the start of a text.
  ///
  /// Nil for any other start.
  init?(_ text: Text) {
    var rest = text.dropFirst()
    end = rest.startIndex
    guard let first = rest.first, first.properties.isAlphabetic || first == "_" else { return nil }
    name = String(Self.takeName(&rest))
    while true {
      rest = rest.drop(while: \.properties.isWhitespace)
      if rest.first == "/" {
        isEmpty = true
        rest = rest.dropFirst()
      }
      if rest.first == ">" { break }
      guard takeAttribute(&rest) else { return nil }
    }
    end = rest.dropFirst().startIndex
    judge()
  }

  private static func takeName(_ rest: inout Text) -> Text {
    let name = rest.prefix { $0.isPartOfName || $0 == ":" || $0 == "." }
    rest = rest[name.endIndex...]
    return name
  }

  private mutating func takeAttribute(_ rest: inout Text) -> Bool {
    let name = Self.takeName(&rest)
    guard !name.isEmpty else { return false }
    var after = rest.drop(while: \.properties.isWhitespace)
    // HTML has attributes without a value.
    guard after.first == "=" else { return true }
    after = after.dropFirst().drop(while: \.properties.isWhitespace)
    var value = SecretValue(after)
    let range = value.take()
    guard value.rest.startIndex > after.startIndex else { return false }
    rest = value.rest
    if let range { attributes.append((Self.local(name), range, String(after[range]))) }
    return true
  }

  private static func local(_ name: Text) -> String {
    name.split(separator: ":").last.map { String($0) } ?? ""
  }

  /// Marks the secret values: by their own names, or by a name in the value of another attribute.
  private mutating func judge() {
    let label = attributes.first { attribute in
      SecretFinder.labels.contains(attribute.name.lowercased())
        && attribute.text.utf8.count <= SecretFinder.longestLabel
        && CredentialNames.isSecret(attribute.text)
    }?.text
    for (name, range, text) in attributes {
      let isLabelled = SecretFinder.values.contains(name.lowercased())
      let owner = isLabelled ? label ?? name : name
      if CredentialNames.isSecret(owner, holding: text) { secrets.append((range, owner)) }
    }
    let local = Self.local(name[...].unicodeScalars)
    secret = CredentialNames.isSecret(local) ? local : label
  }
}

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
