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
        "Waits until a started program accepts connections, responds, or writes a line or prompt.",
        input: ConditionInput.record,
        answers: Record<String?>(
          "line", "The line with the text, without its line break. Absent for a port or URL."),
        errors: [.invalid, .unknown, .ended, .taken], retry: .safe
      ) { processes, context, input in
        try await processes.wait(for: Condition(input), input.name, context)
      },
      Operation(
        "wait_for_end", "Waits until a started program ends, and returns its result.", name,
        answers: ProcessResult.ofStopped, errors: [.unknown, .unwritable], retry: .safe
      ) { processes, context, name in try await processes.waitForEnd(of: name, context) },
      Operation(
        "stop", "Stops a started program and returns its result.", name,
        answers: ProcessResult.ofStopped, errors: [.unknown, .unwritable]
      ) { processes, context, name in try await processes.stop(name, context) },
      Operation(
        "signal", "Sends a signal to a started program.", name,
        Parameter<String>("signal", "The signal, such as HUP or USR1.", examples: ["HUP"]),
        Parameter<Bool>(
          "group", "Also sends it to the programs that the program has started.", default: false),
        answers: .none, errors: [.invalid, .unknown, .ended]
      ) { processes, _, name, signal, group in
        try await processes.send(SignalName.number(of: signal), toGroup: group, to: name)
      }
      .checking { input in
        if case .string(let name)? = input["signal"] { _ = try SignalName.number(of: name) }
      },
      Operation(
        "type", "Types text on the terminal of a started program.", name,
        Parameter<String>("text", "The text. A line ends with \\n, as by the key Enter."),
        answers: .none, errors: [.invalid, .unknown, .ended]
      ) { processes, _, name, text in try await processes.type(text, on: name) },
    ]
  ) { context, restarts in try await Processes(context, restarts: restarts) }

  static let name = Parameter<String>("name", "The name from 'start'.")

  private let watcher = Watcher()
  private var started: [String: Child] = [:]
  /// The inputs of the started programs, by their names.
  private var inputs: [String: StartInput] = [:]
  private let notes: StartedNotes
  /// The place for programs that go on after the run, or nil if all end with it.
  private let keeper: PartKeeper?
  /// The programs of the run before that no step has started again.
  private let kept: KeptPrograms

  /// Creates a component with no running programs, except those left by a killed process of the
  /// run.
  private init(_ context: Context, restarts: Bool) async throws {
    notes = StartedNotes(of: context)
    keeper = context.keeper
    kept = keeper?.take() as? KeptPrograms ?? KeptPrograms()
    // A program started again needs its port. Otherwise the rest of the run needs those still
    // running.
    if restarts { await notes.endOrphans(context) }
  }

  private func run(_ input: CommandInput, _ context: Context) async throws -> ProcessResult {
    let command = try Command(
      try input.onClock(in: context), in: context.directory, without: context.secrets.variables
    )
    .shown(in: context).inForeground(input, of: context)
    let call = context.idempotencyKey
    await notes.endOrphans(named: call, context)
    return try await context.outside { [watcher, notes] in
      try Task.checkCancellation()
      let child = try Child(command, in: watcher)
      child.watch(isShort: command.input == nil)
      // Most end before a killed run could be resumed.
      let note = Task {
        try await Task.sleep(for: .milliseconds(50))
        notes.add(child, named: call)
      }
      let result = await child.end(stoppedAfter: command.grace)
      note.cancel()
      _ = await note.result
      notes.remove(named: call)
      command.foreground?.note(status: result.status)
      if Task.isCancelled {
        // The last lines often show the reason for a program that ran out of time.
        for line in child.lastLines { context.log(shown: "'\(command.name)' wrote: \(line)") }
      }
      try Task.checkCancellation()
      if let note = ShellHints.note(on: command, result) { context.log(note) }
      if let error = child.outputFailure { throw ProcessError.unwritable(error) }
      return result
    }
  }

  private func start(_ input: StartInput, _ context: Context) async throws -> Int {
    let command = try Command(
      try input.command.onClock(in: context), in: context.directory,
      without: context.secrets.variables
    ).shown(in: context)
    await notes.endOrphans(named: input.name, context)
    let running = kept.take(input)
    await kept.end(named: input.name)
    if let child = started[input.name], child.result == nil {
      throw ProcessError.running(input.name)
    }
    started[input.name]?.takeEnd()
    let bond = Child.Bond(pace: context.followRealTime()) { end, lastLines in
      context.failAtEnd(
        ComponentError(.ended, "'\(input.name)' \(end), and no step asked for its end"),
        notes: lastLines.map { "'\(input.name)' wrote: \($0)" })
    }
    let child: Child
    if let running, running.join(bond) {
      child = running
    } else {
      child = try Child(command, in: watcher, besides: LocalPort.listeners, bond: bond)
      child.watch(isShort: false)
    }
    (started[input.name], inputs[input.name]) = (child, input)
    notes.add(child, named: input.name)
    return Int(child.pid)
  }

  private func wait(
    for condition: Condition, _ name: String, _ context: Context
  ) async throws -> String? {
    let child = try child(name)
    if case .prompt = condition, !child.hasTerminal { throw ProcessError.noTerminal(name) }
    return try await tellingEnd(of: child, name, context) {
      switch condition {
      case .port(let port, let anyone):
        try await child.wait(for: port, anyone: anyone, name)
        return nil
      case .line(let text): return try await child.wait(forLine: text, name)
      case .prompt(let text): return try await child.wait(forPrompt: text, name)
      case .url(let url, let anyone):
        try await child.wait(forAnswerFrom: url, anyone: anyone, name)
        return nil
      }
    }
  }

  private func waitForEnd(of name: String, _ context: Context) async throws -> ProcessResult {
    let child = try child(name)
    let result = try await loggingOutput(of: child, name, context) { try await child.wait() }
    child.takeEnd()
    if let error = child.outputFailure { throw ProcessError.unwritable(error) }
    return result
  }

  /// Waits as `loggingOutput` does, for something that the end of the program makes impossible.
  ///
  /// The error then tells of the end, so that nothing else has to.
  private func tellingEnd<Result: Sendable>(
    of child: Child, _ name: String, _ context: Context,
    _ wait: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    do { return try await loggingOutput(of: child, name, context, wait) } catch {
      if case ProcessError.ended = error { child.takeEnd() }
      throw error
    }
  }

  /// Waits outside of the run's time, and logs the last lines of a program if that fails.
  ///
  /// They often show the reason, even when the step's timeout ends the wait.
  private func loggingOutput<Result: Sendable>(
    of child: Child, _ name: String, _ context: Context,
    _ wait: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    do { return try await context.outside(wait) } catch {
      for line in child.lastLines { context.log(shown: "'\(name)' wrote: \(line)") }
      throw error
    }
  }

  private func send(_ signal: Int32, toGroup: Bool, to name: String) throws {
    let child = try child(name)
    guard child.send(signal, toGroup: toGroup) else { throw hasEnded(child, name) }
  }

  private func type(_ text: String, on name: String) throws {
    let child = try child(name)
    guard child.hasTerminal else { throw ProcessError.noTerminal(name) }
    guard child.type(text) else { throw hasEnded(child, name) }
  }

  /// Returns the error of a program that has ended, which tells of its end.
  private func hasEnded(_ child: Child, _ name: String) -> ProcessError {
    child.takeEnd()
    return .ended(name, how: "has ended")
  }

  private func stop(_ name: String, _ context: Context) async throws -> ProcessResult {
    let child = try child(name)
    let result = await context.outside {
      child.stop()
      // A caller without time left skips the rest of the grace period.
      return await child.end(stoppedAfter: .zero)
    }
    child.takeEnd()
    try Task.checkCancellation()
    if let error = child.outputFailure { throw ProcessError.unwritable(error) }
    return result
  }

  private func child(_ name: String) throws(ProcessError) -> Child {
    guard let child = started[name] else { throw .unknown(name) }
    return child
  }

  /// Notes the programs that have ended by themselves just now.
  public func prepareToClose() async {
    // All are looked at first: the end of one may end another.
    let ending = started.values.filter { $0.isEndingBefore() }
    for child in ending { _ = await child.end(stoppedAfter: .zero) }
  }

  /// Stops all started programs, including those left by a killed process of the run.
  ///
  /// A keeper gets those that run.
  public func close() async {
    if let keeper { leaveRunning(with: keeper) }
    let children = started.values
    started = [:]
    for child in children { child.stop() }
    for child in children { _ = await child.end(stoppedAfter: .zero) }
    await notes.close()
  }

  private func leaveRunning(with keeper: PartKeeper) {
    // A run that failed early has not come to the start of all.
    var programs = kept.takeAll()
    for (name, child) in started where child.leave() {
      started[name] = nil
      programs[name] = inputs[name].map { KeptPrograms.Program(child: child, input: $0) }
    }
    if !programs.isEmpty { keeper.leave(KeptPrograms(programs)) }
  }
}
