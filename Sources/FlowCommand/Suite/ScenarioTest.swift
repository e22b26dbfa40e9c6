internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The test of one scenario, by its transcript or on its components.
struct ScenarioTest: Sendable {
  let flow: CommandContext
  let permissions: Permissions
  let options: TestOptions
  let update: UpdateMode
  let archive: TranscriptArchive
  /// The settings for tracing the runs, or nil if no report shows them.
  let tracing: TraceOptions?
  /// True if a report shows what the calls cover of services' descriptions, or what they take.
  let measuring: Bool
  /// The place of the scenario among those that run at once, or nil for one alone.
  var place: Place?

  /// Tests a scenario as often as the options say, and keeps the recording if required.
  ///
  /// The activity follows its runs.
  ///
  /// While it waits for a server, it leaves its place to others.
  func outcome(
    of scenario: SuiteScenario, _ activity: RunActivity, in place: Place
  ) async -> TestOutcome {
    var test = self
    test.place = place
    return await test.outcome(of: scenario, activity)
  }

  private func outcome(
    of scenario: SuiteScenario, _ activity: RunActivity
  ) async -> TestOutcome {
    let clock = ContinuousClock()
    let start = clock.now
    var outcome = TestOutcome(of: scenario, slowAfter: flow.process.slowAfter)
    do {
      try await test(&outcome, try scenario.plan.get(), activity)
    } catch let error as ScenarioError {
      error.hideSecrets(by: flow.redactor)
      outcome.fail(.badInput, error.diagnostics)
    } catch let error as TranscriptError {
      outcome.fail(.badInput, [error.diagnostic])
    } catch {
      outcome.fail(.cannotWrite, [])
      outcome.report.findings.notes = ["the transcript was not written: \(error)"]
    }
    outcome.report.elapsed = start.duration(to: clock.now)
    if Task.isCancelled, outcome.report.verdict != .recorded {
      outcome.report.verdict = .notRun
      outcome.code = .interrupted
      outcome.report.details = ["interrupted"]
      outcome.report.wasInterrupted = true
    }
    return outcome
  }

  /// The listeners of runs with live components.
  private var sinks: [any EventSink] { place.map { [$0] } ?? [] }

  private func test(
    _ outcome: inout TestOutcome, _ plan: Plan, _ activity: RunActivity
  ) async throws {
    var subject = try RecordedScenario(
      plan, outcome.scenario.transcript, update, live: outcome.scenario.live)
    subject.repeated = options.repeated.text
    subject.given = options.inputs.options(for: plan, flow.redactor) + subject.repeated
    outcome.report.findings.notes = subject.losses
    outcome.report.findings.acceptance = subject.acceptance
    outcome.report.tags = plan.tags
    outcome.report.command = subject.command
    if archive.isCI, let missing = subject.missingTranscript {
      outcome.fail(.failed, [missing])
      outcome.report.details.append("no transcript")
      return
    }
    try describe(subject, &outcome)
    outcome.report.sources = subject.sources
    let live = subject.liveNames
    let notes = subject.isLive || !live.isEmpty ? [] : try subject.unusedInputs(options.inputs)
    let runs: [TestRun]
    if let series = try trials(of: subject) {
      runs = try await self.runs(by: series, of: subject, activity, &outcome)
    } else {
      runs = try await self.runs(of: subject, activity)
      outcome.judge(runs, failsFlaky: options.failsFlaky)
    }
    outcome.add(runs, notes)
    if outcome.report.verdict == .passed {
      try await keep(runs.last { $0.recording != nil }?.recording, subject, &outcome)
    } else if let transcript = subject.transcript {
      outcome.report.findings.notes += transcript.header.changes(in: plan)
      if outcome.report.verdict == .failed, outcome.report.trials == nil, update == .failed {
        try await record(subject, &outcome)
      }
    }
  }

