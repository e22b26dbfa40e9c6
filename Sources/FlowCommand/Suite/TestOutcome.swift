internal import FlowCore
internal import FlowReport
internal import FlowTranscript

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

  mutating func fail(_ code: ExitCode, _ diagnostics: [Diagnostic]) {
    report.verdict = .failed
    self.code = code
    report.findings.diagnostics = diagnostics
  }

  /// True if the scenario does not stop the suite.
  ///
  /// A recording made on a machine fails only the suite as a whole.
  var isFine: Bool { code == .passed || report.verdict == .recorded }

  /// Adds the runs, with their notes behind those of the scenario.
  mutating func add(_ runs: [TestRun], _ notes: [String]) {
    let failed = report.verdict == .passed ? nil : runs.first { !$0.passed }
    report.attempts = runs.map(\.attempt)
    for run in runs { report.measures.add(run.measures) }
    // The log helps to find the cause of a failure, and is of no other interest.
    report.findings.notes += notes + (runs.last?.notes ?? []) + (failed?.log ?? [])
    report.difference = runs.lazy.compactMap(\.difference).first
    report.findings.mismatches = (failed ?? runs.last)?.mismatches ?? []
    if report.findings.mismatches.contains(where: \.isStale) { report.details.append("stale") }
  }

  /// The notes about the trials of the scenario.
  var trialNotes: [String] { report.trials?.notes ?? [] }

  /// Judges the trials of a series, unless they were interrupted.
  mutating func judge(_ series: TrialSeries, _ runs: [TestRun]) {
    guard let result = series.result else { return }
    report.trials = result
    report.details.append(result.text)
    if let problem = series.problem {
      fail(.failed, [problem] + (runs.first { !$0.passed }?.diagnostics ?? []))
    } else {
      report.findings.notes += trialNotes
    }
    report.findings.notes += series.notes
  }

  mutating func judge(_ runs: [TestRun], failsFlaky: Bool) {
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
