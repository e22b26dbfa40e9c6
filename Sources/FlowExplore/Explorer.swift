package import FlowCore
package import FlowEngine
package import FlowPlan
internal import FlowRedaction
internal import FlowTranscript

/// Runs a scenario under one schedule after the other, until one of them fails.
///
/// All runs share one thread, in virtual time. Between two runs nothing is kept but what components keep outside of the
/// process, which the caller has to answer for.
package struct Explorer: Sendable {
  private let runner: ScheduledRunner
  private var options: ExplorationOptions { runner.options }

  /// Creates an exploration of a plan with these values of its inputs.
  ///
  /// Several explorations may share one virtual time, one after the other.
  package init(
    _ plan: Plan, inputs: [Value], _ options: ExplorationOptions = ExplorationOptions(),
    in time: VirtualTime = VirtualTime()
  ) {
    runner = ScheduledRunner(plan, inputs: inputs, options, in: time)
  }

  /// Tries schedules until one fails, the budget is used up, or the task is cancelled.
  package func explore() async -> Exploration {
    await withTaskExecutorPreference(runner.time) { await search() }
  }

  /// Runs once, exactly as a schedule says.
  package func run(_ schedule: Schedule) async -> ScheduledRun {
    await withTaskExecutorPreference(runner.time) { await tell(schedule) }
  }

  /// Runs once in the plain order.
  func attempt(_ sinks: [any EventSink]) async -> Attempt {
    await withTaskExecutorPreference(runner.time) { await runner.run(Schedule(), sinks) }
  }

  // MARK: - The search

  private func search() async -> Exploration {
    var meter = ProgressMeter(options.progress)
    var search = Search(
      maxDelays: options.maxDelays, budget: options.budget, seed: options.seed)
    var exploration = Exploration()
    var trials = TrialsAhead(runner)
    while !Task.isCancelled, let trial = search.nextTrial() {
      let attempt: Attempt
      do throws(TranscriptError) {
        attempt = try await trials.run(trial, of: search)
      } catch {
        exploration.problems = [error.diagnostic]
        break
      }
      if Task.isCancelled { break }
      if attempt.isRefused {
        exploration.problems = attempt.report.diagnostics
        break
      }
      exploration.note(attempt)
      if noteOutside(attempt, &exploration) {
        // Parallel runs would find what others have left.
        trials.stayInStep()
        search.limit(to: options.outsideBudget)
      }
      if exploration.tried == 1, !(await begin(attempt, &exploration, &trials)) { break }
      search.note(
        trial, attempt.steering, faults: { options.faults(in: attempt) },
        journalLines: trials.journal.count)
      meter.note { exploration.progress(in: trial.stage, after: $0) }
      if exploration.tried % 100 == 1, !(await isRepeatable(attempt, trial, trials.journal)) {
        exploration.isDeterministic = false
      }
      if let failure = attempt.failure {
        await shrink(attempt, failingWith: failure, &exploration, &meter)
        break
      }
    }
    exploration.isStopped = Task.isCancelled
    exploration.completedDelays = search.completedDelays
    exploration.scope = exploration.found == nil ? search.scope : nil
    exploration.elapsed = meter.elapsed
    return exploration
  }

  /// Notes the findings of the plain order.
  ///
  /// Returns false if nothing else can be tried.
  private func begin(
    _ attempt: Attempt, _ exploration: inout Exploration, _ trials: inout TrialsAhead
  ) async -> Bool {
    if attempt.isInconclusive {
      exploration.problems = attempt.report.diagnostics
      return false
    }
    if triesCrashes(exploration) { trials.journal = await runner.journal() }
    exploration.crashes = options.crashes ? max(0, trials.journal.count - 1) : nil
    return true
  }

  private func triesCrashes(_ exploration: Exploration) -> Bool {
    options.crashes && exploration.outside.isEmpty && options.recorded == nil
  }

  /// Returns true if the same schedule has the same result again.
  private func isRepeatable(
    _ attempt: Attempt, _ trial: Search.Trial, _ journal: [[UInt8]]
  ) async -> Bool {
    var again = trial
    again.strategy = .given(attempt.crash == nil ? attempt.steering.delays : [])
    // What could be resumed once can be resumed again.
    guard let other = try? await runner.run(again, journal: journal) else { return false }
    return Task.isCancelled
      || other.outcome == attempt.outcome && other.steering.widths == attempt.steering.widths
  }

  /// Notes the components that are really called.
  ///
  /// Returns true if they are the first ones.
  private func noteOutside(_ attempt: Attempt, _ exploration: inout Exploration) -> Bool {
    let isFirst = exploration.outside.isEmpty
    let opened = attempt.outside
    let called = options.recorded == nil ? opened : opened.intersection(options.live)
    exploration.outside = called.union(exploration.outside).sorted()
    return isFirst && !called.isEmpty
  }

  // MARK: - Shrinking

  /// Finds a smaller schedule that fails in the same way, and its story.
  private func shrink(
    _ attempt: Attempt, failingWith failure: String, _ exploration: inout Exploration,
    _ meter: inout ProgressMeter<SearchProgress>
  ) async {
    var shrinker = Shrinker(
      Schedule(
        delays: attempt.crash == nil ? attempt.steering.delays : [], faults: attempt.faults,
        crash: attempt.crash))
    while !Task.isCancelled, let candidate = shrinker.candidate() {
      let again = await runner.run(candidate)
      shrinker.note(failed: again.failure == failure)
      meter.note { exploration.progress(in: .shrinking, after: $0) }
    }
    exploration.shrinkingTries = shrinker.tries
    // Whole, also after an interruption.
    let best = shrinker.best
    let run = await Task(executorPreference: runner.time) { await tell(best) }.value
    exploration.found = run
    if run.failure != failure { exploration.isDeterministic = false }
  }

  private func tell(_ schedule: Schedule) async -> ScheduledRun {
    let recorder = Recorder(of: runner.plan)
    let attempt = await runner.run(
      schedule, schedule.crash == nil ? [recorder] : [], isWatched: true)
    if let crash = schedule.crash {
      // A run that cannot continue is no transcript, because calls in it have no answer. The run
      // before the crash is one.
      _ = await runner.run(
        .given(schedule.delays), faults: schedule.faults, resuming: nil, to: [recorder],
        noting: crash)
    }
    var transcript = recorder.recording
    transcript.isPrivate = attempt.redactor.hasSecrets
    let story = attempt.watch?.story(with: attempt.steering, crash: attempt.crash) ?? Story()
    return ScheduledRun(
      schedule: schedule, report: attempt.report, transcript: transcript,
      story: story.redacted(by: attempt.redactor), standstill: attempt.standstill,
      failure: attempt.failure, strays: attempt.strays,
      fits: attempt.crash == schedule.crash && attempt.steering.delays == schedule.delays
        && attempt.haveFaultsCome)
  }
}

