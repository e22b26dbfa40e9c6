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
  /// This is the whole `main.swift` of a `flow` with custom components.
  public static func main(_ components: [any Component.Type]) async -> Never {
    let process = ProcessEnvironment.current()
    // A worker for each processor, a thread that wakes them, and one for a run restricted to a
    // single thread.
    guard allowsThreads(process.coreCount + 2) else {
      process.say(
        "cannot start threads; the limit of memory or processes is too small")
      exit(ExitCode.internalError.rawValue)
    }
    do {
      let flow = FlowCommand(registry: try Registry(onDemand: components), process: process)
      exit(await flow.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    } catch {
      process.say("\(error)")
      exit(ExitCode.internalError.rawValue)
    }
  }
}

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

  /// All commands, in the order of `flow --help`.
  static let all: [Command] = [
    .initialize, .run, .test, .merge, .export, .watch, .resume, .replay, .diff, .transcript,
    .journal, .mutate, .explore, .report, .check, .graph, .config, .explain, .list, .importing,
    .new,
    .completions, .help,
  ]

  static func named(_ name: String) throws(UsageError) -> Command {
    if let command = all.first(where: { $0.syntax.name == name }) { return command }
    if name.hasPrefix("-") { throw .unknownOption(name, known: ["--help", "--version"]) }
    throw .unknownCommand(name, known: all.map(\.syntax.name))
  }

  static var overview: String { HelpText.overview(of: all.map(\.syntax)) }
}

#if canImport(Glibc) || canImport(Musl)
  /// Returns true if the system allows this process so many more threads at once.
  ///
  /// If a limit of memory or processes (`ulimit -v`, `ulimit -u`) is too small, libdispatch
  /// silently starts no worker, and a run would wait forever for its tasks.
  private func allowsThreads(_ count: Int) -> Bool {
    guard hasTightLimit else { return true }
    var gate: [CInt] = [0, 0]
    guard unsafe pipe(&gate) == 0 else { return false }
    var threads: [pthread_t] = []
    while threads.count < count, let thread = waitingThread(gate[0]) { threads.append(thread) }
    // Closing the pipe ends all threads.
    close(gate[1])
    for thread in threads { pthread_join(thread, nil) }
    close(gate[0])
    return threads.count == count
  }

  /// True if a limit is set that may be too small.
  ///
  /// A trial costs more than the start of `flow` should.
  private var hasTightLimit: Bool {
    // RLIMIT_NPROC and RLIMIT_AS of <asm-generic/resource.h>, macros and enumerators with other
    // types in Swift.
    let limits: [(CInt, rlim_t)] = [(6, 1_000), (9, 1 << 30)]
    return limits.contains { resource, enough in
      var limit = rlimit()
      return unsafe getrlimit(resource, &limit) != 0 || limit.rlim_cur < enough
    }
  }

  /// Starts a thread that ends when a pipe is closed for writing, or returns nil if the system
  /// refuses it.
  private func waitingThread(_ descriptor: CInt) -> pthread_t? {
    var thread = pthread_t()
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor))
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        var byte: UInt8 = 0
        _ = unsafe read(CInt(Int(bitPattern: argument)), &byte, 1)
        return nil
      }, argument)
    return failure == 0 ? thread : nil
  }
#else
  /// The kernel starts the workers on this system, so no trial is needed.
  private func allowsThreads(_ count: Int) -> Bool { true }
#endif
