internal import FlowEngine
internal import FlowTranscript

/// A runner of a search's trials that runs several of the next ones at once.
///
/// The search itself continues as if each trial had run in its turn. A result can change the later
/// trials, and then the trials run ahead are dropped. So the findings do not depend on the number
/// of jobs.
struct TrialsAhead {
  private static let trialsEach = 32

  /// The journal lines of the plain order, after which a run can crash.
  ///
  /// Empty unless crashes are tried.
  var journal: [[UInt8]] = []
  private let runner: ScheduledRunner
  /// The runners that run trials ahead, each in a separate virtual time.
  ///
  /// Empty for one trial at a time.
  private var others: [ScheduledRunner] = []
  private var ahead: ArraySlice<(trial: Search.Trial, attempt: Attempt)> = []

  /// Creates the trials of a runner, as many at once as its options say.
  init(_ runner: ScheduledRunner) {
    self.runner = runner
    guard runner.options.jobs > 1 else { return }
    others = (0..<runner.options.jobs).map { _ in
      ScheduledRunner(runner.plan, inputs: runner.inputs, runner.options, in: VirtualTime())
    }
  }

  /// Runs one trial at a time from now on.
  mutating func stayInStep() { others = [] }

  /// The run of the trial that a search has just given.
  ///
  /// - Throws: `TranscriptError` when the journal cannot be resumed.
  mutating func run(
    _ trial: Search.Trial, of search: Search
  ) async throws(TranscriptError) -> Attempt {
    if let next = ahead.popFirst(), next.trial == trial { return next.attempt }
    ahead = []
    // The plain order is watched, and shows the possible faults.
    if others.isEmpty || trial.stage == .plain {
      return try await runner.run(trial, journal: journal, isWatched: trial.stage == .plain)
    }
    let trials = [trial] + search.upcoming(like: trial, Self.trialsEach * others.count - 1)
    let attempts = await attempts(of: trials)
    // Each has one, unless the search was cancelled meanwhile: the caller then wants none.
    ahead =
      zip(trials, attempts).prefix { $0.1 != nil }
      .compactMap { trial, attempt in attempt.map { (trial, $0) } }[...]
    if let first = ahead.popFirst() { return first.attempt }
    return try await runner.run(trial, journal: journal)
  }

  /// The runs of trials, in their order, with nil for a run that could not be made.
  private func attempts(of trials: [Search.Trial]) async -> [Attempt?] {
    await withTaskGroup(of: [(Int, Attempt)].self) { [others, journal] group in
      for (number, runner) in others.enumerated() {
        let indices = stride(from: number, to: trials.count, by: others.count)
        group.addTask(executorPreference: runner.time) {
          var done: [(Int, Attempt)] = []
          for index in indices where !Task.isCancelled {
            // A run that cannot be made is tried again in its turn, and then gives the reason.
            guard let attempt = try? await runner.run(trials[index], journal: journal) else {
              break
            }
            done.append((index, attempt))
          }
          return done
        }
      }
      var attempts = [Attempt?](repeating: nil, count: trials.count)
      for await done in group { for (index, attempt) in done { attempts[index] = attempt } }
      return attempts
    }
  }
}
