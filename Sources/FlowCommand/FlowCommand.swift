public import FlowCore

/// The command line of `flow`, over any list of components.
///
///     let registry = try Registry([Balance.self, Catalog.self])
///     let code = await FlowCommand(registry: registry, world: world).run(["check", "shop.yaml"])
public struct FlowCommand: Sendable {
  /// The version that `flow --version` prints.
  public static let version = "0.1.0"

  let registry: Registry
  let world: CommandWorld

  /// A command line over these components.
  public init(registry: Registry, world: CommandWorld) {
    self.registry = registry
    self.world = world
  }

  /// Does what the arguments say; the first of them is the command's name.
  public func run(_ arguments: [String]) async -> ExitCode {
    do throws(UsageError) {
      let code = try await dispatch(arguments)
      guard world.lostOutput() else { return code }
      world.errorOutput("flow: standard output cannot be written\n")
      return .cannotWrite
    } catch {
      let command = arguments.first.flatMap { name in
        Command.all.first { $0.syntax.name == name }?.syntax.name
      }
      let help = command.map { "flow help \($0)" } ?? "flow --help"
      world.errorOutput("flow: \(error.message)\nsee '\(help)'\n")
      return .badCommandLine
    }
  }

  private func dispatch(_ arguments: [String]) async throws(UsageError) -> ExitCode {
    guard let name = arguments.first else {
      world.errorOutput(HelpText.overview)
      return .badCommandLine
    }
    switch name {
    case "--help", "-h":
      world.output(HelpText.overview)
      return .passed
    case "--version":
      world.output("flow \(Self.version)\n")
      return .passed
    default:
      let command = try Command.named(name)
      let parsed = try ArgumentParser(syntax: command.syntax).parse(Array(arguments.dropFirst()))
      if parsed.has("help") {
        world.output(HelpText.of(command.syntax))
        return .passed
      }
      return try await command.run(self, parsed)
    }
  }
}

/// One command: what it takes and what it does.
struct Command: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (FlowCommand, ParsedArguments) async throws(UsageError) -> ExitCode

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
}
