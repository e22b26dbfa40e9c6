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

  /// The open files of a small run: the queue of events and its timer, a lock, a journal, a file that
  /// is read, and the pipes of one program.
  private static let leastDescriptors = 16

  private let registry: Registry
  private var process: ProcessEnvironment
  /// The settings of a command inside of another one, or nil.
  private var inner: InnerCommand?

  /// Creates a command line for these components.
  public init(registry: Registry, process: ProcessEnvironment) {
    self.registry = registry
    self.process = process
  }

  /// Runs the command named by the first argument with the other arguments.
  public func run(_ arguments: [String]) async -> ExitCode {
    let redactor = Redactor()
    let verdict = VerdictSink()
    let redacted = process.hidingPasswords(in: arguments).redacted(by: redactor)
    let process = redacted.observed(by: verdict)
    var context = CommandContext(registry: registry, process: process, redactor: redactor)
    context.verdict = verdict
    context.inner = inner
    do throws(UsageError) {
      let code = context.printVerdict(
        context.stopCode.replacing(try await dispatch(arguments, context)))
      guard process.lostOutput() else { return code }
      process.say("standard output cannot be written")
      return .cannotWrite
    } catch {
      let command = arguments.first.flatMap { name in
        Command.all.first { $0.syntax.name == name }?.syntax.name
      }
      let help = command.map { "flow help \($0)" } ?? "flow --help"
      context.expectVerdict(of: command, arguments)
      redacted.say("\(error.message.onOneLine)\nsee '\(help)'")
      verdict.add(code: "usage", redactor.redacted(error.message.onOneLine), next: help)
      return context.printVerdict(.badCommandLine)
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
      process.output("flow \(Self.version)\n")
      return .passed
    case "__complete": return context.complete(Array(arguments.dropFirst()))
    default:
      let command = try Command.named(name)
      let parsed = try ArgumentParser(syntax: command.syntax).parse(Array(arguments.dropFirst()))
      if parsed.has("help") {
        process.output(HelpText.of(command.syntax))
        return .passed
      }
      var context = context
      if command.hasVerdict { try context.expectVerdict(of: command, parsed, arguments) }
      context.permissions = try Permissions(parsed)
      context.isQuiet = parsed.has("quiet")
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
    // A worker for each processor, a thread that wakes them, one for a run restricted to a single
    // thread, and those of components that wait for programs, servers and databases.
    guard allowsThreads(process.coreCount + 8) else {
      process.say(
        "cannot start threads; the limit of memory or processes is too small")
      exit(ExitCode.internalError.rawValue)
    }
    guard allowsDescriptors(leastDescriptors) else {
      process.say(
        "cannot open \(leastDescriptors) files; the limit of open files is too small (ulimit -n)")
      exit(ExitCode.internalError.rawValue)
    }
    async let _ = openTimer()
    do {
      let registry = try Registry(onDemand: components, families: families)
      let flow = FlowCommand(registry: registry, process: process)
      let code = await flow.run(Array(CommandLine.arguments.dropFirst()))
      LibraryLoading.finish()
      exit(code.rawValue)
    } catch {
      process.say("\(error)")
      exit(ExitCode.internalError.rawValue)
    }
  }
}

extension FlowCommand {
  /// Returns the same commands inside of another one, whose short verdicts have at most so many
  /// bytes and which leave the state of projects as it is.
  func leavingState(_ largestVerdict: Int) -> FlowCommand {
    var copy = self
    copy.inner = InnerCommand(largestVerdict: largestVerdict)
    // A job of GitHub shows the results of the outer command.
    copy.process.otherVariable = { [process] name in
      name.hasPrefix("GITHUB_") ? nil : process.otherVariable(name)
    }
    return copy
  }

  /// Returns the same commands with their output kept in memory.
  func capturing(_ captured: CapturedOutput) -> FlowCommand {
    var copy = self
    copy.process = ProcessEnvironment(
      output: { captured.add(output: $0) }, errorOutput: { captured.add(errors: $0) },
      environment: process.environment)
    copy.process.documentOutput = { captured.add(document: $0) }
    copy.process.otherVariable = process.otherVariable
    copy.process.coreCount = process.coreCount
    return copy
  }
}

extension Command {
  /// All commands, in the order of `flow --help`.
  static let all: [Command] = [
    .initialize, .demo, .run, .test, .tape, .merge, .export, .watch, .resume, .replay, .debug,
    .diff, .transcript, .journal, .mutate, .explore, .report, .check, .graph, .config, .explain,
    .list, .schema, .importing, .new, .plugin, .contract, .standIn, .mcp, .lsp, .completions, .help,
  ]

  static func named(_ name: String) throws(UsageError) -> Command {
    // The list of all makes each of them, which the start of the usual ones need not wait for.
    switch name {
    case "run": return .run
    case "test": return .test
    case "replay": return .replay
    case "check": return .check
    default: break
    }
    if let command = all.first(where: { $0.syntax.name == name }) { return command }
    if name.hasPrefix("-") { throw .unknownOption(name, known: ["--help", "--version"]) }
    throw .unknownCommand(name, known: all.map(\.syntax.name))
  }

  static var overview: String { HelpText.overview(of: all.map(\.syntax)) }
}
