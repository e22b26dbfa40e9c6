public import FlowCore
internal import FlowRedaction

/// The command line of `flow`, over any list of components.
///
///     let registry = try Registry([Balance.self, Catalog.self])
///     let code = await FlowCommand(registry: registry, world: world).run(["check", "shop.yaml"])
public struct FlowCommand: Sendable {
  /// The version that `flow --version` prints.
  public static let version = CommandContext.version

  private let registry: Registry
  private let world: CommandWorld

  /// A command line over these components.
  public init(registry: Registry, world: CommandWorld) {
    self.registry = registry
    self.world = world
  }

  /// Does what the arguments say; the first of them is the command's name.
  public func run(_ arguments: [String]) async -> ExitCode {
    let redactor = Redactor()
    let world = world.redacted(by: redactor)
    let context = CommandContext(registry: registry, world: world, redactor: redactor)
    do throws(UsageError) {
      let code = try await dispatch(arguments, context)
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

  private func dispatch(
    _ arguments: [String], _ context: CommandContext
  ) async throws(UsageError) -> ExitCode {
    let world = context.world
    guard let name = arguments.first else {
      world.errorOutput(Command.overview)
      return .badCommandLine
    }
    switch name {
    case "--help", "-h":
      world.output(Command.overview)
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
      return try await command.run(context, parsed)
    }
  }
}
