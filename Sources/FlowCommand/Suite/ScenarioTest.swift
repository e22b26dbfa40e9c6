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

  /// Tests a scenario as often as the options say, and keeps the recording if required.
  ///
  /// The activity follows its runs.
  func outcome(
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
    let runs = try await runs(of: subject, activity)
    outcome.judge(runs, failsFlaky: options.failsFlaky)
    outcome.add(runs, notes)
    if outcome.report.verdict == .passed {
      try await keep(runs.last?.recording, subject, &outcome)
    } else if let transcript = subject.transcript {
      outcome.report.findings.notes += transcript.header.changes(in: plan)
      if outcome.report.verdict == .failed, update == .failed {
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
    var (runs, failures): ([TestRun], Int) = ([], 0)
    for _ in 0..<options.repetitions where !Task.isCancelled {
      var run = try await run(subject, activity)
      if !run.passed { failures += 1 }
      let isEarly = !run.passed && failures <= Self.mostTraces || runs.count < Self.mostTraces
      if !isEarly { run.trace = run.trace.withoutSpans }
      runs.append(run)
    }
    return runs
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
        tracing: tracing, measuring: measuring, activity: activity)
    }
    let recorded = try await recordedRun(subject, transcript)
    // Answers to other questions could not be compared.
    if !recorded.asksTheSame, options.allowed.isEmpty { return recorded }
    var run = await TestRun.live(
      subject.plan, inputs: inputs, seed: subject.seed, hiding: options.secrets, flow,
      tracing: tracing, measuring: measuring, activity: activity, comparedWith: transcript)
    // An interrupted run is not compared.
    if Task.isCancelled { return run }
    try compare(&run, with: transcript, subject, answersOnly: recorded.asksTheSame)
    // A run that was only compared is not kept.
    run.recording = nil
    return run
  }

  /// Runs a scenario on its recorded answers, except those of the live components.
  private func replay(
    _ transcript: Transcript, of subject: RecordedScenario, _ activity: RunActivity
  ) async throws -> TestRun {
    let asking = asking(subject)
    // A scenario with new calls asks for answers that are not recorded.
    let isSame =
      subject.liveNames.isEmpty || asking != nil
      ? false : try await recordedRun(subject, transcript).asksTheSame
    return await TestRun.replay(
      transcript, of: subject.plan,
      inputs: isSame ? try subject.inputs(given: options.inputs) : try subject.recordedInputs(),
      flow, allowing: options.allowed, acceptance: subject.acceptance, live: subject.liveNames,
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
    outcome.report.details = [path]
    outcome.report.isRefused = archive.isCI
    // The report may be shown from another working directory.
    outcome.report.attachments = archive.isCI ? [FileSystem.realPath(path) ?? path] : []
    outcome.report.findings.diagnostics = []
    let names = LiveComponents.all.names(in: subject.plan)
    outcome.report.findings.notes =
      subject.losses + permissions.notes(on: subject.plan, running: names)
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

/// The result of the test of one scenario.
struct TestOutcome: Sendable {
  let scenario: SuiteScenario
  /// The exit code, unless another scenario has a worse one.
  var code = ExitCode.passed
  var report: ScenarioReport

  init(of scenario: SuiteScenario, slowAfter: Duration?) {
    self.scenario = scenario
    report = ScenarioReport(path: scenario.path, name: scenario.name)
    report.slowAfter = slowAfter
  }

  fileprivate mutating func fail(_ code: ExitCode, _ diagnostics: [Diagnostic]) {
    report.verdict = .failed
    self.code = code
    report.findings.diagnostics = diagnostics
  }

  /// True if the scenario does not stop the suite.
  ///
  /// A recording made on a machine fails only the suite as a whole.
  var isFine: Bool { code == .passed || report.verdict == .recorded }

  /// Adds the runs, with their notes behind those of the scenario.
  fileprivate mutating func add(_ runs: [TestRun], _ notes: [String]) {
    let failed = runs.first { !$0.passed }
    report.attempts = runs.map(\.attempt)
    for run in runs { report.measures.add(run.measures) }
    // The log helps to find the cause of a failure, and is of no other interest.
    report.findings.notes += notes + (runs.last?.notes ?? []) + (failed?.log ?? [])
    report.difference = runs.lazy.compactMap(\.difference).first
    report.findings.mismatches = (failed ?? runs.last)?.mismatches ?? []
    if report.findings.mismatches.contains(where: \.isStale) { report.details.append("stale") }
  }

  fileprivate mutating func judge(_ runs: [TestRun], failsFlaky: Bool) {
    let failed = runs.filter { !$0.passed }
    guard let first = failed.first else { return }
    fail(.failed, first.diagnostics)
    guard failed.count < runs.count else { return }
    report.verdict = .flaky
    report.isTolerated = !failsFlaky
    if !failsFlaky { code = .passed }
    report.details.append("\(failed.count) of \(runs.count) failed")
  }
}

extension ReplayMismatch {
  /// True for a changed file or default that fails the test.
  fileprivate var isStale: Bool { subject == .source && !isAllowed }
}

extension ExitCode {
  // The codes of a suite, from the best to the worst. The worst of its scenarios counts.
  private static let byGravity: [ExitCode] = [
    .passed, .failed, .badInput, .cannotWrite, .interrupted,
  ]

  func worse(_ other: ExitCode) -> ExitCode {
    let rank = { (code: ExitCode) in Self.byGravity.firstIndex(of: code) ?? Self.byGravity.count }
    return rank(other) > rank(self) ? other : self
  }
}
