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
    /// Whether the run is also ended after each line of its journal, and resumed.
    package var crashes = false
    /// Where the answers of all components come from but of those in `live`; nil where all are called.
    package var recorded: Transcript?
    /// The date at which the runs begin.
    package var date = Timestamp.epoch
    /// The names of the components that are called beside recorded ones.
    package var live: Set<String> = []
    /// How often a run may sleep before it counts as endless, and is cancelled.
    package var mostSleeps = 100_000
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
    await withTaskExecutorPreference(time) { await attempt(Schedule(), sinks) }
  }

  // MARK: - The search

  private func search() async -> Exploration {
    let stopwatch = ContinuousClock()
    let start = stopwatch.now
    var search = Search(
      maxDelays: options.maxDelays, budget: options.budget, seed: options.seed)
    var exploration = Exploration()
    var journal: [[UInt8]] = []
    while !Task.isCancelled, let trial = search.nextTrial() {
      let resumption: Resumption?
      do { resumption = try self.resumption(after: trial.crash, of: journal) } catch {
        exploration.problems = [error.diagnostic]
        break
      }
      let attempt = await run(
        trial.strategy, trial.faults, resumption, isWatched: exploration.tried == 0)
      if Task.isCancelled { break }
      exploration.note(attempt)
      if exploration.tried == 1, attempt.isInconclusive {
        exploration.problems = attempt.report.diagnostics
        break
      }
      if exploration.tried == 1 {
        exploration.outside = outside(in: attempt)
        if triesCrashes(exploration) { journal = await self.journal([], []) }
        exploration.crashes = options.crashes ? max(0, journal.count - 1) : nil
      }
      search.note(
        trial, moments: attempt.steering.moments, faults: { faults(in: attempt) },
        journalLines: journal.count)
      if exploration.tried % 100 == 1, !(await isRepeatable(attempt, resumption)) {
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

  private func triesCrashes(_ exploration: Exploration) -> Bool {
    options.crashes && exploration.outside.isEmpty && options.recorded == nil
  }

  /// Whether the same schedule leads to the same end once more.
  private func isRepeatable(_ attempt: Attempt, _ resumption: Resumption?) async -> Bool {
    let again = await run(
      .given(resumption == nil ? attempt.steering.delays : []), attempt.faults, resumption)
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
      Schedule(
        delays: attempt.crash == nil ? attempt.steering.delays : [], faults: attempt.faults,
        crash: attempt.crash))
    while !Task.isCancelled, let candidate = shrinker.candidate() {
      let again = await self.attempt(candidate)
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
      schedule, schedule.crash == nil ? [recording.recorder] : [], isWatched: true)
    if let crash = schedule.crash {
      // A run that cannot go on is no transcript: calls in it have no answer. The one that was to be resumed is.
      _ = await run(
        .given(schedule.delays), schedule.faults, nil, [recording.recorder], noting: crash)
    }
    var transcript = recording.run
    transcript.isPrivate = attempt.redactor.hasSecrets
    let story = attempt.watch?.story(with: attempt.steering, crash: attempt.crash) ?? Story()
    return ScheduledRun(
      schedule: schedule, report: attempt.report, transcript: transcript,
      story: story.redacted(by: attempt.redactor), standstill: attempt.standstill,
      failure: attempt.failure, strays: attempt.strays,
      fits: attempt.crash == schedule.crash && attempt.steering.delays == schedule.delays)
  }

  // MARK: - One run

  private func attempt(
    _ schedule: Schedule, _ sinks: [any EventSink] = [], isWatched: Bool = false
  ) async -> Attempt {
    guard let crash = schedule.crash else {
      return await run(
        .given(schedule.delays), schedule.faults, nil, sinks, isWatched: isWatched)
    }
    let journal = await journal(schedule.delays, schedule.faults)
    // One that cannot be read any more is run in one go, and does not fit.
    let resumption = try? resumption(after: crash, of: journal)
    return await run(.given([]), [], resumption, sinks, isWatched: isWatched)
  }

  /// What goes on after some lines of a journal; nil for one that is shorter, and without a crash.
  private func resumption(
    after crash: Int?, of lines: [[UInt8]]
  ) throws(TranscriptError) -> Resumption? {
    guard let crash, lines.count >= crash else { return nil }
    let bytes = Array(lines.prefix(crash).joined())
    let journal = try TranscriptReader.readJournal(bytes, file: plan.file)
    return Resumption(journal: journal, after: crash, of: plan)
  }

  /// The lines of the journal of a run, its header first.
  private func journal(
    _ delays: [Schedule.Delay], _ faults: [Schedule.Fault]
  ) async -> [[UInt8]] {
    let lines = Mutex<[[UInt8]]>([])
    let recorder = JournalRecorder(scenario: plan.file, run: Resumption.runName) { line in
      lines.withLock { $0.append(line) }
    }
    _ = await run(.given(delays), faults, nil, [recorder])
    return lines.withLock { $0 }
  }

  /// How a run goes whose header has a schedule.
  private func options(_ schedule: Schedule) -> Session.Options {
    var session = Session.Options()
    session.virtualTime = time
    session.seed = options.seed
    session.date = options.date
    session.redactor = options.redactor()
    session.secret = options.secret
    session.name = Resumption.runName
    session.schedule = schedule
    return session
  }

  private func run(
    _ strategy: Steering.Strategy, _ faults: [Schedule.Fault], _ resumption: Resumption?,
    _ sinks: [any EventSink] = [], isWatched: Bool = false, noting crash: Int? = nil
  ) async -> Attempt {
    let steering = Steering(strategy, notesTasks: isWatched)
    let watch = isWatched ? RunWatch(steering) : nil
    let session = options(
      Schedule(delays: strategy.given, faults: faults, crash: crash ?? resumption?.lines))
    let run = Session(
      of: plan,
      sinks: (resumption.map { [$0.recorder] } ?? []) + (watch.map { [$0] } ?? []) + sinks,
      options: session)
    let (caller, pacing) = caller(in: run, resumption)
    let scheduled = ScheduledCaller(caller, in: time, faults: faults, recorded: isRecorded)
    let task = Task(executorPreference: time) { [inputs] in
      await run.run(inputs: inputs, through: scheduled, pacing: pacing)
    }
    let standstill = Mutex<Standstill?>(nil)
    time.schedule(by: steering, mostSleeps: options.mostSleeps) { found in
      standstill.withLock { $0 = $0 ?? found }
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
      watch: watch, standstill: standstill.withLock { $0 },
      strays: watch?.names(of: strays) ?? (strays.isEmpty ? [] : [RunWatch.noCall]),
      crash: resumption?.lines)
  }
}

extension Explorer {
  /// Whether a call is answered by the transcript.
  fileprivate func isRecorded(_ invocation: Invocation) -> Bool {
    options.recorded != nil && !options.live.contains(invocation.componentName)
  }

  /// Where answers come from: the components, or a transcript for all but the live ones.
  fileprivate func caller(
    in session: Session, _ resumption: Resumption?
  ) -> (any Caller, Session.Pacing?) {
    if let resumption { return (resumption.caller(in: session), nil) }
    guard let transcript = options.recorded else { return (session.live(), nil) }
    var replaying = ReplayingCaller.Options()
    replaying.live = options.live
    let caller = ReplayingCaller(transcript, in: session, options: replaying)
    return (caller, caller.pacing)
  }
}

extension Steering.Strategy {
  /// The delays that are written down; none for those that chance decides.
  fileprivate var given: [Schedule.Delay] {
    if case .given(let delays) = self { return delays }
    return []
  }
}
