/// The address of a repository that git clones: `https://example.org/flow.git`, `git@example.org:flow.git`.
struct CloneAddress: Sendable {
  let text: String

  /// Reads an address; nil for what has no protocol and no user, or characters that no address has.
  init?(_ text: String) {
    let isAddress = text.contains("://") || text.prefix { $0 != ":" }.contains("@")
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !"\"\\`$".unicodeScalars.contains($0)
    }
    guard isAddress, isPlain, !text.hasPrefix("-") else { return nil }
    self.text = text
  }

  /// What SwiftPM calls the package: the last part of the address without `.git`.
  var identity: String {
    let last = text.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? text
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