  /// Notes the live components, and refuses those with denied resources.
  private func describe(
    _ subject: RecordedScenario, _ outcome: inout TestOutcome
  ) throws(ScenarioError) {
    let live = subject.liveNames
    // A component that may be asked for a missing answer needs permission to run.
    let isAll = subject.isLive || asking(subject) != nil
    try check(subject, running: isAll ? .all : subject.live, &outcome)
    if subject.isLive {
      outcome.report.details.append("live")
    } else if !live.isEmpty {
      outcome.report.details.append("live: " + live.sorted().joined(separator: ", "))
    }
    if subject.transcript == nil { outcome.report.details.append("no transcript") }
  }

  /// Refuses components with denied resources, and notes the connections left open.
  private func check(
    _ subject: RecordedScenario, running live: LiveComponents, _ outcome: inout TestOutcome
  ) throws(ScenarioError) {
    let names = live.names(in: subject.plan)
    try permissions.check(subject.plan, running: names, hidingSecretsBy: flow.redactor)
    outcome.report.findings.notes += permissions.notes(on: subject.plan, running: names)
  }

  /// The number of first runs kept with their traces, and also of first failures.
  private static let mostTraces = 20

  /// Returns the results of as many runs as the options say.
  ///
  /// Of very many runs most are kept without traces.
  private func runs(
    of subject: RecordedScenario, _ activity: RunActivity
  ) async throws -> [TestRun] {
    var runs: [TestRun] = []
    for _ in 0..<options.repetitions where !Task.isCancelled {
      let run = try await run(subject, activity)
      runs.append(run.asOne(after: runs, mostTraces: Self.mostTraces))
    }
    return runs
  }

  // MARK: - Trials

  /// Returns the trials of a scenario of which something is live, or nil.
  ///
  /// A component that tests always call is the program under test, which answers as before to
  /// recorded answers. So it needs no trials alone.
  private func trials(of subject: RecordedScenario) throws -> TrialSeries? {
    if subject.isLive {
      return TrialSeries(
        of: subject.plan, inputs: try subject.liveInputs(options), live: nil)
    }
    guard options.live.chosen(in: subject.plan) != [] else { return nil }
    return TrialSeries(
      of: subject.plan, inputs: try subject.inputs(given: options.inputs),
      live: subject.liveNames)
  }

  /// Returns the trials of a series, of which only the last one that passed has its recording.
  private func runs(
    by series: TrialSeries, of subject: RecordedScenario, _ activity: RunActivity,
    _ outcome: inout TestOutcome
  ) async throws -> [TestRun] {
    var (series, runs): (TrialSeries, [TestRun]) = (series, [])
    while series.result == nil, !Task.isCancelled {
      var run = try await trial(series, subject, activity)
      if Task.isCancelled { return runs + [run] }
      series.end(by: run.passed ? nil : run.diagnostics)
      if run.passed {
        for index in runs.indices { runs[index].recording = nil }
      } else {
        run.recording = nil
      }
      runs.append(run.asOne(after: runs, mostTraces: Self.mostTraces))
    }
    if options.repetitions > 1 {
      outcome.report.findings.notes.append("'--repeat' does not repeat the trials of a scenario")
    }
    outcome.judge(series, runs)
    return runs
  }

  /// Runs the next trial.
  ///
  /// It is judged by the scenario alone, since a component that answers by chance never repeats the
  /// recorded answers.
  private func trial(
    _ series: TrialSeries, _ subject: RecordedScenario, _ activity: RunActivity
  ) async throws -> TestRun {
    if let transcript = subject.transcript, !subject.isLive {
      var run = try await replay(transcript, of: subject, activity, sinks: [series.used])
      run.forgiveDifference()
      return run
    }
    var run = await TestRun.live(
      subject.plan, inputs: try subject.liveInputs(options), seed: series.seed(from: subject.seed),
      hiding: options.secrets, flow, sinks: sinks + [series.used], tracing: tracing,
      measuring: measuring, activity: activity)
    if subject.transcript != nil, update != .all { run.recording = nil }
    return run
  }

