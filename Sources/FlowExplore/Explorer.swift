package import FlowCore
package import FlowEngine
package import FlowRedaction
package import FlowScenario
package import FlowTranscript
private import Synchronization

/// Runs a scenario under one schedule after the other, until one of them fails.
///
/// All runs share one thread, in virtual time. Between two runs nothing is kept but what components keep outside of the
/// process, which the caller has to answer for.
package struct Explorer: Sendable {
  /// What is tried, and on what.
  package struct Options: Sendable {
    /// How many schedules are tried at most; shrinking one that fails comes on top.
    package var budget = 10_000
    /// Up to how many delays are tried everywhere.
    package var maxDelays = 2
    /// What decides everything random, in the runs and in the search.
    package var seed: UInt64 = 0
    /// The components and operations whose declared errors are tried, by name; all for nil.
    package var faults: Set<String>? = []
    /// Where the answers of all components come from but of those in `live`; nil where all are called.
    package var recorded: Transcript?
    /// The date at which the runs begin.
    package var date = Timestamp.epoch
    /// The names of the components that are called beside recorded ones.
    package var live: Set<String> = []
    /// Finds the secrets that components ask for by name.
    package var secret: @Sendable (String) -> String? = { _ in nil }
    /// Hides the secrets of one run.
    package var redactor: @Sendable () -> Redactor = { Redactor() }

    /// The defaults.
    package init() {}
  }

  private let plan: Plan
  private let inputs: [Value]
  private let options: Options
  private let time: VirtualTime

  /// An exploration that has not begun; `inputs` are the values of the plan's inputs.
  ///
  /// One after the other may have the same time.
  package init(
    _ plan: Plan, inputs: [Value], _ options: Options = Options(),
    in time: VirtualTime = VirtualTime()
  ) {
    self.plan = plan
    self.time = time
    self.inputs = inputs
    self.options = options
  }

  /// Tries schedules until one fails, the budget is used up, or the task is cancelled.
  package func explore() async -> Exploration {
    await withTaskExecutorPreference(time) { await search() }
  }

  /// Runs once, exactly as a schedule says.
  package func run(_ schedule: Schedule) async -> ScheduledRun {
    await withTaskExecutorPreference(time) { await tell(schedule) }
  }

  /// Runs once in the plain order.
  func attempt(_ sinks: [any EventSink]) async -> Attempt {
    await withTaskExecutorPreference(time) { await attempt(.given([]), [], sinks) }
  }

  // MARK: - The search

  private func search() async -> Exploration {
    let stopwatch = ContinuousClock()
    let start = stopwatch.now
    var search = Search(
      maxDelays: options.maxDelays, budget: options.budget, seed: options.seed)
    var exploration = Exploration()
    while !Task.isCancelled, let trial = search.nextTrial() {
      let attempt = await attempt(trial.strategy, trial.faults, isWatched: exploration.tried == 0)
      if Task.isCancelled { break }
      exploration.note(attempt)
      if exploration.tried == 1, attempt.isInconclusive {
        exploration.problems = attempt.report.diagnostics
        break
      }
      if exploration.tried == 1 { exploration.outside = outside(in: attempt) }
      search.note(trial, moments: attempt.steering.moments) { faults(in: attempt) }
      if exploration.tried % 100 == 1, !(await isRepeatable(attempt)) {
        exploration.isDeterministic = false
      }
      if let failure = attempt.failure {
        await shrink(attempt, failure, &exploration)
        break
      }
    }
    exploration.isStopped = Task.isCancelled
    exploration.completedDelays = search.completedDelays
    exploration.elapsed = start.duration(to: stopwatch.now)
    return exploration
  }

  /// Whether the same schedule leads to the same end once more.
  private func isRepeatable(_ attempt: Attempt) async -> Bool {
    let again = await self.attempt(.given(attempt.steering.delays), attempt.faults)
    return Task.isCancelled
      || again.outcome == attempt.outcome && again.steering.widths == attempt.steering.widths
  }

  /// The declared errors of the calls of a run, as far as they are wanted, each once: attempts share an address.
  private func faults(in attempt: Attempt) -> [Schedule.Fault] {
    var known: Set<Schedule.Fault> = []
    let faults = (attempt.watch?.calls ?? []).flatMap { call in
      let component = String(call.name.prefix { $0 != "." })
      let isWanted = options.faults.map { $0.contains(call.name) || $0.contains(component) } ?? true
      return isWanted ? call.errors.map { Schedule.Fault(at: call.address, error: $0) } : []
    }
    return faults.filter { known.insert($0).inserted }
  }

  /// The components that are called and keep their state outside of the process.
  private func outside(in attempt: Attempt) -> [String] {
    let names = attempt.watch?.outside ?? []
    return (options.recorded == nil ? names : names.intersection(options.live)).sorted()
  }

  // MARK: - Shrinking

  /// Finds a schedule with less in it that fails in the same way, and tells its story.
  private func shrink(
    _ attempt: Attempt, _ failure: String, _ exploration: inout Exploration
  ) async {
    var shrinker = Shrinker(
      Schedule(delays: attempt.steering.delays, faults: attempt.faults))
    while !Task.isCancelled, let candidate = shrinker.candidate() {
      let again = await self.attempt(.given(candidate.delays), candidate.faults)
      shrinker.note(failed: again.failure == failure)
    }
    exploration.shrinkingTries = shrinker.tries
    // Whole, also after an interruption.
    let best = shrinker.best
    let run = await Task(executorPreference: time) { await tell(best) }.value
    exploration.found = run
    if run.failure != failure { exploration.isDeterministic = false }
  }

  private func tell(_ schedule: Schedule) async -> ScheduledRun {
    let recording = MemoryRecording(of: plan)
    let attempt = await attempt(
      .given(schedule.delays), schedule.faults, [recording.recorder], isWatched: true)
    var transcript = recording.run
    transcript.isPrivate = attempt.redactor.hasSecrets
    let story = attempt.watch?.story(with: attempt.steering) ?? Story()
    return ScheduledRun(
      schedule: schedule, report: attempt.report, transcript: transcript,
      story: story.redacted(by: attempt.redactor), isStuck: attempt.isStuck,
      failure: attempt.failure, strays: attempt.strays,
      fits: attempt.steering.delays == schedule.delays)
  }

  // MARK: - One run

  private func attempt(
    _ strategy: Steering.Strategy, _ faults: [Schedule.Fault], _ sinks: [any EventSink] = [],
    isWatched: Bool = false
  ) async -> Attempt {
    let steering = Steering(strategy, notesTasks: isWatched)
    let watch = isWatched ? RunWatch(steering) : nil
    var session = Session.Options()
    session.virtualTime = time
    session.seed = options.seed
    session.date = options.date
    session.redactor = options.redactor()
    session.secret = options.secret
    session.schedule = Schedule(delays: strategy.given, faults: faults)
    let run = Session(
      of: plan, sinks: (watch.map { [$0] } ?? []) + sinks, options: session)
    let (caller, pacing) = caller(in: run)
    let scheduled = ScheduledCaller(caller, in: time, faults: faults, recorded: isRecorded)
    let task = Task(executorPreference: time) { [inputs] in
      await run.run(inputs: inputs, through: scheduled, pacing: pacing)
    }
    let isStuck = Mutex(false)
    time.schedule(by: steering) {
      isStuck.withLock { $0 = true }
      task.cancel()
    }
    let report = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    let strays = time.schedule(by: nil)
    return Attempt(
      steering: steering, faults: faults, report: report, redactor: session.redactor,
      watch: watch, isStuck: isStuck.withLock { $0 },
      strays: watch?.names(of: strays) ?? (strays.isEmpty ? [] : [RunWatch.noCall]))
  }
}

