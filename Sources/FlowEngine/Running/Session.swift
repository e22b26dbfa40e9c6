package import FlowCore
package import FlowPlan
package import FlowRedaction
internal import FlowSystem
private import Synchronization

/// The one way to run a plan: on its components, on recorded answers, or on both.
///
/// Owns the shared parts of a run: clock, executor, seed, sinks, and the events awaited by steps.
/// The caller decides on the source of answers: `live` by default, or another one, as for the
/// replay and the resumption of transcripts. One session is one run.
package final class Session: Sendable {
  /// The options of a run.
  ///
  /// Each member has the default of `flow run`.
  package struct Options: Sendable {
    /// The seed of all randomness in the run.
    package var seed: UInt64 = 0
    /// Virtual time, which passes only when nothing is left to do, or nil for real time.
    package var virtualTime: VirtualTime?
    /// True if the tasks of a run in real time share one thread, so the recorded order of starts is
    /// the true one.
    package var sharesThread = false
    /// The clock of a run in real time.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The run's name, the prefix of idempotency keys.
    ///
    /// A new one for nil.
    package var name: String?
    /// The date at the start of the run, or nil for the system's.
    ///
    /// The elapsed time is added to it.
    package var date: Timestamp?
    /// Finds the secrets of components by name.
    ///
    /// None by default.
    package var secret: @Sendable (String) -> String? = { _ in nil }
    /// Receives the redacted log lines of components.
    ///
    /// They are dropped by default.
    package var log: @Sendable (Address, String) -> Void = { _, _ in }
    /// The redactor for all output of the run.
    package var redactor = Redactor()
    /// The schedule and faults of an explored run, written to the transcript.
    ///
    /// The caller applies them.
    package var schedule: Schedule?
    /// True if altered answers may keep programs from what they do otherwise.
    package var hasAlteredAnswers = false
    /// Returns how often a report is delivered, by its event's name.
    ///
    /// Once by default.
    package var deliveries: ReportStreams.Deliveries?
    /// True if the files that components read are noted for the transcript.
    package var notesFiles = false
    /// The files of a recording whose answers are served.
    package var files: [ReadFile] = []
    /// Receives news for a person who watches the run, or nil if nobody does.
    ///
    /// Called on the run's tasks and on threads of components.
    package var watch: (@Sendable (RunNews) -> Void)?
    /// Receives log lines whose text was news before, or nil for `log`.
    package var logOfNews: (@Sendable (Address, String) -> Void)?
    /// The folder that components see, or nil for the folder of the scenario's file.
    package var directory: Directory?
    /// Reads the moments of the run and stops it there, or nil.
    package var gate: (any StepGate)?
    /// The streams of flow for a program of the run, or nil if none may have them.
    package var foreground: Foreground?
    /// Receives the judgement of each step about its answer, before it is made.
    package var noteJudgement: (@Sendable (AnswerJudgement) -> Void)?
    /// The parts of components that outlive the run, or nil if none may.
    package var kept: KeptParts?

    /// The defaults.
    package init() {}
  }

  /// The plan of the run.
  package let plan: Plan
  /// Receives the run's events.
  package let sinks: EventSinks
  /// The clock for waits, timeouts and durations.
  package let clock: any Clock<Duration>
  /// The run's name.
  package let name: String
  /// The reports of components, for the steps that wait for them.
  package let events: EventQueue
  /// The executor of the run's own tasks, or nil for the concurrent pool.
  private let executor: (any TaskExecutor)?
  /// The crossing of the run's calls to components.
  private let boundary: Boundary
  /// The failures of components that may still be withdrawn.
  private let pendingFailures: PendingFailures
  private let options: Options
  /// The files that components read, or nil if they are not noted.
  private let reads: FileReads?
  /// The start of the run, noted when a component asks for the date.
  private let beginning = Beginning()
  /// True if components may be called.
  private let isLive = Atomic(false)
  /// The caller of the components, until the end of the run.
  private let components = Mutex<LiveCaller?>(nil)
  /// The time since the session was made.
  private let elapsed: @Sendable () -> Duration

  /// Creates a run that has not started.
  ///
  /// - Parameters:
  ///   - plan: The plan to run.
  ///   - sinks: Receive the run's events, in the order given here.
  ///   - options: The options of the run.
  package init(of plan: Plan, sinks: [any EventSink] = [], options: Options = Options()) {
    self.plan = plan
    self.options = options
    self.sinks = EventSinks(sinks, redactor: options.redactor)
    let hasFaults = options.schedule.map { !$0.faults.isEmpty || $0.crash != nil } ?? false
    pendingFailures = PendingFailures(isOrdinary: !hasFaults && !options.hasAlteredAnswers)
    boundary = Boundary(
      self.sinks,
      outside: plan.passesOnRequests
        ? OutsideCalls(options.virtualTime ?? RealTime()) : nil)
    events = EventQueue(plan, deliveries: options.deliveries)
    name = options.name ?? Self.newName(for: plan)
    executor = options.virtualTime ?? (options.sharesThread ? OneThread() : nil)
    clock = options.virtualTime?.clock ?? options.clock
    elapsed = Self.stopwatch(clock)
    reads = options.notesFiles ? Self.reads(of: plan, options) : nil
  }

  private static func reads(of plan: Plan, _ options: Options) -> FileReads {
    let folder = options.directory ?? directory(of: plan)
    return FileReads(from: folder) { [redactor = options.redactor] in redactor.hides($0) }
  }

  /// The seed of all chance in the run.
  package var seed: UInt64 { options.seed }

  /// The virtual time of the run, or nil for a run in real time.
  package var virtualTime: VirtualTime? { options.virtualTime }

  /// The redactor for all output of the run.
  package var redactor: Redactor { options.redactor }

  /// A given secret, by its name.
  package func secret(_ name: String) -> String? { options.secret(name) }

  /// A name for a new run of a plan, unlike all others, so that no two runs share an idempotency key.
  package static func newName(for plan: Plan) -> String {
    "\(plan.digest)/\(UInt64.random(in: .min ... .max))"
  }

  /// The folder of a plan's file, which components see, within its project if there is one.
  ///
  /// Looked up in the file system.
  package static func directory(of plan: Plan) -> Directory {
    let folder = Path.folder(of: plan.file)
    return Directory(folder, inside: ProjectFolder.path(around: folder))
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The virtual time, which stands still while components work outside of it and still ends steps
  /// at their timeouts.
  ///
  /// Nil in real time, without components, and if every schedule must be the same each time.
  private var timeOutside: VirtualTime? {
    guard options.schedule == nil, isLive.load(ordering: .relaxed) else { return nil }
    return virtualTime
  }

  /// A caller of the components themselves, for this session.
  package func live() -> LiveCaller {
    isLive.store(true, ordering: .relaxed)
    let caller = LiveCaller(
      options: services, sinks: sinks, events: events,
      roles: { [boundary, events] in boundary.roles(of: $0, in: $1, events.streams) },
      noteFailure: { [boundary] in boundary.note($0) }, pendingFailures: pendingFailures)
    components.withLock { $0 = caller }
    return caller
  }

  /// Returns what the component of a failed call shows of itself, or nil, also for one that is absent.
  private func evidence(after invocation: Invocation) async -> Value? {
    await components.withLock(\.self)?.evidence(after: boundary.ofInstance(invocation))
  }

  // On the concurrent pool, whichever actor this is called on: from there an idle actor is entered without a
  // thread switch, from the main actor every call of a component would be two.
  /// Opens the components, runs the steps and `finally`, and closes everything.
  ///
  /// - Parameters:
  ///   - inputs: One value for each input of the plan, as `Plan.inputValues` returns them.
  ///   - caller: The source of answers, or nil for the components.
  ///   - pacing: The waits before work is cut off, or nil for none.
  /// - Returns: The result of the run. It never throws, because failures are in the report.
  @concurrent package func run(
    inputs: [Value], through caller: (any Caller)? = nil, pacing: Pacing? = nil
  ) async -> RunReport {
    let run = Run(parts, caller: caller ?? live(), pacing: pacing)
    boundary.open(run.caller, pacing?.requests)
    // The caller may hold the session, and with it the boundary.
    defer {
      boundary.close()
      components.withLock { $0 = nil }
    }
    // Once more would cost every switch of the run's tasks a look at it.
    guard let executor, !executor.isPreferred else { return await execute(run, inputs) }
    return await withTaskExecutorPreference(executor) { await execute(run, inputs) }
  }

  /// Repeats a component's request to another one during the call at an address, without the
  /// component.
  ///
  /// - Precondition: The call at the address has not ended.
  /// - Throws: As `RoleCall` does.
  package func ask(
    again recorded: Address.Call, _ call: PlannedRoleCall, _ input: Value,
    at address: Address, in scope: Address?
  ) async throws {
    try await boundary.ask(again: recorded, call, input, at: address, in: scope)
  }

  /// Numbers the calls of components as they were recorded, whichever of equal ones comes first.
  package func number(as recorded: any CallNumbers) {
    boundary.find(recorded) { [self] in await settle() }
  }

  /// Waits for the cancellation of the task, and in virtual time also until nothing else is left to
  /// do.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func untilCancelled() async throws {
    if let virtualTime { return try await virtualTime.clock.untilStuck() }
    try await Monitor<Void, Void, Void>(()).wait(for: ())
  }

  /// Waits until all other work of the run has to wait, in virtual time or if its tasks share a
  /// thread.
  package func settle() async {
    if let virtualTime { return await virtualTime.clock.settle() }
    await (executor as? OneThread)?.settle()
  }

  private func execute(_ run: Run, _ inputs: [Value]) async -> RunReport {
    plan.hideSecrets(inputs: inputs, by: redactor)
    sinks.receive(
      .runStarted(
        RunDescription(
          plan: plan, inputs: inputs, seed: seed, schedule: options.schedule, elapsed: elapsed,
          redactor: redactor, isTimeVirtual: virtualTime != nil)))
    let start = elapsed()
    var scenario = ScenarioRun(Execution(run, inputs: inputs))
    var report = await scenario.run()
    report.elapsed = elapsed() - start
    report.date = beginning.date
    report.files = files
    report.retried = run.retried.attempts
    report = report.redacted(by: redactor).explained(by: plan)
    sinks.receive(.runEnded(report))
    return report
  }

  /// The parts that the run's steps use.
  private var parts: Run.Parts {
    Run.Parts(
      plan: plan, sinks: sinks, seed: seed, clock: clock, elapsed: elapsed, executor: executor,
      virtualTime: virtualTime, timeOutside: { [self] in timeOutside }, boundary: boundary,
      pendingFailures: pendingFailures, evidence: { [self] in await evidence(after: $0) },
      gate: options.gate, watch: options.watch,
      noteJudgement: options.noteJudgement)
  }

  /// The files read by the steps of live components, and the known ones of other steps.
  private var files: [ReadFile] {
    let read = reads?.files ?? []
    let steps = Set(read.map(\.step))
    return (options.files.filter { !steps.contains($0.step) } + read).inOrder
  }

  /// The services of the run's components.
  private var services: ContextServices.Options {
    var services = ContextServices.Options(
      directory: options.directory ?? Self.directory(of: plan))
    services.reads = reads
    services.clock = clock
    services.date = date
    services.seed = seed
    services.run = name
    services.secrets = Secrets(redactor: redactor, given: options.secret)
    services.tasks = SpawnedTasks(executor: executor)
    if let virtualTime { services.time = virtualTime }
    services.log = { [options] in options.log($0, options.redactor.redacted($1)) }
    services.logOfShown = { [options] in
      (options.logOfNews ?? options.log)($0, options.redactor.redacted($1))
    }
    if let watch = options.watch {
      services.show = { [redactor] in watch(.line($0, redactor.redacted($1))) }
    }
    services.foreground = options.foreground
    services.kept = options.kept
    services.document = plan.documents.one
    services.documents = plan.documents.all
    return services
  }

  /// The date of the run: its first date plus the elapsed time.
  ///
  /// The first request notes the start of the run.
  private var date: @Sendable () -> Timestamp {
    if options.date == nil, virtualTime == nil {
      return { [beginning, elapsed] in
        let now = SystemTime.now()
        beginning.note(now.advanced(by: .zero - elapsed()) ?? now)
        return now
      }
    }
    let begin = options.date ?? SystemTime.now()
    return { [beginning, elapsed] in
      beginning.note(begin)
      return begin.advanced(by: elapsed()) ?? begin
    }
  }
}

/// The date at the start of a run, kept if a component has seen it.
private final class Beginning: Sendable {
  private let noted = Mutex<Timestamp?>(nil)

  var date: Timestamp? { noted.withLock { $0 } }

  func note(_ date: Timestamp) { noted.withLock { if $0 == nil { $0 = date } } }
}

extension TaskExecutor {
  /// True if the present task prefers this executor.
  fileprivate var isPreferred: Bool {
    let own = unsafe asUnownedTaskExecutor()
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor == own }
  }
}
