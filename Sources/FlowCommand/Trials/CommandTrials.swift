internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowReport
internal import FlowSystem

extension CommandContext {
  /// Returns the trials of a scenario, or nil for a single run.
  ///
  /// A journal, a comparison of two runs and a person's look at a failure are about a single run.
  func trials(of plan: Plan, _ inputs: [Value], _ options: RunOptions) -> TrialSeries? {
    guard let series = TrialSeries(of: plan, inputs: inputs, live: nil) else { return nil }
    let others = [
      ("journal", options.journal != nil), ("twice", options.isTwice),
      ("debug-on-failure", options.debugsFailures),
    ]
    guard let other = others.first(where: \.1) else { return series }
    process.say("with '--\(other.0)' the scenario runs once, without its trials", as: .note)
    return nil
  }

  /// Runs the trials of a scenario, and records the last one that passed if enough did.
  func complete(
    _ run: CommandRun, by series: TrialSeries, _ plan: Plan, _ inputs: [Value]
  ) async throws(FileError) -> ExitCode {
    var trials = CommandTrials(run, series)
    while trials.series.result == nil {
      let trial = trials.next(of: plan)
      let (report, wasInterrupted) = await runLive(plan, inputs, trial)
      trials.end(trial, report, plan, wasInterrupted: wasInterrupted)
      if wasInterrupted { break }
    }
    // Includes secrets that no component received, because lines of the scenario are quoted.
    plan.hideSecrets(inputs: [], by: redactor)
    let scenario = trials.scenario(plan)
    if let result = trials.series.result { report(result, of: scenario) }
    let code = run.reports?.finish(with: scenario) ?? .passed
    if scenario.wasInterrupted { return interrupted(run, of: plan) }
    guard scenario.verdict == .passed else {
      if let transcript = run.transcript { leave(transcript) }
      return code.worse(.failed)
    }
    if let recorded = trials.recorded {
      try await finish(recorded.transcript, passed: true, from: " (trial \(recorded.number))")
    }
    return code
  }

  private func report(_ result: TrialResult, of scenario: ScenarioReport) {
    let word = result.hasPassed ? "passed" : "failed"
    process.output("\(word) in \(scenario.elapsed.reportText): trials \(result.text)\n")
    print(scenario.findings.diagnostics)
    note(scenario.findings.notes)
    verdict.count([
      ("trials_passed", result.passed), ("trials_failed", result.tried - result.passed),
    ])
  }

  /// Leaves the place of a transcript as it is, since no trial may stand for those that failed.
  private func leave(_ transcript: TranscriptOutput) {
    transcript.abandon()
    process.say("the trials failed, so nothing was recorded", as: .note)
  }
}

/// The trials of `flow run`, as far as they have ended.
private struct CommandTrials {
  /// The number of first trials kept with their traces, and also of first failures.
  private static let mostTraces = 20

  private(set) var series: TrialSeries
  /// The last trial that passed, if the run is recorded.
  private(set) var recorded: (transcript: TranscriptOutput, number: Int)?

  private let run: CommandRun
  private var attempts: [ScenarioReport.Attempt] = []
  private var measures = RunMeasures()
  private var elapsed = Duration.zero
  private var wasInterrupted = false

  init(_ run: CommandRun, _ series: TrialSeries) { (self.run, self.series) = (run, series) }

  /// Returns the next trial: a run with its own name, seed and recording.
  func next(of plan: Plan) -> CommandRun {
    var session = run.session
    session.seed = series.seed(from: run.session.seed)
    if series.number > 1 { session.name = Session.newName(for: plan) }
    var trial = CommandRun()
    trial.session = session
    trial.detail = run.detail == .steps ? .failures : run.detail
    trial.isFromInput = run.isFromInput
    trial.inputs = run.inputs
    trial.given = run.given
    trial.reports = run.reports
    trial.transcript = run.transcript?.ofAnotherRun
    trial.trialSink = series.used
    trial.trial = series.number
    return trial
  }

  /// Notes the end of a trial.
  mutating func end(
    _ trial: CommandRun, _ report: RunReport, _ plan: Plan, wasInterrupted: Bool
  ) {
    let scenario = trial.scenario(plan, report, wasInterrupted: wasInterrupted)
    attempts += scenario.attempts.map { attempts.count < Self.mostTraces ? $0 : $0.withoutSpans }
    measures.add(scenario.measures)
    elapsed += report.elapsed
    self.wasInterrupted = wasInterrupted
    if wasInterrupted { return }
    if report.passed { recorded = trial.transcript.map { ($0, series.number) } }
    series.end(by: report.passed ? nil : report.diagnostics)
  }

  /// Returns the result of all trials for reports.
  func scenario(_ plan: Plan) -> ScenarioReport {
    var scenario = run.scenario(plan, RunReport(), wasInterrupted: wasInterrupted)
    (scenario.attempts, scenario.measures, scenario.elapsed) = (attempts, measures, elapsed)
    scenario.trials = series.result
    guard let result = series.result else { return scenario }
    scenario.details = [result.text]
    if let problem = series.problem {
      scenario.verdict = .failed
      scenario.findings.diagnostics =
        [problem] + (attempts.first { !$0.passed }?.diagnostics ?? [])
    } else {
      scenario.findings.notes = result.notes
    }
    scenario.findings.notes += series.notes
    return scenario
  }
}
