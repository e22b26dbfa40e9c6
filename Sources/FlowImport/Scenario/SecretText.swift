/// Finds what looks like a secret in any text: values of secret names, and passwords of addresses.
///
/// An expression is a part of the value in which it stands.
struct SecretText {
  /// The text in parts, with the names of those that are secret.
  private(set) var parts: [(text: ImportedText, secret: String?)] = []
  /// What the marks stand for that no part has taken yet.
  private var marked: ArraySlice<ImportedText> = []

  /// A character that no text has stands for each expression; one that a text has stands for itself.
  private static var mark: Unicode.Scalar { "\u{F8FF}" }

  init(_ text: ImportedText) {
    var written = String.UnicodeScalarView()
    for piece in text.pieces {
      switch piece {
      case .literal(let literal):
        written += literal.unicodeScalars
        let count = literal.unicodeScalars.count { $0 == Self.mark }
        marked += Array(repeating: ImportedText(String(Self.mark)), count: count)
      case .expression(let code):
        written.append(Self.mark)
        marked.append(ImportedText(expression: code))
      }
    }
    findSecrets(in: String(written))
  }

  private mutating func findSecrets(in written: String) {
    var rest = written[...]
    // What is before the next secret: its addresses are whole.
    var plain = rest.startIndex
    while let start = rest.firstIndex(where: \.isPartOfName) {
      let name = rest[start...].prefix(while: \.isPartOfName)
      rest = rest[name.endIndex...]
      guard SecretNames.isSecret(String(name)), let value = rest.assignedSecret else { continue }
      findPasswords(in: written[plain..<value.startIndex])
      add(value, secret: String(name))
      rest = rest[value.endIndex...]
      plain = value.endIndex
    }
    findPasswords(in: written[plain...])
  }

  private mutating func findPasswords(in text: Substring) {
    var rest = text
    while let scheme = rest.firstRange(of: "://") {
      let authority = rest[scheme.upperBound...].prefix { !"/?#\"'<>\\ \t\n".contains($0) }
      var end = scheme.upperBound
      if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":"),
        case let password = authority[colon..<at].dropFirst(), !password.isEmpty
      {
        add(rest[...colon])
        add(password, secret: "password")
        end = at
      } else {
        add(rest[..<end])
      }
      rest = rest[end...]
    }
    add(rest)
  }

  private mutating func add(_ text: Substring, secret: String? = nil) {
    var part = ImportedText()
    let sections = text.unicodeScalars.split(separator: Self.mark, omittingEmptySubsequences: false)
    for (index, section) in sections.enumerated() {
      if index > 0, let piece = marked.popFirst() { part.append(piece) }
      part.append(String(section))
    }
    parts.append((part, secret))
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "-" }
}

extension Substring {
  /// The value that the name before this is given, by `=`, `:` or `>`, without a scheme such as `Bearer`; nil for none.
  fileprivate var assignedSecret: Substring? {
    let between = prefix { "\"' \t=:>[\\".contains($0) }
    guard between.first == ">" || between.contains(where: "=:".contains) else { return nil }
    let value = self[between.endIndex...].value(after: between).withoutScheme
    return value.isEmpty ? nil : value
  }

  /// The value that begins here: to the quote that ends it, to the next element, or to what separates values.
  private func value(after between: Substring) -> Substring {
    if between.first == ">" {
      let content = prefix { $0 != "<" }
      return content.allSatisfy(\.isWhitespace) ? prefix(0) : content
    }
    guard let last = between.last, last == "\"" || last == "'" else {
      return prefix { !"\"'<>&,;{}()\n\r\t".contains($0) }.unquoted
    }
    // In a text inside of a text the quotes are escaped.
    if between.dropLast().last == "\\" { return prefix { $0 != "\\" } }
    var isEscaped = false
    return prefix { character in
      defer { isEscaped = !isEscaped && character == "\\" }
      return isEscaped || character != last
    }
  }

  /// What a value without quotes has before the next blank, its scheme and the blank behind that included.
  private var unquoted: Substring {
    let value = withoutScheme.prefix { $0 != " " }
    return self[..<value.endIndex]
  }

  /// The same without the scheme of an `Authorization`, which is no secret.
  fileprivate var withoutScheme: Substring {
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
  /// The scheme of an `Authorization` that the text begins with, such as `Bearer`, and the blanks behind it.
  var scheme: String { String(self[..<self[...].withoutScheme.startIndex]) }
}
