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
