package import FlowCore
package import FlowRedaction
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

  /// What the end of a scenario counts as, where a report knows only these four.
  package enum Result: String, Sendable {
    case passed
    /// An expectation was not met, or the run departed from its transcript.
    case failure
    /// Everything else that is wrong: the scenario cannot be read, a component failed, the run was interrupted.
    case error
    case skipped
  }

  /// What is known of a scenario that another process tested, beside what its line shows.
  struct Stored: Sendable {
    /// What its end counts as.
    let result: Result
    /// What is wrong, as the console shows it, whole lines; empty for nothing.
    let text: String
    /// What a document for machines has of it.
    let json: JSON
    /// What else reports say of it.
    let facts: ScenarioFacts
  }

  /// One run of the scenario, as reports show it.
  package struct Attempt: Sendable {
    /// Whether nothing was wrong.
    package let passed: Bool
    /// What was wrong, in the order of the run.
    package fileprivate(set) var diagnostics: [Diagnostic]
    /// What was wrong with attempts of its steps that were made again, in the order in which they failed.
    package fileprivate(set) var retried: [Diagnostic]
    /// What its components logged, a sentence each.
    package fileprivate(set) var log: [String]
    /// What happened in it.
    package fileprivate(set) var trace: RunTrace

    /// A run that has ended.
    package init(
      passed: Bool, diagnostics: [Diagnostic], retried: [Diagnostic] = [], log: [String],
      trace: RunTrace
    ) {
      self.passed = passed
      self.diagnostics = diagnostics
      self.retried = retried
      self.log = log
      self.trace = trace
    }
  }

  /// The scenario's path as it is shown.
  package private(set) var path: String
  /// The scenario's `name:`; empty when it has none, or cannot be read.
  package private(set) var name: String
  /// The scenario's `tags:`; empty for one that cannot be read.
  package var tags: [String] = []
  /// Whether the suite passes in spite of it, as with a flaky one where that was asked for.
  package var isTolerated = false
  /// Which one it is among those of its path in a report, from 1.
  package var occurrence = 1
  /// The command that runs it again in the same way; empty where there is none.
  package var command = ""
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
  /// After how long a scenario is slow; nil for never.
  package var slowAfter: Duration? = .seconds(60)
  /// Whether it took longer than that.
  package var isSlow: Bool { slowAfter.map { elapsed > $0 } ?? false }
  /// Whether it was stopped before its end.
  package var wasInterrupted = false
  /// Whether it was recorded where nothing may be, so that it does not count as passed.
  package var isRefused = false
  /// Files that explain how it ended, such as a recording that was put aside.
  package var attachments: [String] = []

  /// Its runs in their order; empty where no report asks for them, and for one that was not run.
  package var attempts: [Attempt] = []

  /// What `flow mutate` found in it; nil where it was not asked.
  package var mutation: MutationReport?

  /// What is known of one that was tested by another process; nil for one that was tested here.
  var stored: Stored?

  /// A scenario that passed.
  package init(path: String, name: String = "") {
    self.path = path
    self.name = name
  }

  /// A scenario that was not begun.
  package init(notRun path: String, name: String) {
    self.init(path: path, name: name)
    verdict = .notRun
  }

  /// Forgets everything about its runs but which of them passed.
  package mutating func forgetRuns() {
    attempts = attempts.map {
      Attempt(passed: $0.passed, diagnostics: [], log: [], trace: RunTrace())
    }
  }

  /// The same without secrets in what was not made of values of a run.
  package func redacted(by redactor: Redactor) -> ScenarioReport {
    guard redactor.isActive else { return self }
    var copy = self
    copy.path = redactor.redacted(path)
    copy.name = redactor.redacted(name)
    copy.tags = tags.map(redactor.redacted)
    copy.command = redactor.redacted(command)
    copy.findings.diagnostics = findings.diagnostics.map { $0.redacted(by: redactor) }
    copy.findings.notes = findings.notes.map(redactor.redacted)
    copy.details = details.map(redactor.redacted)
    copy.changes = changes.map(redactor.redacted)
    copy.attachments = attachments.map(redactor.redacted)
    copy.attempts = attempts.map { attempt in
      var copy = attempt
      copy.diagnostics = attempt.diagnostics.map { $0.redacted(by: redactor) }
      copy.retried = attempt.retried.map { $0.redacted(by: redactor) }
      copy.log = attempt.log.map(redactor.redacted)
      copy.trace = attempt.trace.redacted(by: redactor)
      return copy
    }
    return copy
  }

  func json(_ redactor: Redactor) -> JSON {
    if let stored { return stored.json }
    return .object(
      [
        .init("path", .string(path)), .init("verdict", .string(verdict.rawValue)),
        .init("details", .list(details)),
      ] + (isSlow ? [.init("slow", .bool(true))] : []) + findings.members(redactor)
        + (difference.map { [.init("difference", $0.json(redactor))] } ?? []))
  }
}

/// How a suite of scenarios ended.
package struct SuiteReport: Sendable {
  /// How many scenarios ended in which way.
  package private(set) var counts: [ScenarioReport.Verdict: Int] = [:]
  /// How many of them count as what, for reports that know no other ends.
  package private(set) var results: [ScenarioReport.Result: Int] = [:]
  /// The scenarios in their order; empty where the report is printed while the suite runs.
  package private(set) var scenarios: [ScenarioReport] = []
  /// How many of them were slow.
  package private(set) var slowCount = 0
  /// Whether nothing failed.
  package var passed = true
  /// How long it took, finding and loading included.
  package var elapsed = Duration.zero
  /// What the order was drawn from; nil for the order of the paths.
  package var seed: UInt64?
  /// Whether it was stopped before all scenarios were tested.
  package var wasInterrupted = false

  /// Whether a document is made of the scenarios in the end.
  package let keepsScenarios: Bool

  /// How many scenarios there were.
  package var total: Int { counts.values.reduce(0, +) }

  /// A suite of which no scenario has ended.
  package init(keepsScenarios: Bool) { self.keepsScenarios = keepsScenarios }

  /// Adds the end of a scenario.
  package mutating func add(_ scenario: ScenarioReport) {
    counts[scenario.verdict, default: 0] += 1
    results[scenario.result, default: 0] += 1
    if scenario.isSlow { slowCount += 1 }
    if keepsScenarios { scenarios.append(scenario) }
  }

  /// Counts scenarios that were never begun.
  package mutating func addNotRun(_ count: Int) {
    if count == 0 { return }
    counts[.notRun, default: 0] += count
    results[.skipped, default: 0] += count
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