extension ExplorationOptions {
  /// The wanted faults of a run, each once, because attempts share an address.
  fileprivate func faults(in attempt: Attempt) -> [Schedule.Fault] {
    guard let watch = attempt.watch else { return [] }
    return (watch.calls.flatMap(faults) + duplicates(of: watch.deliveries)).unique
  }

  private func faults(of call: RunWatch.Call) -> [Schedule.Fault] {
    let errors =
      call.faults.isEmpty
      ? call.errors.map { Schedule.Fault.error($0, at: call.address) }
      : call.faults.map { .typical($0, at: call.address) }
    return (Self.isWanted(call.name, faults) ? errors : [])
      + (Self.isWanted(call.name, silence) ? [.silence(at: call.address)] : [])
  }

  private func duplicates(of events: [String]) -> [Schedule.Fault] {
    var numbers: [String: Int] = [:]
    return events.compactMap { event in
      numbers[event, default: 0] += 1
      return Self.isWanted(event, duplicates)
        ? .duplicate(event: event, number: numbers[event, default: 0]) : nil
    }
  }

  /// True if the choice contains the operation or event, or its component.
  private static func isWanted(_ name: String, _ chosen: Set<String>?) -> Bool {
    guard let chosen else { return true }
    return chosen.contains(name) || chosen.contains(String(name.prefix { $0 != "." }))
  }
}
