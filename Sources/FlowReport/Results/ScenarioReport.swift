package import FlowCore
package import FlowEngine
package import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// The result of testing one scenario.
package struct ScenarioReport: Sendable {
  /// The verdict on a scenario.
  ///
  /// Every scenario of a suite has one.
  package enum Verdict: String, CaseIterable, Sendable {
    /// The scenario passed.
    case passed
    /// The scenario failed, or could not be read.
    case failed
    /// The scenario passed at one time and failed at another.
    case flaky
    /// The scenario passed, and its transcript was written.
    case recorded
    /// The scenario was not started, or interrupted.
    case notRun = "not run"
  }

  /// The result of a scenario for reports with only these four.
  package enum Result: String, Sendable {
    case passed
    /// An expectation was not met, or the run departed from its transcript.
    case failure
    /// Everything else that is wrong: the scenario cannot be read, a component failed, the run was interrupted.
    case error
    case skipped
  }

  /// The record of a scenario tested by another process, in addition to its line.
  struct Stored: Sendable {
    /// The result of its end.
    let result: Result
    /// The problems in the form of the console, in whole lines, or empty.
    let text: String
    /// The same as the console prints them, which shortens several failed cases.
    let brief: String
    /// Its part of a document for machines.
    let json: JSON
    /// The further data for reports.
    let facts: ScenarioFacts
  }

  /// One run of the scenario, for reports.
  package struct Attempt: Sendable {
    /// True if the run has no problems.
    package let passed: Bool
    /// The problems, in the order of the run.
    package fileprivate(set) var diagnostics: [Diagnostic]
    /// The problems of retried attempts of its steps, in the order of their failures.
    package fileprivate(set) var retried: [Diagnostic]
    /// The iterations of its loops with `cases`.
    package fileprivate(set) var cases: [RunReport.Case]
    /// The log of its components, a sentence each.
    package fileprivate(set) var log: [String]
    /// The trace of the run.
    package fileprivate(set) var trace: RunTrace

    /// Creates a run that has ended.
    package init(
      passed: Bool, diagnostics: [Diagnostic], retried: [Diagnostic] = [],
      cases: [RunReport.Case] = [], log: [String], trace: RunTrace
    ) {
      self.passed = passed
      self.diagnostics = diagnostics
      self.retried = retried
      self.cases = cases
      self.log = log
      self.trace = trace
    }

    /// The run without its steps and calls.
    package var withoutSpans: Attempt {
      var copy = self
      copy.trace = trace.withoutSpans
      return copy
    }
  }

  /// The scenario's path as it is shown.
  package private(set) var path: String
  /// The scenario's `name:`, empty without one and for an unreadable scenario.
  package private(set) var name: String
  /// The scenario's `tags:`, empty for an unreadable scenario.
  package var tags: [String] = []
  /// True if the suite passes in spite of it, as with a flaky scenario on request.
  package var isTolerated = false
  /// The number among the scenarios with its path in a report, from 1.
  package var occurrence = 1
  /// The command that runs it again in the same way, or empty.
  package var command = ""
  /// The verdict.
  package var verdict = Verdict.passed
  /// The ways of its test other than by its transcript alone, a few words each.
  package var details: [String] = []
  /// The components, by the source of their answers.
  package var sources = AnswerSources()
  /// What the calls of its runs cover and take, nothing if no report shows it.
  package var measures = RunMeasures()
  /// The findings.
  package var findings = RunFindings()
  /// The changes in a transcript that replaced another, a line each.
  package var changes: [String] = []
  /// The departures of its components from its transcript, or nil if they did not run or depart.
  package var difference: TranscriptDifference?
  /// The duration of all its repetitions together.
  package var elapsed = Duration.zero
  /// The time after which a scenario is slow, or nil for never.
  package var slowAfter: Duration? = .seconds(60)
  /// True if it took longer than that.
  package var isSlow: Bool { slowAfter.map { elapsed > $0 } ?? false }
  /// True if it was stopped before its end.
  package var wasInterrupted = false
  /// True if it was recorded in a run that forbids recording, so that it does not count as passed.
  package var isRefused = false
  /// The files that explain its end, such as a recording put aside.
  package var attachments: [String] = []

  /// Its runs in their order.
  ///
  /// Empty if no report needs them, and for a scenario not run.
  package var attempts: [Attempt] = []
  /// The results of its cases after its runs were forgotten, or nil.
  private(set) var forgottenCases: [Result]?
  /// The results of its outermost steps after its runs were forgotten, or nil.
  private(set) var forgottenSteps: [Result]?

  /// The result of its trials, or nil for a scenario without trials, or of which nothing is live.
  package var trials: TrialResult?

  /// The result of `flow mutate`, or nil if it was not requested.
  package var mutation: MutationReport?

  /// The record of a test by another process, or nil for a test in this one.
  var stored: Stored?

  /// Creates the report of a scenario that passed.
  package init(path: String, name: String = "") {
    self.path = path
    self.name = name
  }

  /// Creates the report of a scenario that was not started.
  package init(notRun path: String, name: String) {
    self.init(path: path, name: name)
    verdict = .notRun
  }

  /// Removes everything about its runs except their verdicts and the results of their cases.
  package mutating func forgetRuns() {
    forgottenCases = caseResults
    forgottenSteps = stepResults
    attempts = attempts.map {
      Attempt(passed: $0.passed, diagnostics: [], log: [], trace: RunTrace())
    }
  }

  /// Returns the report with secrets hidden in everything not built from a run's values.
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
    copy.mutation = mutation?.redacted(by: redactor)
    copy.trials = trials?.redacted(by: redactor)
    copy.attempts = attempts.map { attempt in
      var copy = attempt
      copy.diagnostics = attempt.diagnostics.map { $0.redacted(by: redactor) }
      copy.retried = attempt.retried.map { $0.redacted(by: redactor) }
      copy.cases = attempt.cases.map { $0.redacted(by: redactor) }
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
        + (difference.map { [.init("difference", $0.json(redactor))] } ?? [])
        + (trials.map { [.init("trials", $0.json(redactor))] } ?? []))
  }
}
