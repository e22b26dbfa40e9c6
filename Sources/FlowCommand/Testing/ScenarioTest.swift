internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// Tests one scenario: by its transcript, or on its components.
struct ScenarioTest: Sendable {
  let flow: FlowCommand
  let options: TestOptions
  let update: UpdateMode
  /// Who keeps new transcripts.
  let archive: TranscriptArchive

  /// Tests a scenario as often as the options say, and keeps what was recorded if it should be.
  func outcome(of scenario: SuiteScenario) async -> TestOutcome {
    let clock = ContinuousClock()
    let start = clock.now
    var outcome = TestOutcome(scenario: scenario, verdict: .passed, code: .passed)
    do {
      try await test(&outcome, try scenario.plan.get())
    } catch let error as ScenarioError {
      error.hideSecrets(by: flow.redactor)
      outcome.fail(.badInput, error.diagnostics)
    } catch let error as TranscriptError {
      outcome.fail(.badInput, [error.diagnostic])
    } catch {
      outcome.fail(.cannotWrite, [])
      outcome.notes = ["the transcript was not written: \(error)"]
    }
    outcome.elapsed = start.duration(to: clock.now)
    if Task.isCancelled, outcome.verdict != .recorded {
      outcome.verdict = .notRun
      outcome.code = .interrupted
      outcome.details = ["interrupted"]
    }
    return outcome
  }

  private func test(_ outcome: inout TestOutcome, _ plan: Plan) async throws {
    let subject = try TestSubject(plan, outcome.scenario.transcript, update)
    outcome.notes = subject.losses
    outcome.acceptance = subject.acceptance(options)
    if subject.isLive(options) { outcome.details.append("live") }
    if subject.transcript == nil { outcome.details.append("no transcript") }
    var runs: [TestRun] = []
    for _ in 0..<options.repetitions where !Task.isCancelled {
      runs.append(try await run(subject))
    }
    outcome.judge(runs)
    // What was logged helps to find out why something failed, and is of no interest otherwise.
    outcome.notes += (runs.last?.notes ?? []) + (runs.first { !$0.passed }?.log ?? [])
    outcome.difference = runs.lazy.compactMap(\.difference).first
    outcome.mismatches = (runs.first { !$0.passed } ?? runs.last)?.mismatches ?? []
    if outcome.verdict == .passed {
      try await keep(runs.last?.recording, subject, &outcome)
    } else if let transcript = subject.transcript {
      outcome.notes += transcript.header.changes(in: plan)
      if outcome.verdict == .failed, update == .failed { try await record(subject, &outcome) }
    }
  }

  /// Runs once, in the way that the options and the transcript ask for.
  private func run(_ subject: TestSubject) async throws -> TestRun {
    if let transcript = subject.transcript, !subject.isLive(options) {
      return await TestRun.replay(
        transcript, subject.plan, try subject.recordedInputs(), flow, allowing: options.allowed,
        acceptance: subject.acceptance(options))
    }
    let inputs = try subject.liveInputs(options.secrets)
    guard let transcript = subject.transcript, update != .all else {
      return await TestRun.live(subject.plan, inputs, seed: subject.seed, options.secrets, flow)
    }
    let order = LiveOrderCheck(transcript)
    var run = await TestRun.live(
      subject.plan, inputs, seed: subject.seed, options.secrets, flow, sinks: [order])
    try compare(&run, with: transcript, subject)
    run.mismatches += order.mismatches
    run.departures += order.mismatches.map(\.diagnostic)
    // What was only compared is not kept.
    run.recording = nil
    return run
  }

  /// Fails a live run that did something else than a transcript says.
  private func compare(
    _ run: inout TestRun, with transcript: Transcript, _ subject: TestSubject
  ) throws {
    guard let difference = try run.recording?.difference(from: transcript, subject.plan)
    else { return }
    let (rest, allowed) = difference.separating(options.allowed)
    run.notes = allowed.map { "allowed: \($0.title)" }
    if rest.isSameRun { return }
    run.difference = rest
    run.departures.append(.departure(rest, acceptance: subject.acceptance(options)))
  }

  /// Puts a transcript in its place where the mode asks for it and it says something new.
  private func keep(
    _ recording: InMemoryTranscript?, _ subject: TestSubject, _ outcome: inout TestOutcome
  ) async throws {
    guard var recording, update != .never, !Task.isCancelled else { return }
    guard try await replays(recording, subject, &outcome) else { return }
    if let old = subject.written {
      recording = old.keepingMatchers(in: recording, of: subject.plan)
    }
    guard let path = try archive.keep(recording, of: outcome.scenario) else { return }
    outcome.verdict = .recorded
    outcome.code = archive.isAutomated ? .failed : .passed
    outcome.details = [path]
    outcome.diagnostics = []
    outcome.notes = subject.losses
    if let old = subject.comparable {
      outcome.changes = try recording.difference(from: old, subject.plan).lines
    }
  }

  /// Whether a recording replays; the test fails when it does not, since it would the next time.
  private func replays(
    _ recording: InMemoryTranscript, _ subject: TestSubject, _ outcome: inout TestOutcome
  ) async throws -> Bool {
    let transcript = try recording.read(subject.plan.file)
    let inputs = try transcript.header.inputValues(for: subject.plan, file: subject.plan.file)
    let run = await TestRun.replay(transcript, subject.plan, inputs, flow, acceptance: nil)
    if run.passed { return !Task.isCancelled }
    // Then the reason is the cancellation.
    if Task.isCancelled { return false }
    outcome.fail(.failed, run.diagnostics)
    outcome.details.append("not recorded, the recording does not replay")
    return false
  }

  /// Runs on the components what did not do what its transcript says, and keeps it if that passes.
  private func record(_ subject: TestSubject, _ outcome: inout TestOutcome) async throws {
    let inputs = try subject.liveInputs(options.secrets)
    let run = await TestRun.live(
      subject.plan, inputs, seed: subject.seed, options.secrets, flow)
    guard run.passed else {
      outcome.details.append("not recorded, the live run failed")
      outcome.notes += run.log
      return outcome.diagnostics = run.diagnostics
    }
    try await keep(run.recording, subject, &outcome)
  }
}

extension TestOutcome {
  fileprivate mutating func fail(_ code: ExitCode, _ diagnostics: [Diagnostic]) {
    verdict = .failed
    self.code = code
    self.diagnostics = diagnostics
  }

  /// Takes the verdict of several runs.
  fileprivate mutating func judge(_ runs: [TestRun]) {
    let failed = runs.filter { !$0.passed }
    guard let first = failed.first else { return }
    fail(.failed, first.diagnostics)
    guard failed.count < runs.count else { return }
    verdict = .flaky
    details.append("\(failed.count) of \(runs.count) failed")
  }
}

extension Diagnostic {
  /// A live run that did otherwise than its transcript says.
  fileprivate static func departure(
    _ difference: TranscriptDifference, acceptance: String
  ) -> Diagnostic {
    let lines = difference.lines
    let more = lines.count > 20 ? ["and \(lines.count - 20) more lines; 'flow diff' has all"] : []
    return Diagnostic(
      "F3009", "the components do not do what the transcript says", at: nil,
      notes: lines.prefix(20) + more
        + ["record again with '\(acceptance)' if the change is meant"])
  }
}
