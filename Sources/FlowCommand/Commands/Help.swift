internal import FlowCore

extension Command {
  static let help = Command(
    syntax: CommandSyntax(
      name: "help", summary: "Prints help for flow or for one command.",
      operands: .upToOne("COMMAND"),
      options: [
        Option("man", .none, "Prints the manual page, for man."),
        Option(
          "markdown", .required("PAGE"),
          "Prints a page of the reference: \(ReferencePage.names.alternatives).",
          completion: .words(ReferencePage.names)),
      ],
      details: """
        The page of plugins has the plugins of this flow, so a flow of your own documents yours.

          flow help --man > ~/.local/share/man/man1/flow.1
          flow help --markdown plugins > plugins.md
        """)
  ) { (flow, arguments) throws(UsageError) in
    let page = try arguments.only("markdown")
    if arguments.has("man") || page != nil {
      if let name = arguments.operands.first { throw .unwantedOperand(name) }
      if arguments.has("man"), page != nil { throw .conflict(option: "man", with: "markdown") }
      guard let page else {
        flow.process.documentOutput(
          ManualPage.text(of: all.map(\.syntax), CommandContext.version))
        return .passed
      }
      return try flow.print(page: page)
    }
    guard let name = arguments.operands.first else {
      flow.process.output(overview)
      return .passed
    }
    flow.process.output(HelpText.of(try named(name).syntax))
    return .passed
  }
}

extension CommandContext {
  /// Prints a page of the reference.
  fileprivate func print(page: String) throws(UsageError) -> ExitCode {
    guard let reference = ReferencePage(rawValue: page) else {
      throw .malformed(
        option: "markdown", value: page, expected: ReferencePage.names.alternatives)
    }
    do throws(RegistryError) {
      process.documentOutput(try reference.text(registry))
      return .passed
    } catch {
      return unusable(error)
    }
  }
}
