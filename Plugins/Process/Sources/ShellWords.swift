/// What people write for a shell, and what becomes of it where none reads it.
enum ShellWords {
  /// What a shell does by itself, and no program does for another.
  private static let builtins: Set = [
    "alias", "cd", "eval", "exec", "export", "read", "set", "source", "trap", "ulimit", "umask",
    "unset", "wait",
  ]
  private static let operators: Set = [
    "&&", "||", "|", ">", ">>", "<", "<<", "2>", "2>>", "2>&1", ">&2", "&>", "&",
  ]
  /// Programs to which such a word mostly says something.
  private static let readers: Set = [
    "[", "awk", "column", "cut", "expr", "find", "grep", "jq", "paste", "sed", "sort", "test", "tr",
  ]

  /// Where a program was looked for that is not there, and what may be meant.
  static func advice(onMissing command: Command) -> String {
    let program = command.arguments[0]
    if program.unicodeScalars.contains(where: \.properties.isWhitespace) {
      return ": one word is one element, as in argv: [ls, -l]; "
        + "a shell reads a command line with 'shell: true'"
    }
    if builtins.contains(program) {
      let folder = program == "cd" ? "'directory' says where a program runs; " : ""
      return ": it is a command of shells; \(folder)one reads a command line with 'shell: true'"
    }
    if program.utf8.contains(UInt8(ascii: "=")) {
      return ": variables are set in 'env', or by a shell with 'shell: true'"
    }
    if program.utf8.contains(UInt8(ascii: "/")) { return "" }
    return command.path == nil ? " in the PATH of flow" : " in the PATH that 'env' sets"
  }

  /// What a program may have got that was written for a shell; nil for nothing.
  static func note(on command: Command, _ result: ProcessResult) -> String? {
    guard !command.isShell, !readers.contains(command.name) else { return nil }
    let words = command.arguments.dropFirst()
    let word =
      words.first { operators.contains($0) }
      // A program that finds its own use for one succeeds.
      ?? (result.status == 0 ? nil : words.first(where: isExpanded))
    guard let word else { return nil }
    return "'\(command.name)' got the word '\(word)' as it is: a shell reads it with 'shell: true'"
  }

  /// Whether a shell would put something else in the place of a word.
  private static func isExpanded(_ word: String) -> Bool {
    if word == "~" || word.utf8.starts(with: "~/".utf8) { return true }
    if word.utf8.first == UInt8(ascii: "$") { return word.utf8.count > 1 }
    // An option with a pattern of its own.
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
