/// The reference of all commands with their options, and of exit codes, variables and files.
enum CommandReference {
  static func text(of commands: [CommandSyntax]) -> String {
    let overview = commands.map { syntax in
      let title = "flow \(syntax.name)"
      return [
        "[\(title)](#\(ReferenceText.anchor(title)))", ReferenceText.prose(syntax.summary),
      ]
    }
    return ReferenceText.table(["command", ""], overview)
      + commands.map { "\n" + section($0) }.joined()
      + terms("Exit codes", "code", ExitCode.meanings.map { ("\($0.code.rawValue)", $0.meaning) })
      + terms("Environment", "variable", ManualPage.environment)
      + terms("Files", "file", ManualPage.files)
  }

  private static func section(_ syntax: CommandSyntax) -> String {
    let usage = "flow \(syntax.name)\(syntax.operands.usage)"
    let options = ReferenceText.table(
      ["option", ""],
      syntax.options.map { ["`\($0.usage)`", ReferenceText.prose($0.summary)] })
    return "## flow \(syntax.name)\n\n" + ReferenceText.paragraph(syntax.summary) + "\n"
      + ReferenceText.block(usage + (options.isEmpty ? "" : " [OPTIONS]"))
      + (options.isEmpty ? "" : "\n\(options)")
      + syntax.paragraphs.map { text, keepsLines in
        "\n" + (keepsLines ? ReferenceText.block(text) : ReferenceText.paragraph(text))
      }.joined()
  }

  private static func terms(
    _ title: String, _ head: String, _ terms: [(String, String)]
  ) -> String {
    "\n## \(title)\n\n"
      + ReferenceText.table(
        [head, "meaning"], terms.map { ["`\($0)`", ReferenceText.prose($1)] })
  }
}