  private func run(
    _ subject: RecordedScenario, _ activity: RunActivity
  ) async throws -> TestRun {
    if let transcript = subject.transcript, !subject.isLive {
      return try await replay(transcript, of: subject, activity)
    }
    let inputs = try subject.liveInputs(options)
    guard let transcript = subject.transcript, update != .all else {
      return await TestRun.live(
        subject.plan, inputs: inputs, seed: subject.seed, hiding: options.secrets, flow,
        sinks: sinks, tracing: tracing, measuring: measuring, activity: activity)
    }
    return try await comparedRun(of: subject, with: transcript, inputs, activity)
  }

  /// Runs the components, and compares their answers with the recorded ones.
  ///
  /// Answers to other questions could not be compared, so a replay tells first if the scenario asks
  /// what was recorded. With a recording of this very scenario that is only a question if the
  /// run differs.
  private func comparedRun(
    of subject: RecordedScenario, with transcript: Transcript, _ inputs: [Value],
    _ activity: RunActivity
  ) async throws -> TestRun {
    let isOwn = transcript.isRecording(of: subject.plan)
    let earlier = isOwn ? nil : try await recordedRun(subject, transcript)
    if let earlier, !earlier.asksTheSame, options.allowed.isEmpty { return earlier }
    var run = await TestRun.live(
      subject.plan, inputs: inputs, seed: subject.seed, hiding: options.secrets, flow,
      sinks: sinks, tracing: tracing, measuring: measuring, activity: activity,
      comparedWith: transcript)
    // An interrupted run is not compared.
    if Task.isCancelled { return run }
    if isOwn, run.passed, run.recording?.hasSameCalls(as: transcript) == true {
      run.recording = nil
      return run
    }
    let recorded = if let earlier { earlier } else { try await recordedRun(subject, transcript) }
    if !recorded.asksTheSame, options.allowed.isEmpty { return recorded }
    try compare(&run, with: transcript, subject, answersOnly: recorded.asksTheSame)
    // A run that was only compared is not kept.
    run.recording = nil
    return run
  }

  /// Runs a scenario on its recorded answers, except those of the live components.
  private func replay(
    _ transcript: Transcript, of subject: RecordedScenario, _ activity: RunActivity,
    sinks: [any EventSink] = []
  ) async throws -> TestRun {
    let asking = asking(subject)
    // A scenario with new calls asks for answers that are not recorded.
    let isSame =
      subject.liveNames.isEmpty || asking != nil
      ? false : try await recordedRun(subject, transcript).asksTheSame
    return await TestRun.replay(
      transcript, of: subject.plan,
      inputs: isSame ? try subject.inputs(given: options.inputs) : try subject.recordedInputs(),
      flow, allowing: options.allowed, acceptance: subject.acceptance, sinks: self.sinks + sinks,
      live: subject.liveNames,
      isSameScenario: isSame, asking: asking, hiding: options.secrets, tracing: tracing,
      measuring: measuring, activity: activity, checksSources: true)
  }

  /// Replays a recording without components, as far as the scenario asks what was recorded.
  private func recordedRun(
    _ subject: RecordedScenario, _ transcript: Transcript
  ) async throws -> TestRun {
    await TestRun.replay(
      transcript, of: subject.plan, inputs: try subject.recordedInputs(), flow,
      allowing: options.allowed, acceptance: subject.acceptance, tracing: tracing,
      measuring: measuring)
  }

  /// Returns the date of today if components are called for missing answers, or nil.
  private func asking(_ subject: RecordedScenario) -> Timestamp? {
    guard options.asksMissing, !subject.isLive, !subject.liveNames.isEmpty else { return nil }
    return Timestamp.epoch.advanced(by: .seconds(FileSystem.wallClock.seconds))
  }

