package import FlowCore
package import FlowRedaction

/// The result of a suite of scenarios.
package struct SuiteReport: Sendable {
  /// The number of scenarios by their verdict.
  package private(set) var counts: [ScenarioReport.Verdict: Int] = [:]
  /// The number of scenarios by their result, for reports without the verdicts.
  package private(set) var results: [ScenarioReport.Result: Int] = [:]
  /// The scenarios in their order.
  ///
  /// Empty if the report is printed during the suite.
  package private(set) var scenarios: [ScenarioReport] = []
  /// The number of cases inside of scenarios by their result.
  package private(set) var cases: [ScenarioReport.Result: Int] = [:]
  /// The number of outermost steps by their result, none if no report shows the runs.
  package private(set) var steps: [ScenarioReport.Result: Int] = [:]
  /// The share of the noticed alterations of the mutated scenarios, or nil.
  private(set) var mutationScore: MutationScore?
  /// The number of slow scenarios.
  package private(set) var slowCount = 0
  /// The components of the tested scenarios, by the source of their answers.
  package private(set) var sources = AnswerSources()
  /// The parts of services' descriptions covered by the scenarios.
  package private(set) var coverage = ContractCoverage()
  /// The quantities of the scenarios' calls.
  package private(set) var usage = SuiteUsage()
  /// The required shares of covered parts, in percent.
  package var thresholds: [ContractPart.Kind: Decimal] = [:]
  /// True if the text has lines about the covered parts.
  package var listsCoverage = false
  /// True if nothing failed.
  package var passed = true
  /// The duration, including finding and loading.
  package var elapsed = Duration.zero
  /// The seed of the random order, or nil for the order of the paths.
  package var seed: UInt64?
  /// True if it was stopped before all scenarios were tested.
  package var wasInterrupted = false

  /// True if a document is made of the scenarios in the end.
  package let keepsScenarios: Bool

  /// The number of scenarios.
  package var total: Int { counts.values.reduce(0, +) }

  /// Creates the report of a suite of which no scenario has ended.
  package init(keepsScenarios: Bool) { self.keepsScenarios = keepsScenarios }

  /// Adds the end of a scenario.
  package mutating func add(_ scenario: ScenarioReport) {
    counts[scenario.verdict, default: 0] += 1
    results[scenario.result, default: 0] += 1
    for result in scenario.caseResults { cases[result, default: 0] += 1 }
    for result in scenario.stepResults { steps[result, default: 0] += 1 }
    if let mutation = scenario.mutation {
      var score = mutationScore ?? MutationScore()
      score.add(mutation.score)
      mutationScore = score
    }
    if scenario.verdict != .notRun { sources.add(scenario.sources) }
    if scenario.isSlow { slowCount += 1 }
    coverage.add(scenario.measures.covered, of: scenario.path)
    usage.add(scenario.measures.usage, of: scenario.path)
    if keepsScenarios {
      var kept = scenario
      kept.measures = RunMeasures()
      scenarios.append(kept)
    }
  }

  /// Adds the coverage of scenarios tested by another process.
  package mutating func add(_ other: ContractCoverage) { coverage.add(other) }

  /// Returns the report with secrets hidden in its coverage.
  ///
  /// Its scenarios hide their own.
  package func redacted(by redactor: Redactor) -> SuiteReport {
    var copy = self
    copy.coverage = coverage.redacted(by: redactor)
    return copy
  }

  /// Counts scenarios that were never started.
  package mutating func addNotRun(_ count: Int) {
    if count == 0 { return }
    counts[.notRun, default: 0] += count
    results[.skipped, default: 0] += count
  }
}
