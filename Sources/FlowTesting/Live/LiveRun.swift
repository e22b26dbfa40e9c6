internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// A run of a plan on components, in real or in virtual time.
struct LiveRun: Sendable {
  let plan: Plan
  let options: LiveOptions
  /// The run's time; nil for real time.
  let time: VirtualTime?
  /// Finds the secrets that components ask for by name.
  var secret: @Sendable (String) -> String?
  /// What the components did through their contexts.
  let log = ContextLog()
  /// Who hides the secrets of the run.
  let redactor: Redactor
  private let recording: MemoryRecording

  /// A run that has not begun.
  init(of plan: Plan, _ options: LiveOptions, redactor: Redactor = Redactor()) {
    self.plan = plan
    self.redactor = redactor
    self.options = options
    time = options.isVirtualTime ? VirtualTime() : nil
    secret = { options.secrets[$0] }
    recording = MemoryRecording(of: plan)
  }

  /// The transcript so far; whole when the run has ended.
  var recorded: RecordedRun { recording.run }

  /// Runs, and tells these sinks besides its own recording.
  func run(inputs: [Value], _ sinks: [any EventSink] = []) async -> RunResult {
    let sinks = EventSinks([recording.recorder] + sinks, redactor: redactor)
    let caller = LiveCaller(
      componentCount: plan.components.count, options: services, sinks: sinks,
      events: EventQueue(plan))
    let runner =
      time.map {
        Runner(plan: plan, caller: caller, sinks: sinks, seed: options.seed, virtualTime: $0)
      } ?? Runner(plan: plan, caller: caller, sinks: sinks, seed: options.seed)
    return await runner.run(inputs: inputs)
  }

  /// What the components find around them.
  private var services: ContextServices.Options {
    var services = ContextServices.Options(directory: Directory(Path.folder(of: plan.file)))
    services.seed = options.seed
    // A new name for every run, so that no two runs share an idempotency key.
    services.run = "\(plan.digest)/\(UInt64.random(in: .min ... .max))"
    services.document = DocumentReader.read
    services.secrets = Secrets(redactor: redactor) { [log, secret] name in
      log.ask(for: name)
      return secret(name)
    }
    services.log = { [log, redactor] address, text in
      log.append(ContextLog.Line(address: address, text: redactor.redacted(text)))
    }
    if let time {
      services.clock = time.clock
      services.tasks = SpawnedTasks(executor: time)
    }
    services.date = date
    return services
  }

  /// The date of the run: the one it begins with, and the time since.
  private var date: @Sendable () -> Timestamp {
    let begin = options.date ?? SystemTime.now()
    if let clock = time?.clock {
      return { begin.advanced(by: clock.now.offset) ?? begin }
    }
    guard options.date != nil else { return SystemTime.now }
    let start = ContinuousClock.now
    return { begin.advanced(by: start.duration(to: .now)) ?? begin }
  }
}
