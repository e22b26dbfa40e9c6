extension Command {
  static let help = Command(
    syntax: CommandSyntax(
      name: "help", summary: "Prints help for flow or for one command.",
      operands: .upToOne("COMMAND"),
      options: [Option("man", .none, "Prints the manual page, for man.")],
      details: """
          flow help --man > ~/.local/share/man/man1/flow.1
        """)
  ) { (flow, arguments) throws(UsageError) in
    if arguments.has("man") {
      if let name = arguments.operands.first { throw .unwantedOperand(name) }
      flow.process.documentOutput(ManualPage.text(of: all.map(\.syntax), CommandContext.version))
      return .passed
    }
    guard let name = arguments.operands.first else {
      flow.process.output(overview)
      return .passed
    }
    flow.process.output(HelpText.of(try named(name).syntax))
    return .passed
  }
}
