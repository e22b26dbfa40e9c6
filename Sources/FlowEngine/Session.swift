package import FlowCore
package import FlowRedaction
package import FlowScenario
internal import FlowSystem
private import Synchronization

/// The one way to run a plan: on its components, on recorded answers, or on both.
///
/// Owns what the parts of a run must share: clock, executor, seed, sinks, and the events that steps wait for. The caller
/// decides where answers come from: `live` unless another one is given, as the replay and the resumption of
/// transcripts do. One session is one run.
package final class Session: Sendable {
  /// How a plan is run; each member has the default of `flow run`.
  package struct Options: Sendable {
    /// What decides everything random in the run.
    package var seed: UInt64 = 0
    /// Time that passes only when nothing is left to do, so that waiting takes none; nil for real time.
    package var virtualTime: VirtualTime?
    /// Whether the tasks of a run in real time share one thread, so that what is recorded as begun first was begun
    /// first.
    package var sharesThread = false
    /// The clock of a run in real time.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The run's name, with which idempotency keys begin; a new one for nil.
    package var name: String?
    /// The date at which the run begins, to which the time that passes is added; the system's for nil.
    package var date: Timestamp?
    /// Finds the secrets that components ask for by name; there are none unless said.
    package var secret: @Sendable (String) -> String? = { _ in nil }
    /// Receives what components log, redacted; it is dropped unless said.
    package var log: @Sendable (Address, String) -> Void = { _, _ in }
    /// Puts placeholders into everything that leaves the run.
    package var redactor = Redactor()
    /// In what it differs from a run that goes its plain way, for those who record it; whoever sets it sees to that.
    package var schedule: Schedule?
    /// How often a report is delivered that is read or waited for, by its event's name; once unless said.
    package var deliveries: ReportStreams.Deliveries?
    /// The folder that components see; that of the scenario's file for nil.
    package var directory: Directory?

    /// The defaults.
    package init() {}
  }

  /// What a run waits for whose answers come at once, so that it is stopped where it was when its answers took time.
  package struct Pacing: Sendable {
    /// Waits before a step whose branch has failed cuts off its other branches, which go on meanwhile; nil for nothing to
    /// wait for.
    ///
    /// Called with the step's address when the first branch has failed, on a task of the step's group, which is
    /// cancelled with the step.
    package var beforeCutOff: (@Sendable (Address) async -> Void)?
    /// Waits before a step is stopped whose time is over; nil for nothing to wait for.
    ///
    /// The step has its whole time once more afterwards. Called with the step's address each time when its time is over; the waiting is cancelled when the step ends.
    package var beforeTimeout: @Sendable (Address) -> (@Sendable () async -> Void)?
    /// Knows what the run had begun to wait for before it was interrupted; nil for nothing.
    package var timers: (any Timers)?
    /// Whether nothing is done any more, not even in `finally`: the run is to go on later from where it is now.
    package var isOver: @Sendable () -> Bool

    /// Unless said, nothing is waited for.
    package init(
      beforeCutOff: (@Sendable (Address) async -> Void)? = nil,
      beforeTimeout: @escaping @Sendable (Address) -> (@Sendable () async -> Void)? = { _ in nil },
      timers: (any Timers)? = nil, isOver: @escaping @Sendable () -> Bool = { false }
    ) {
      self.beforeCutOff = beforeCutOff
      self.beforeTimeout = beforeTimeout
      self.timers = timers
      self.isOver = isOver
    }
  }

  /// What is run.
  package let plan: Plan
  /// Receives the run's events.
  package let sinks: EventSinks
  /// What waiting, timeouts and durations go by.
  package let clock: any Clock<Duration>
  /// The run's name.
  package let name: String
  /// What components have reported, for the steps that wait.
  package let events: EventQueue
  /// What the run's own tasks run on; nil for the concurrent pool.
  let executor: (any TaskExecutor)?
  /// Where the run's calls cross to components.
  let boundary: Boundary
  private let options: Options
  /// When the run began, once a component has asked for the date.
  private let beginning = Beginning()
  /// Whether components may be called.
  private let isLive = Atomic(false)
  /// The time since the session was made.
  let elapsed: @Sendable () -> Duration

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - plan: What is run.
  ///   - sinks: Receive the run's events, in the order given here.
  ///   - options: How it is run.
  package init(of plan: Plan, sinks: [any EventSink] = [], options: Options = Options()) {
    self.plan = plan
    self.options = options
    self.sinks = EventSinks(sinks, redactor: options.redactor)
    boundary = Boundary(self.sinks)
    events = EventQueue(plan, deliveries: options.deliveries)
    name = options.name ?? Self.newName(for: plan)
    executor = options.virtualTime ?? (options.sharesThread ? OneThread() : nil)
    clock = options.virtualTime?.clock ?? options.clock
    elapsed = Self.stopwatch(clock)
  }

  /// The seed of all chance in the run.
  package var seed: UInt64 { options.seed }

  /// The virtual time of the run; nil for a run in real time.
  package var virtualTime: VirtualTime? { options.virtualTime }

  /// Puts placeholders into everything that leaves the run.
  package var redactor: Redactor { options.redactor }

  /// A secret that is given, by its name.
  package func secret(_ name: String) -> String? { options.secret(name) }

  /// A name for a new run of a plan, unlike all others, so that no two runs share an idempotency key.
  package static func newName(for plan: Plan) -> String {
    "\(plan.digest)/\(UInt64.random(in: .min ... .max))"
  }

  /// The folder of a plan's file, which components see, in its project where there is one; looked up in the file system.
  package static func directory(of plan: Plan) -> Directory {
    let folder = Path.folder(of: plan.file)
    return Directory(folder, inside: ProjectFile.folder(around: folder))
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The virtual time that stands still while components work outside of it, which the timeouts of steps end all the
  /// same; nil in real time, without components, and where every schedule must be the same each time.
  var timeOutside: VirtualTime? {
    guard options.schedule == nil, isLive.load(ordering: .relaxed) else { return nil }
    return virtualTime
  }

  /// A caller of the components themselves, for this session.
  package func live() -> LiveCaller {
    isLive.store(true, ordering: .relaxed)
    return LiveCaller(
      componentCount: plan.components.count, options: services, sinks: sinks, events: events,
      roles: { [boundary, events] in boundary.roles(of: $0, in: $1, events.streams) })
  }

  // On the concurrent pool, whichever actor this is called on: from there an idle actor is entered without a
  // thread switch, from the main actor every call of a component would be two.
  /// Opens the components, runs the steps and `finally`, and closes everything.
  ///
  /// - Parameters:
  ///   - inputs: One value for each input of the plan, as `Plan.inputValues` gives them.
  ///   - caller: Where answers come from; the components for nil.
  ///   - pacing: What is waited for before work is cut off; nothing for nil.
  /// - Returns: How the run ended; it never throws, failures are in the report.
  @concurrent package func run(
    inputs: [Value], through caller: (any Caller)? = nil, pacing: Pacing? = nil
  ) async -> RunReport {
    let run = Run(session: self, caller: caller ?? live(), pacing: pacing)
    boundary.open(run.caller)
    // The caller may hold the session, and with it the boundary.
    defer { boundary.close() }
    // Once more would cost every switch of the run's tasks a look at it.
    guard let executor, !executor.isPreferred else { return await execute(run, inputs) }
    return await withTaskExecutorPreference(executor) { await execute(run, inputs) }
  }

  /// Asks for what a component asked of another one during the call at an address, without the component.
  ///
  /// - Precondition: The call at the address goes on.
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

  /// Waits for the cancellation of the task; in virtual time also until nothing else is left to do.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func untilCancelled() async throws {
    if let virtualTime { return try await virtualTime.clock.untilStuck() }
    try await Monitor<Void, Void, Void>(()).wait(for: ())
  }

  /// Waits until nothing else of the run can go on at once, in virtual time or where its tasks share a thread.
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
          isHiding: { [redactor] in redactor.isActive }, isTimeVirtual: virtualTime != nil)))
    let start = elapsed()
    var execution = Execution(run: run, inputs: inputs)
    await execution.run()
    execution.report.elapsed = elapsed() - start
    execution.report.date = beginning.date
    execution.report.retried = run.retried.attempts
    let report = execution.report.redacted(by: redactor).explained(by: plan)
    sinks.receive(.runEnded(report))
    return report
  }

  /// What the components find around them.
  private var services: ContextServices.Options {
    var services = ContextServices.Options(
      directory: options.directory ?? Self.directory(of: plan))
    services.clock = clock
    services.date = date
    services.seed = seed
    services.run = name
    services.secrets = Secrets(redactor: redactor, given: options.secret)
    services.tasks = SpawnedTasks(executor: executor)
    if let virtualTime { services.time = virtualTime }
    services.log = { [options] in options.log($0, options.redactor.redacted($1)) }
    services.document = DocumentReader.read
    return services
  }

  /// The date of the run: the one it begins with, and the time since.
  ///
  /// When it is asked for, the beginning is noted.
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

