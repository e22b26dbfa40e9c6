internal import FlowRedaction
internal import FlowSystem

/// Finds secrets in the path of an address: `/token/…` and `;jsessionid=…`.
enum SecretPath {
  /// The words that name the next part of a path.
  ///
  /// Weaker ones name pages: `/auth/login`.
  private static let nouns = [
    "password", "passwd", "secret", "token", "apikey", "accesskey", "sessionid", "key",
  ]

  /// Returns the places of secrets in order, with the names of their purposes.
  static func secrets(in path: Substring) -> [(range: Range<String.Index>, name: String)] {
    var (found, previous) = ([(range: Range<String.Index>, name: String)](), "")
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
      let value = parts[0]
      if isNoun(previous), looksSecret(String(value)) {
        found.append((value.startIndex..<value.endIndex, previous))
      }
      for part in parts.dropFirst() {
        guard let sign = part.firstIndex(of: "=") else { continue }
        let (name, value) = (String(part[..<sign]), part[sign...].dropFirst())
        if CredentialNames.isSecret(name, holding: String(value), in: .parameter) {
          found.append((value.startIndex..<value.endIndex, name))
        }
      }
      previous = String(value)
    }
    return found
  }

  private static func isNoun(_ segment: String) -> Bool {
    let letters = segment.lowercased().filter { $0.isLetter }
    return nouns.contains { letters.hasSuffix($0) || letters.hasSuffix($0 + "s") }
      && CredentialNames.isSecret(segment, holding: "a", in: .parameter)
  }

  /// Returns true if a part of a path is no word such as `refresh` or `v2beta`.
  private static func looksSecret(_ segment: String) -> Bool {
    let mark: Character = "\u{F8FF}"
    if segment.contains(mark) { return true }
    let isVersion = segment.first == "v" && segment.dropFirst().first?.isNumber == true
    let hasDigit = segment.utf8.contains(where: \.isDigit)
    let hasUpper = segment.dropFirst().contains { "A"..."Z" ~= $0 }
    return !isVersion && !CredentialNames.isPlain(segment)
      && (hasDigit || hasUpper || segment.utf8.count >= 20)
  }
}
