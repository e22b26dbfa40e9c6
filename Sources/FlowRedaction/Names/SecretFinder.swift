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
    properties.isAlphabetic || properties.numericType != nil || self == "_" || self == "-"
  }
}
