public import FlowCore
internal import FlowRedaction
internal import FlowSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The command line of `flow`, over any list of components.
///
///     let registry = try Registry([Balance.self, Catalog.self])
///     let code = await FlowCommand(registry: registry, process: process).run(["check", "shop.yaml"])
public struct FlowCommand: Sendable {
  /// The version printed by `flow --version`.
  public static let version = CommandContext.version

  private let registry: Registry
  private let process: ProcessEnvironment

  /// Creates a command line for these components.
  public init(registry: Registry, process: ProcessEnvironment) {
    self.registry = registry
    self.process = process
  }

  /// Runs the command named by the first argument with the other arguments.
  public func run(_ arguments: [String]) async -> ExitCode {
    let redactor = Redactor()
    let process = process.hidingPasswords(in: arguments).redacted(by: redactor)
    let context = CommandContext(registry: registry, process: process, redactor: redactor)
    do throws(UsageError) {
      let code = try await dispatch(arguments, context)
      guard process.lostOutput() else { return code }
      process.say("standard output cannot be written")
      return .cannotWrite
    } catch {
      let command = arguments.first.flatMap { name in
        Command.all.first { $0.syntax.name == name }?.syntax.name
      }
      let help = command.map { "flow help \($0)" } ?? "flow --help"
      process.say("\(error.message.onOneLine)\nsee '\(help)'")
      return .badCommandLine
    }
  }

  private func dispatch(
    _ arguments: [String], _ context: CommandContext
  ) async throws(UsageError) -> ExitCode {
    let process = context.process
    guard let name = arguments.first else {
      process.errorOutput(Command.overview)
      return .badCommandLine
    }
    switch name {
    case "--help", "-h":
      process.output(Command.overview)
      return .passed
    case "--version":
      // Other libraries, such as libcurl, are loaded when a component first needs them.
      let libraries = SharedLibraries.names.map { "  \($0)\n" }.joined()
      process.output(
        "flow \(Self.version)\n" + (libraries.isEmpty ? "" : "linked with\n" + libraries))
      return .passed
    default:
      let command = try Command.named(name)
      let parsed = try ArgumentParser(syntax: command.syntax).parse(Array(arguments.dropFirst()))
      if parsed.has("help") {
        process.output(HelpText.of(command.syntax))
        return .passed
      }
      var context = context
      context.permissions = try Permissions(parsed)
      return try await command.run(context, parsed)
    }
  }

  /// Runs the command in the arguments of the process, with these components, and ends the process.
  ///
  ///     await FlowCommand.main([Weather.self])
  ///
  /// This is the whole `main.swift` of a `flow` with custom components. `families` are the kinds of
  /// plugins that projects can declare in `flow.yaml`.
  public static func main(
    _ components: [any Component.Type], families: [any PluginFamily.Type] = []
  ) async -> Never {
    let process = ProcessEnvironment.current()
    // A worker for each processor, a thread that wakes them, and one for a run restricted to a
    // single thread.
    guard allowsThreads(process.coreCount + 2) else {
      process.say(
        "cannot start threads; the limit of memory or processes is too small")
      exit(ExitCode.internalError.rawValue)
    }
    do {
      let registry = try Registry(onDemand: components, families: families)
      let flow = FlowCommand(registry: registry, process: process)
      exit(await flow.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    } catch {
      process.say("\(error)")
      exit(ExitCode.internalError.rawValue)
    }
  }
}

extension Command {
  /// All commands, in the order of `flow --help`.
  static let all: [Command] = [
    .initialize, .run, .test, .merge, .export, .watch, .resume, .replay, .diff, .transcript,
    .journal, .mutate, .explore, .report, .check, .graph, .config, .explain, .list, .importing,
    .new, .plugin, .contract, .completions, .help,
  ]

  static func named(_ name: String) throws(UsageError) -> Command {
    if let command = all.first(where: { $0.syntax.name == name }) { return command }
    if name.hasPrefix("-") { throw .unknownOption(name, known: ["--help", "--version"]) }
    throw .unknownCommand(name, known: all.map(\.syntax.name))
  }

  static var overview: String { HelpText.overview(of: all.map(\.syntax)) }
}
