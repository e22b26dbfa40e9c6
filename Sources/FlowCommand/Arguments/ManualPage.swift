/// The manual page `flow.1`, written in the macros of man(7).
enum ManualPage {
  /// Returns the page for these commands.
  static func text(of commands: [CommandSyntax], _ version: String) -> String {
    var page = ".TH FLOW 1 \"\" \"flow \(version)\" \"flow\"\n"
    page += section(
      "NAME", "flow \\- runs YAML scenarios, records them, and replays the recordings")
    page += section("SYNOPSIS", ".B flow\n.I COMMAND\n.RI [ ARGUMENTS ]")
    page += section(
      "DESCRIPTION",
      """
      flow runs scenarios, which are written in YAML, against components, records what crossed the
      boundary, and replays the recordings without the components. Options may stand anywhere behind
      the command; what follows
      .B \\-\\-
      is not an option.
      """)
    page += ".SH COMMANDS\n" + commands.map(command).joined()
    page += section(
      "EXIT STATUS", terms(ExitCode.meanings.map { ("\($0.code.rawValue)", $0.meaning) }))
    page += section("ENVIRONMENT", terms(environment)) + section("FILES", terms(files))
    return page
  }

  private static let environment = [
    (
      "CI",
      "Where it is set and not empty, flow test writes no transcript beside a scenario, a scenario "
        + "without one fails unless --live is given, and nothing is redrawn on the terminal."
    ),
    ("FLOW_SECRET_NAME", "The value of the secret 'name'."),
    ("FLOW_UPDATE", "Which transcripts flow test writes, unless --update says so."),
    (
      "FORCE_COLOR",
      "Where it is set and not empty, colours are printed also where a stream is not a terminal."
    ),
    ("NO_COLOR", "Where it is set and not empty, nothing is printed in colours."),
    ("TERM", "With 'dumb', a terminal is shown no colours of itself, and nothing is redrawn."),
  ]

  private static let files = [
    ("flow.yaml", "The project: what is tested, what is hidden, and what a run may reach."),
    ("NAME.transcript.jsonl", "The transcript of the scenario NAME.yaml beside it."),
    ("blobs/", "Large bodies that the transcripts beside it name."),
    (".flow/last-failed", "Which scenarios failed, and how long each took."),
    (".flow/recorded/", "What flow test recorded where CI is set."),
  ]

  private static func section(_ title: String, _ body: String) -> String {
    ".SH \(title)\n" + body + (body.hasSuffix("\n") ? "" : "\n")
  }

  private static func command(_ syntax: CommandSyntax) -> String {
    let options = syntax.options.isEmpty ? "" : " [OPTIONS]"
    return ".SS \(quoted("flow \(syntax.name)\(syntax.operands.usage)\(options)"))\n"
      + escaped(syntax.summary) + "\n" + terms(syntax.options.map { ($0.usage, $0.summary) })
      + syntax.paragraphs.map(paragraph).joined()
  }

  private static func terms(_ terms: [(String, String)]) -> String {
    terms.map { ".TP\n.B \(quoted($0))\n\(escaped($1))\n" }.joined()
  }

  private static func paragraph(_ text: String, keepsLines: Bool) -> String {
    let lines = text.split(separator: "\n").map { escaped(String($0)) + "\n" }.joined()
    return keepsLines ? ".PP\n.nf\n" + lines + ".fi\n" : ".PP\n" + lines
  }

  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
  }

  /// Returns a text escaped for roff.
  ///
  /// Dashes can be copied, and no line starts with a request.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("'", with: "\\(aq").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
    return text.hasPrefix(".") ? "\\&" + text : text
  }
}