extension Explorer {
  /// Whether a call is answered by the transcript.
  fileprivate func isRecorded(_ invocation: Invocation) -> Bool {
    options.recorded != nil && !options.live.contains(invocation.componentName)
  }

  /// Where answers come from: the components, or a transcript for all but the live ones.
  fileprivate func caller(in session: Session) -> (any Caller, Session.Pacing?) {
    guard let transcript = options.recorded else { return (session.live(), nil) }
    var replaying = ReplayingCaller.Options()
    replaying.live = options.live
    let caller = ReplayingCaller(transcript, in: session, options: replaying)
    return (caller, caller.pacing)
  }
}

/// A run under one schedule.
struct Attempt: Sendable {
  let steering: Steering
  let faults: [Schedule.Fault]
  let report: RunReport
  /// Hides the secrets of the run.
  let redactor: Redactor
  let watch: RunWatch?
  /// Whether nothing went on any more, so that the run was cancelled.
  let isStuck: Bool
  /// What left the thread of the run, by name.
  let strays: [String]

  /// What fails, and where; nil when nothing does.
  var failure: String? {
    if isStuck { return "stuck" }
    guard let failure = report.failures.first, !isInconclusive else { return nil }
    let code = report.diagnostics.first.map { "\($0.code)" } ?? ""
    return "\(failure.address.path) \(code)"
  }

