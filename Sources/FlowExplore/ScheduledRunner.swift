internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowTranscript
private import Synchronization

/// A runner of a plan under one schedule after the other, in a separate virtual time.
struct ScheduledRunner: Sendable {
  let plan: Plan
  let inputs: [Value]
  let options: ExplorationOptions
  let time: VirtualTime
  /// Looked up once: it is the same for all runs.
  private let directory: Directory

  init(_ plan: Plan, inputs: [Value], _ options: ExplorationOptions, in time: VirtualTime) {
    self.plan = plan
    self.inputs = inputs
    self.options = options
    self.time = time
    directory = Session.directory(of: plan)
  }

  /// Does what a trial of a search says.
  ///
  /// - Throws: `TranscriptError` when the journal, of the plain order, cannot be resumed.
  func run(
    _ trial: Search.Trial, journal: [[UInt8]], isWatched: Bool = false
  ) async throws(TranscriptError) -> Attempt {
    let resumption = try resumption(after: trial.crash, of: journal)
    return await run(
      trial.strategy, faults: trial.faults, resuming: resumption, isWatched: isWatched)
  }

  /// Runs exactly as a schedule says.
  func run(
    _ schedule: Schedule, _ sinks: [any EventSink] = [], isWatched: Bool = false
  ) async -> Attempt {
    guard let crash = schedule.crash else {
      return await run(
        .given(schedule.delays), faults: schedule.faults, resuming: nil, to: sinks,
        isWatched: isWatched)
    }
    let journal = await journal(schedule.delays, schedule.faults)
    // A journal that cannot be read any more is run from the start, and does not fit.
    let resumption = try? resumption(after: crash, of: journal)
    return await run(.given([]), faults: [], resuming: resumption, to: sinks, isWatched: isWatched)
  }

  /// The resumption after some lines of a journal, or nil for a shorter journal or no crash.
  func resumption(
    after crash: Int?, of lines: [[UInt8]]
  ) throws(TranscriptError) -> Resumption? {
    guard let crash, lines.count >= crash else { return nil }
    let bytes = Array(lines.prefix(crash).joined())
    let journal = try TranscriptReader.readJournal(bytes, file: plan.file)
    return Resumption(journal: journal, after: crash, of: plan)
  }

  /// The lines of the journal of a run, its header first.
  func journal(
    _ delays: [Schedule.Delay] = [], _ faults: [Schedule.Fault] = []
  ) async -> [[UInt8]] {
    let lines = Mutex<[[UInt8]]>([])
    let recorder = JournalRecorder(scenario: plan.file, run: Resumption.runName) { line in
      lines.withLock { $0.append(line) }
    }
    _ = await run(.given(delays), faults: faults, resuming: nil, to: [recorder])
    return lines.withLock { $0 }
  }

  /// The options of a run whose header has a schedule.
  private func options(_ schedule: Schedule) -> Session.Options {
    var session = Session.Options()
    session.virtualTime = time
    session.directory = directory
    session.seed = options.seed
    session.date = options.date
    session.redactor = options.redactor()
    session.secret = options.secret
    session.name = Resumption.runName
    session.schedule = schedule
    return session
  }

