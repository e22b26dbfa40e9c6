/// Hints for commands with words of shell syntax that are run without a shell.
enum ShellHints {
  /// Commands built into a shell, without a program of that name.
  private static let builtins: Set = [
    "alias", "cd", "eval", "exec", "export", "read", "set", "source", "trap", "ulimit", "umask",
    "unset", "wait",
  ]
  private static let operators: Set = [
    "&&", "||", "|", ">", ">>", "<", "<<", "2>", "2>>", "2>&1", ">&2", "&>", "&",
  ]
  /// Programs that commonly take such words as arguments.
  private static let readers: Set = [
    "[", "awk", "column", "cut", "expr", "find", "grep", "jq", "paste", "sed", "sort", "test", "tr",
  ]

  /// Returns the places searched for a missing program, and a suggestion.
  static func advice(onMissing command: Command) -> String {
    let program = command.arguments[0]
    if program.unicodeScalars.contains(where: \.properties.isWhitespace) {
      return ": write each word as one element, as in argv: [ls, -l]; "
        + "for a command line, set 'shell: true'"
    }
    if builtins.contains(program) {
      let folder = program == "cd" ? "set the folder with 'directory', or " : ""
      return ": it is a shell command; \(folder)set 'shell: true'"
    }
    if program.utf8.contains(UInt8(ascii: "=")) {
      return ": set variables in 'env', or set 'shell: true'"
    }
    if program.utf8.contains(UInt8(ascii: "/")) { return "" }
    return command.path == nil ? " in the PATH of flow" : " in the PATH that 'env' sets"
  }

  /// Returns a note about an argument meant for a shell, or nil.
  static func note(on command: Command, _ result: ProcessResult) -> String? {
    guard !command.isShell, !readers.contains(command.name) else { return nil }
    let words = command.arguments.dropFirst()
    let word =
      words.first { operators.contains($0) }
      // A program with its own use for such a word succeeds.
      ?? (result.status == 0 ? nil : words.first(where: isExpanded))
    guard let word else { return nil }
    return
      "'\(command.name)' got the word '\(word)' unchanged; a shell interprets it only with 'shell: true'"
  }

  /// Returns true if a shell would expand a word.
  private static func isExpanded(_ word: String) -> Bool {
    if word == "~" || word.utf8.starts(with: "~/".utf8) { return true }
    if word.utf8.first == UInt8(ascii: "$") { return word.utf8.count > 1 }
    // An option may contain its own pattern.
    return word.utf8.first != UInt8(ascii: "-") && word.utf8.contains { "*?".utf8.contains($0) }
  }
}

extension Command {
  /// The last part of the program's path, as messages name it.
  var name: String {
    if isShell { return "sh" }
    let last = arguments[0].utf8.split(separator: UInt8(ascii: "/")).last
    return last.map { String(decoding: $0, as: UTF8.self) } ?? arguments[0]
  }
}
