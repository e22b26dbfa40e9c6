internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// How the test of one scenario ended.
package struct ScenarioReport: Sendable {
  /// What became of it; every scenario of a suite has one.
  package enum Verdict: String, CaseIterable, Sendable {
    /// It did what it should.
    case passed
    /// It did not, or could not be read.
    case failed
    /// It passed at one time and failed at another.
    case flaky
    /// It passed, and what it did is its transcript now.
    case recorded
    /// It was not begun, or interrupted.
    case notRun = "not run"
  }

  /// The scenario's path as it is shown.
  package let path: String
  /// What became of it.
  package var verdict = Verdict.passed
  /// How it was tested, where that is not by its transcript alone: a few words each.
  package var details: [String] = []
  /// What was found.
  package var findings = RunFindings()
  /// What a transcript that replaced another says otherwise, a line each.
  package var changes: [String] = []
  /// How its components departed from its transcript; nil where they did not run, or did not depart.
  package var difference: TranscriptDifference?
  /// How long it took, all its repetitions together.
  package var elapsed = Duration.zero

  /// A scenario that passed.
  package init(path: String) { self.path = path }
}

/// How a suite of scenarios ended.
package struct SuiteReport: Sendable {
  /// How many scenarios ended in which way.
  package private(set) var counts: [ScenarioReport.Verdict: Int] = [:]
  /// The scenarios in their order; empty where the report is printed while the suite runs.
  package private(set) var scenarios: [ScenarioReport] = []
  /// Whether nothing failed.
  package var passed = true
  /// How long it took, finding and loading included.
  package var elapsed = Duration.zero
  /// What the order was drawn from; nil for the order of the paths.
  package var seed: UInt64?

  /// Whether a document is made of the scenarios in the end.
  package let keepsScenarios: Bool

  /// A suite of which no scenario has ended.
  package init(keepsScenarios: Bool) { self.keepsScenarios = keepsScenarios }

  /// Adds the end of a scenario.
  package mutating func add(_ scenario: ScenarioReport) {
    counts[scenario.verdict, default: 0] += 1
    if keepsScenarios { scenarios.append(scenario) }
  }

  /// Counts scenarios that were never begun.
  package mutating func addNotRun(_ count: Int) {
    if count > 0 { counts[.notRun, default: 0] += count }
  }
}

extension Output<SuiteReport> {
  /// One object for machines.
  package static var json: Output {
    Output("json") { suite, redactor in
      .json(
        .object([
          .init("passed", .bool(suite.passed)),
          .init("scenarios", .array(suite.scenarios.map { $0.json(redactor) })),
        ]))
    }
  }
}

extension ScenarioReport {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object(
      [
        .init("path", .string(path)), .init("verdict", .string(verdict.rawValue)),
        .init("details", .list(details)),
      ] + findings.members(redactor)
        + (difference.map { [.init("difference", $0.json(redactor))] } ?? []))
  }
}