  /// Runs once.
  ///
  /// The crash is noted in the header of the recording.
  func run(
    _ strategy: Steering.Strategy, faults: [Schedule.Fault], resuming resumption: Resumption?,
    to sinks: [any EventSink] = [], isWatched: Bool = false, noting crash: Int? = nil
  ) async -> Attempt {
    let steering = Steering(strategy, notesTasks: isWatched)
    let (watch, outside) = (isWatched ? RunWatch(steering) : nil, OutsideComponents())
    // With delays there are too many runs to tell of.
    let isPlain = strategy == .given([])
    let effects = faults.count == 1 && isPlain ? FaultEffects() : nil
    let outcomes = faults.isEmpty && isPlain && isWatched ? StepOutcomes() : nil
    let injected = InjectedFaults(faults, watch, effects)
    var session = options(
      Schedule(delays: strategy.given, faults: faults, crash: crash ?? resumption?.lines))
    session.deliveries = { injected.deliveries(of: $0) }
    let own: [(any EventSink)?] = [resumption?.recorder, watch, effects, outcomes, outside]
    let run = Session(of: plan, sinks: own.compactMap(\.self) + sinks, options: session)
    let (caller, pacing) = caller(in: run, resumption, hasFaults: !faults.isEmpty)
    let lost = LostAnswers { [options] in
      options.recorded != nil && !faults.isEmpty && !options.live.contains($0)
    }
    let scheduled = ScheduledCaller(caller, in: time, faults: injected, keeping: lost)
    let problems = await problemsOfStart()
    let task = Task(executorPreference: time) { [inputs] in
      guard problems.isEmpty else { return RunReport(refusedBy: problems) }
      return await run.run(inputs: inputs, through: scheduled, pacing: pacing)
    }
    let standstill = Mutex<Standstill?>(nil)
    time.schedule(by: steering, mostSleeps: options.mostSleeps) { found in
      standstill.withLock { $0 = $0 ?? found }
      task.cancel()
      injected.endSilence()
    }
    let report = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
      injected.endSilence()
    }
    let strays = time.schedule(by: nil)
    return Attempt(
      steering: steering, faults: faults, haveFaultsCome: injected.haveCome, report: report,
      redactor: session.redactor, watch: watch, effects: effects, outcomes: outcomes,
      outside: outside.names,
      standstill: standstill.withLock { $0 },
      strays: watch?.names(of: strays) ?? (strays.isEmpty ? [] : [RunWatch.noCall]),
      crash: resumption?.lines)
  }
}

extension ScheduledRunner {
  /// Restores what the run starts from, in real time, and returns the problems.
  fileprivate func problemsOfStart() async -> [Diagnostic] {
    guard let restore = options.restore else { return [] }
    let task = Task(executorPreference: globalConcurrentExecutor) { await restore() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The source of answers: the components, or a transcript for all except the live ones.
  fileprivate func caller(
    in session: Session, _ resumption: Resumption?, hasFaults: Bool
  ) -> (any Caller, Pacing?) {
    if let resumption { return (resumption.caller(in: session), nil) }
    guard let transcript = options.recorded else { return (session.live(), nil) }
    var replaying = ReplayingCaller.Options()
    replaying.live = options.live
    replaying.comparesSteps = options.live.isEmpty || !options.asksTheSame
    // A call that failed may be the reason for leaving out others.
    if hasFaults { (replaying.allowed, replaying.hasFaults) = ([.unused], true) }
    let caller = ReplayingCaller(transcript, in: session, options: replaying)
    caller.use(inputs)
    return (caller, caller.pacing)
  }
}

extension Steering.Strategy {
  /// The written delays.
  ///
  /// None for random ones.
  fileprivate var given: [Schedule.Delay] {
    if case .given(let delays) = self { return delays }
    return []
  }
}

/// A run that continues the journal of a run ended as if its process were killed.
struct Resumption: Sendable {
  /// The name of every run, so a resumed run has the idempotency keys of the run before it.
  static let runName = "explored"

  /// The number of journal lines.
  let lines: Int
  /// Receives the run's events before all others.
  let recorder: JournalRecorder
  private let journal: Journal

  init(journal: Journal, after lines: Int, of plan: Plan) {
    self.journal = journal
    self.lines = lines
    recorder = JournalRecorder(scenario: plan.file, run: Self.runName, resuming: journal) { _ in
    }
  }

  /// A caller that serves the journal's answers, and then calls the components.
  func caller(in session: Session) -> ResumingCaller {
    let options = ResumingCaller.Options(keepsOrder: session.plan.hasOverlappingCalls)
    return ResumingCaller(journal, in: session, recorder: recorder, options: options)
  }
}