/// The date at which a run began, for those who were shown it.
private final class Beginning: Sendable {
  private let noted = Mutex<Timestamp?>(nil)

  var date: Timestamp? { noted.withLock { $0 } }

  func note(_ date: Timestamp) { noted.withLock { if $0 == nil { $0 = date } } }
}

/// What the steps of a run share.
final class Run: Sendable {
  let session: Session
  let caller: any Caller
  let pacing: Session.Pacing?
  let retried = RetriedAttempts()

  init(session: Session, caller: any Caller, pacing: Session.Pacing?) {
    self.session = session
    self.caller = caller
    self.pacing = pacing
  }

  var sinks: EventSinks { session.sinks }
}

/// Attempts of steps that failed and were made again.
final class RetriedAttempts: Sendable {
  /// How many are kept of a run: a step may be tried very often.
  private static let most = 20

  private let kept = Mutex<[RunReport.Failure]>([])

  /// In the order in which they failed.
  var attempts: [RunReport.Failure] { kept.withLock { $0 } }

  /// Keeps one, unless there are many already; only then it is made.
  func add(_ attempt: @autoclosure () -> RunReport.Failure) {
    if attempts.count >= Self.most { return }
    let attempt = attempt()
    kept.withLock { if $0.count < Self.most { $0.append(attempt) } }
  }
}

extension TaskExecutor {
  /// Whether the present task prefers it.
  fileprivate var isPreferred: Bool {
    let own = unsafe asUnownedTaskExecutor()
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor == own }
  }
}
