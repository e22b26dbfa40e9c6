/// The text of `flow --help` and `flow help COMMAND`.
enum HelpText {
  static var overview: String {
    var text = """
      flow runs YAML scenarios against components, records them, and replays the recordings.

      usage: flow COMMAND [ARGUMENTS]


      """
    text += columns(Command.all.map { ($0.syntax.name, $0.syntax.summary) })
    text += columns([("--version", "Prints the version."), ("--help", "Prints this help.")])
    return text + """

      exit codes: 0 passed, 1 a scenario failed, 64 bad command line, 65 bad scenario or transcript,
      70 a fault of flow itself, 73 a file cannot be written, 130 interrupted
      'flow help COMMAND' tells more.

      """
  }

  static func of(_ syntax: CommandSyntax) -> String {
    var text = "\(syntax.summary)\n\n"
    text += "usage: flow \(syntax.name)\(syntax.operands.usage)"
    text += syntax.options.isEmpty ? "\n" : " [OPTIONS]\n"
    text += "\n" + columns(syntax.allOptions.map { ($0.usage, $0.summary) })
    return syntax.details.isEmpty ? text : text + "\n" + syntax.details + "\n"
  }

  /// Two columns, the second aligned.
  static func columns(_ rows: [(String, String)]) -> String {
    let width = max(18, rows.map(\.0.count).max() ?? 0)
    return rows.map { first, second in
      let padding = String(repeating: " ", count: width - first.count)
      return "  \(first)\(padding)  \(second)\n"
    }.joined()
  }
}