  /// Fails a live run that differs from a transcript.
  private func compare(
    _ run: inout TestRun, with transcript: Transcript, _ subject: RecordedScenario,
    answersOnly: Bool
  ) throws {
    let difference =
      answersOnly
      ? try run.recording?.answerDifference(from: transcript, subject.plan)
      : try run.recording?.difference(from: transcript, subject.plan)
    guard let difference else { return }
    let (others, allowed) = difference.withoutDigest.separating(options.allowed)
    run.notes = allowed.allowedNotes
    let rest = answersOnly ? others.explained(by: run.report) : others
    if rest.isSameRun { return }
    run.difference = rest
    let failed = run.report.failures.map(\.address)
    run.departsFirst =
      try run.recording.map { rest.precedes(failed, in: try $0.whole(subject.plan.file)) } ?? false
    // A failed run is not recorded.
    run.departures.append(
      .departure(rest, acceptance: run.report.passed ? subject.acceptance : nil))
  }

  /// Puts a transcript in its place if the mode allows it and the content is new.
  private func keep(
    _ recording: Recording?, _ subject: RecordedScenario, _ outcome: inout TestOutcome
  ) async throws {
    guard var recording, update != .never, !Task.isCancelled else { return }
    guard try await replays(recording, subject, &outcome) else { return }
    if let old = subject.written {
      recording = recording.keeping(old, of: subject.plan, flow.redactor)
    }
    guard let path = try archive.keep(recording, of: outcome.scenario) else { return }
    outcome.report.verdict = .recorded
    outcome.report.sources = AnswerSources(live: Set(subject.plan.componentNames))
    outcome.code = archive.isCI ? .failed : .passed
    outcome.report.details = [path] + (outcome.report.trials.map { [$0.text] } ?? [])
    outcome.report.isRefused = archive.isCI
    // The report may be shown from another working directory.
    outcome.report.attachments = archive.isCI ? [FileSystem.realPath(path) ?? path] : []
    outcome.report.findings.diagnostics = []
    let names = LiveComponents.all.names(in: subject.plan)
    outcome.report.findings.notes =
      subject.losses + outcome.trialNotes + permissions.notes(on: subject.plan, running: names)
      + [recording.warning, recording.shownSecrets].compactMap(\.self)
    if let old = subject.comparable {
      outcome.report.changes = try recording.difference(from: old, subject.plan).lines
    }
  }

  /// Returns true if a recording replays.
  ///
  /// Otherwise the test fails, as it would the next time.
  private func replays(
    _ recording: Recording, _ subject: RecordedScenario, _ outcome: inout TestOutcome
  ) async throws -> Bool {
    let transcript = try recording.whole(subject.plan.file)
    let inputs = try transcript.header.inputValues(for: subject.plan, file: subject.plan.file)
    let run = await TestRun.replay(
      transcript, of: subject.plan, inputs: inputs, flow, acceptance: nil)
    if run.passed { return !Task.isCancelled }
    // The cancellation is the reason for the failure.
    if Task.isCancelled { return false }
    outcome.fail(.failed, run.diagnostics)
    outcome.report.details.append("not recorded, the recording does not replay")
    return false
  }

  /// Runs a failed scenario on its components, and keeps the recording if the run passes.
  private func record(_ subject: RecordedScenario, _ outcome: inout TestOutcome) async throws {
    do throws(ScenarioError) { try check(subject, running: .all, &outcome) } catch {
      outcome.report.details.append("not recorded, a component is not allowed to run")
      return outcome.report.findings.diagnostics += error.diagnostics
    }
    let inputs = try subject.liveInputs(options)
    let run = await TestRun.live(
      subject.plan, inputs: inputs, seed: subject.seed, hiding: options.secrets, flow)
    guard run.passed else {
      outcome.report.details.append("not recorded, the live run failed")
      outcome.report.findings.notes += run.log
      return outcome.report.findings.diagnostics = run.diagnostics
    }
    try await keep(run.recording, subject, &outcome)
  }
}

extension TestRun {
  /// Returns the run as one after others, of which only the first ones and the first failures keep
  /// their traces.
  fileprivate func asOne(after others: [TestRun], mostTraces: Int) -> TestRun {
    if others.count < mostTraces { return self }
    if !passed, others.count(where: { !$0.passed }) < mostTraces { return self }
    var copy = self
    copy.trace = trace.withoutSpans
    return copy
  }
}
