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
      flow runs scenarios written in YAML against components, records all calls and answers, and
      replays the recordings without the components. Options may follow the command in any position.
      Arguments after
      .B \\-\\-
      are not options.
      """)
    page += ".SH COMMANDS\n" + commands.map(command).joined()
    page += section(
      "EXIT STATUS", terms(ExitCode.meanings.map { ("\($0.code.rawValue)", $0.meaning) }))
    page += section("ENVIRONMENT", terms(environment)) + section("FILES", terms(files))
    return page
  }

  static let environment = [
    (
      "CI",
      "If not empty, flow test writes no transcript beside a scenario, a scenario without one fails "
        + "unless --live is given, and flow redraws nothing on the terminal."
    ),
    ("FLOW_SECRET_NAME", "The value of the secret 'name'."),
    (
      "FLOW_STAND_IN",
      "The URL of a component 'stand-in', which flow gives to agents and 'flow stand-in' reads."
    ),
    ("FLOW_UPDATE", "The transcripts that flow test writes. --update takes precedence."),
    (
      "FORCE_COLOR",
      "If not empty, prints colours even if the output is not a terminal."
    ),
    ("NO_COLOR", "If not empty, prints no colours."),
    ("TERM", "If 'dumb', prints no colours unless forced, and redraws nothing on the terminal."),
  ]

  static let files = [
    ("flow.yaml", "The settings of the project: scenarios, secrets, and limits of runs."),
    ("NAME.transcript.jsonl", "The transcript of the scenario NAME.yaml in the same folder."),
    ("blobs/", "Large bodies of the transcripts in the same folder."),
    (".flow/last-failed", "The failed scenarios, and the duration of each scenario."),
    (".flow/state/", "Locked by a run that starts from the state of flow.yaml."),
    (".flow/recorded/", "The recordings of flow test under CI."),
    (".flow/scenario.schema.json, .flow/project.schema.json", "Schemas for editors."),
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
