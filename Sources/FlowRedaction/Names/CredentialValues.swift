internal import FlowSystem

/// The signs of a secret in a value itself.
extension CredentialNames {
  /// Returns true for a value that is no secret under any name: a truth value, a blank, or a
  /// placeholder.
  package static func isPlain(_ value: String) -> Bool {
    let text = value.withoutBlanksAround
    let words: Set<String> = [
      "", "true", "false", "yes", "no", "on", "off", "null", "nil", "none", "undefined", "redacted",
      "[redacted]", "hidden", "removed",
    ]
    return words.contains(text.lowercased()) || text.allSatisfy { "*•$".contains($0) }
      || isPlaceholder(text)
  }

  /// True for `{{name}}`, `{name}`, `${NAME}` and `<name>`.
  private static func isPlaceholder(_ text: String) -> Bool {
    for (start, end) in [("{{", "}}"), ("${", "}"), ("{", "}"), ("<", ">")] {
      guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count > start.utf8.count else {
        continue
      }
      let name = text.dropFirst(start.count).dropLast(end.count)
      if !name.isEmpty, name.utf8.allSatisfy({ $0.isLetter || "_-. $".utf8.contains($0) }) {
        return true
      }
    }
    return false
  }

  /// Returns true for a value that nobody would choose as a name: a long row of letters and digits,
  /// or of letters in both cases.
  package static func looksRandom(_ value: String) -> Bool {
    let text = value.withoutBlanksAround
    let isWord = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~+/=%".utf8.contains($0) }
    guard text.utf8.count >= 16, isWord else { return false }
    let hasDigit = text.utf8.contains(where: \.isDigit)
    let hasLower = text.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    let hasUpper = text.utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    return hasDigit && (hasLower || hasUpper) || hasLower && hasUpper && text.utf8.count >= 24
  }
}