  /// Whether a call had no recorded answer, as in an order in which other things are asked: the run says nothing then.
  var isInconclusive: Bool {
    report.failures.contains {
      guard case .boundary(let failure) = $0.failure else { return false }
      // A call that comes too late is a fault of the component, in whichever order.
      return failure.code != .unexpectedError
    }
  }

  /// The end in a text, to compare with others.
  var outcome: String {
    if isInconclusive { return "" }
    return failure ?? report.outputs.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

/// What an exploration has found.
package struct Exploration: Sendable {
  /// How many schedules were tried.
  package private(set) var tried = 0
  /// How many of them could not be judged, since they make calls that are not recorded.
  package private(set) var inconclusive = 0
  /// How many runs shrinking took besides.
  package internal(set) var shrinkingTries = 0
  /// How many ends there were, by what failed or by the outputs.
  package var outcomeCount: Int { outcomes.count }
  /// Why the plain order could not be judged; nothing else was tried then.
  package internal(set) var problems: [Diagnostic] = []
  /// Whether it was interrupted.
  package internal(set) var isStopped = false
  /// Up to how many moments were delayed in every choice of them; nil for none.
  package internal(set) var completedDelays: Int?
  /// The greatest number of moments at which something else could have gone on.
  package private(set) var moments = 0
  /// The run that fails; nil when none did.
  package internal(set) var found: ScheduledRun?
  /// The components that keep their state outside of the process, so that each run finds what the last one left.
  package internal(set) var outside: [String] = []
  /// Whether every schedule that was tried twice had the same end.
  package internal(set) var isDeterministic = true
  /// The calls whose work left the thread of the run, so that their order is not controlled.
  package private(set) var strays: Set<String> = []
  /// How long it took, in real time.
  package internal(set) var elapsed = Duration.zero
  private var outcomes: Set<String> = []

  mutating func note(_ attempt: Attempt) {
    tried += 1
    if attempt.isInconclusive { inconclusive += 1 } else { outcomes.insert(attempt.outcome) }
    moments = max(moments, attempt.steering.moments)
    strays.formUnion(attempt.strays)
  }
}

/// One run under a schedule, with everything that can be said of it.
package struct ScheduledRun: Sendable {
  /// The schedule.
  package let schedule: Schedule
  /// How it ended.
  package let report: RunReport
  /// What crossed the boundary.
  package let transcript: InMemoryTranscript
  /// What happened, with the delays where they had an effect.
  package let story: Story
  /// Whether nothing went on any more, so that the run was cancelled.
  package let isStuck: Bool
  /// What fails, and where; nil when nothing does.
  package let failure: String?
  /// What left the thread of the run, by name.
  package let strays: [String]
  /// Whether there was everything that the schedule delays.
  package let fits: Bool
}

extension Steering.Strategy {
  /// The delays that are written down; none for those that chance decides.
  fileprivate var given: [Schedule.Delay] {
    if case .given(let delays) = self { return delays }
    return []
  }
}
