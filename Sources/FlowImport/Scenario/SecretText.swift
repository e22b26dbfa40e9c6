internal import FlowRedaction

/// A search for probable secrets in any text: values of secret names, and passwords of addresses.
///
/// An expression is a part of the value around it.
struct SecretText {
  /// The parts of the text, with the names of the secret ones.
  private(set) var parts: [(text: ImportedText, secret: String?)] = []
  /// The replaced texts of the marks not yet taken by a part.
  private var marked: ArraySlice<ImportedText> = []

  /// The character in place of each expression.
  ///
  /// A literal occurrence is marked as well, with itself as the replaced text.
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
    // What is before the next secret: its addresses are whole.
    var plain = written.startIndex
    for place in SecretFinder.secrets(in: written) where place.range.lowerBound >= plain {
      findAddresses(in: written[plain..<place.range.lowerBound])
      add(written[place.range], secret: place.name)
      plain = place.range.upperBound
    }
    findAddresses(in: written[plain...])
  }

  /// Finds the passwords of addresses and the secrets in their paths.
  private mutating func findAddresses(in text: Substring) {
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
      // An address in a path is the next one, so that each part is read once.
      let path = rest[authority.endIndex...].prefix { !":?#\"'<>\\ \t\n".contains($0) }
      for place in SecretPath.secrets(in: path) {
        add(rest[end..<place.range.lowerBound])
        add(rest[place.range], secret: place.name)
        end = place.range.upperBound
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
