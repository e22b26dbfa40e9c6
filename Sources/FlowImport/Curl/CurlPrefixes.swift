internal import FlowSystem

/// The text before a curl command in a script, a prompt or a history.
extension CurlCommand {
  typealias Words = ArraySlice<ShellCommand.Word>

  mutating func skipPrefixes(of words: inout Words) {
    skipHistory(of: &words)
    skipFunction(of: &words)
    while let word = words.first, assign(word) || isPrefix(word) { words.removeFirst() }
  }

  /// Skips the number, and perhaps the time, of a line printed by `history`.
  private func skipHistory(of words: inout Words) {
    let isCurl = { (word: ShellCommand.Word) in word.text.literal?.hasSuffix("curl") ?? false }
    guard let index = words.prefix(4).firstIndex(where: isCurl), index > words.startIndex else {
      return
    }
    let isNumbered = words[..<index].allSatisfy { word in
      let text = word.text.literal ?? ""
      return text.utf8.first?.isDigit == true
        && text.utf8.allSatisfy { $0.isDigit || "-:/.*".utf8.contains($0) }
    }
    if isNumbered { words = words[index...] }
  }

  /// Skips `name() {` or `function name {`.
  ///
  /// The commands inside are imported once.
  private mutating func skipFunction(of words: inout Words) {
    guard let first = words.first, let text = first.text.literal else { return }
    var name = text
    if text == "function", let second = words.dropFirst().first?.text.literal {
      name = second
      words.removeFirst()
    } else if !text.hasSuffix("(") {
      return
    }
    words.removeFirst()
    if name.hasSuffix("(") { name.removeLast() }
    scenario.note(
      first.line, "the function '\(name.prefix(40))' is imported as if it were called here, once")
  }

  /// Returns true if a command follows the word.
  ///
  /// Notes an ignored `if` or loop around the command.
  private mutating func isPrefix(_ word: ShellCommand.Word) -> Bool {
    let text = word.text.literal
    if Self.prefixes.contains(text) { return true }
    guard Self.openings.contains(text) else { return false }
    scenario.note(
      word.line,
      "'\(text ?? "")' is ignored; the command after it is imported as an ordinary step")
    return true
  }

  private static let prefixes: Set<String?> = [
    "$", "%", "#", ">", "sudo", "time", "env", "exec", "export", "command", "\\", "{", "(",
  ]
  private static let openings: Set<String?> = [
    "if", "then", "elif", "else", "while", "until", "do", "!",
  ]
}
