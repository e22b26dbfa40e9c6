public import FlowCore

/// Programs, run to their end or started and stopped.
///
/// `Child` is one of them, and `Watcher` waits for all of them. This type connects them to
/// scenarios.
public actor Processes: Component {
  /// The name in `plugin:`.
  public static let pluginName = "process"

  /// The plugin `process`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Runs programs, and starts and stops servers.",
    state: { $0 ? .memory : .external }, reaches: [.process, .files],
    settings: Parameter<Bool>(
      "restart", "Repeats all calls when a run is resumed, so that programs start again.",
      default: false),
    operations: [
      Operation(
        "run", "Runs a program and waits until it ends.", input: CommandInput.record,
        answers: ProcessResult.record, errors: [.invalid, .notFound, .startFailed, .unwritable]
      ) { processes, context, input in try await processes.run(input, context) },
      Operation(
        "start", "Starts a program in the background. It is stopped at the end of the run.",
        input: StartInput.record,
        answers: Record<Int>("pid", "The process id.", volatile: true),
        errors: [.invalid, .notFound, .startFailed, .unwritable, .running]
      ) { processes, context, input in try await processes.start(input, context) },
      Operation(
        "wait_for",
        "Waits until a started program accepts connections, responds, or writes a line.", name,
        Parameter<Int?>("port", "A local TCP port that must accept connections."),
        Parameter<String?>("line", "Text that a line of the output must contain."),
        Parameter<String?>(
          "url",
          "A local URL that must respond with a status from 200 to 399, such as http://localhost:8080/."
        ),
        Parameter<Bool?>(
          "anyone", "Accepts another program on the port, such as the proxy of a container."),
        answers: Record<String?>(
          "line", "The line with the text, without its line break. Absent for a port or URL."),
        errors: [.invalid, .unknown, .ended, .taken], retry: .safe
      ) { processes, context, name, port, line, url, anyone in
        let condition = try Condition(port: port, line: line, url: url, anyone: anyone)
        return try await processes.wait(for: condition, name, context)
      },
      Operation(
        "stop", "Stops a started program and returns its result.", name,
        answers: ProcessResult.ofStopped, errors: [.unknown, .unwritable]
      ) { processes, context, name in try await processes.stop(name, context) },
    ]
  ) { context, restarts in try await Processes(context, restarts: restarts) }

  static let name = Parameter<String>("name", "The name from 'start'.")

  private let watcher = Watcher()
  private var started: [String: Child] = [:]
  private let notes: StartedNotes

  /// Creates a component with no running programs, except those left by a killed process of the
  /// run.
  private init(_ context: Context, restarts: Bool) async throws {
    notes = StartedNotes(of: context)
    // A program started again needs its port. Otherwise the rest of the run needs those still
    // running.
    if restarts { await notes.endOrphans(context) }
  }

  private func run(_ input: CommandInput, _ context: Context) async throws -> ProcessResult {
    let command = try Command(input, in: context.directory, without: context.secrets.variables)
      .shown(in: context)
    return try await context.outside { [watcher] in
      try Task.checkCancellation()
      let child = try Child(command, in: watcher)
      child.watch(isShort: command.input == nil)
      let result = await child.end(stoppedAfter: command.grace)
      if Task.isCancelled {
        // The last lines often show the reason for a program that ran out of time.
        for line in child.lastLines { context.log(shown: "'\(command.name)' wrote: \(line)") }
      }
      try Task.checkCancellation()
      if let note = ShellWords.note(on: command, result) { context.log(note) }
      if let error = child.outputFailure { throw ProcessError.unwritable(error) }
      return result
    }
  }

  private func start(_ input: StartInput, _ context: Context) async throws -> Int {
    let command = try Command(
      input.command, in: context.directory, without: context.secrets.variables
    ).shown(in: context)
    await notes.endOrphans(named: input.name, context)
    if let child = started[input.name], child.result == nil {
      throw ProcessError.running(input.name)
    }
    let child = try Child(
      command, in: watcher, besides: LocalPort.listeners, pace: context.followRealTime())
    child.watch(isShort: false)
    started[input.name] = child
    await notes.write(started)
    return Int(child.pid)
  }

  private func wait(
    for condition: Condition, _ name: String, _ context: Context
  ) async throws -> String? {
    let child = try child(name)
    do {
      return try await context.outside {
        switch condition {
        case .port(let port, let anyone):
          try await child.wait(for: port, anyone: anyone, name)
          return nil
        case .line(let text): return try await child.wait(forLine: text, name)
        case .url(let url, let anyone):
          try await child.wait(forAnswerFrom: url, anyone: anyone, name)
          return nil
        }
      }
    } catch {
      // They often show the reason, even when the step's timeout ends the wait.
      for line in child.lastLines { context.log(shown: "'\(name)' wrote: \(line)") }
      throw error
    }
  }

  private func stop(_ name: String, _ context: Context) async throws -> ProcessResult {
    let child = try child(name)
    let result = await context.outside {
      child.stop()
      // A caller without time left skips the rest of the grace period.
      return await child.end(stoppedAfter: .zero)
    }
    try Task.checkCancellation()
    if let error = child.outputFailure { throw ProcessError.unwritable(error) }
    return result
  }

  private func child(_ name: String) throws(ProcessError) -> Child {
    guard let child = started[name] else { throw .unknown(name) }
    return child
  }

  /// Stops all started programs, including those left by a killed process of the run.
  public func close() async {
    let children = started.values
    started = [:]
    for child in children { child.stop() }
    for child in children { _ = await child.end(stoppedAfter: .zero) }
    await notes.close()
  }
}

/// The answer of `run` and `stop`.
struct ProcessResult: Sendable, Hashable {
  var status: Int
  var signal: String?
  var stdout: String
  var stderr: String
  var truncated: Bool
  var elapsed: Duration

  /// The answer of `run`.
  static let record = record(output: .always)

  /// The answer of `stop`.
  ///
  /// The output of a server is a log with its process number, its clients' ports and the time.
  static let ofStopped = record(output: .whenRead)

  private static func record(output comparison: FieldComparison) -> Record<ProcessResult> {
    Record(
      ProcessResult.init(status:signal:stdout:stderr:truncated:elapsed:),
      Field("status", \.status, "The exit code. After a signal, 128 plus its number."),
      Field("signal", \.signal, "The signal that ended the program, such as SIGTERM."),
      Field("stdout", \.stdout, "The standard output.", compared: comparison, log: true),
      Field("stderr", \.stderr, "The standard error.", compared: comparison, log: true),
      Field("truncated", \.truncated, "True if an output was cut off at 'limit'."),
      Field("elapsed", \.elapsed, "The running time.", volatile: true))
  }
}
