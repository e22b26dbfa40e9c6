extension Command {
  /// `flow help [COMMAND]`.
  static let help = Command(
    syntax: CommandSyntax(
      name: "help", summary: "Explains flow, or one command.", operands: .upToOne("COMMAND"),
      options: [], details: "")
  ) { (flow, arguments) throws(UsageError) in
    guard let name = arguments.operands.first else {
      flow.world.output(HelpText.overview)
      return .passed
    }
    flow.world.output(HelpText.of(try Command.named(name).syntax))
    return .passed
  }
}
