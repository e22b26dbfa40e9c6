internal import FlowCore

extension Command {
  /// `flow help [COMMAND]`.
  static let help = Command(
    syntax: CommandSyntax(
      name: "help", summary: "Explains flow, or one command.", operands: .upToOne("COMMAND"),
      options: [], details: "")
  ) { (flow, arguments) throws(UsageError) in
    guard let name = arguments.operands.first else {
      flow.world.output(overview)
      return .passed
    }
    flow.world.output(HelpText.of(try named(name).syntax))
    return .passed
  }

  /// All commands, in the order of `flow --help`.
  static let all: [Command] = [
    .run, .test, .resume, .replay, .diff, .transcript, .mutate, .check, .graph, .config,
    .explain, .list, .help,
  ]

  static func named(_ name: String) throws(UsageError) -> Command {
    if let command = all.first(where: { $0.syntax.name == name }) { return command }
    if name.hasPrefix("-") {
      let near = Suggestion.nearest(to: name, among: ["--help", "--version"])
      throw .unknownOption(name, near: near)
    }
    throw .unknownCommand(name, near: Suggestion.nearest(to: name, among: all.map(\.syntax.name)))
  }

  /// The text of `flow --help`.
  static var overview: String { HelpText.overview(of: all.map(\.syntax)) }
}
