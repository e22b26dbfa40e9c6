internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// The data for rendering reports, in addition to the line of a scenario.
///
/// The results of a part of a suite contain them. A merge of the parts renders the reports from
/// them, without copying text of a part into a report.
struct ScenarioFacts: Sendable {
  /// The problem in a sentence.
  let message: String
  /// The problem with its first difference.
  let sentence: String
  /// The code of the first problem, or nil.
  let code: String?
  /// The place of the first problem.
  let place: ReportedPlace?
  /// The further findings, a line each.
  let notes: [String]
  /// The problems before the final end of the scenario.
  let earlier: [ShownProblem]
  /// The log lines of its components, and the paths of its files.
  let output: [String]
  /// Its outermost steps.
  let steps: [ShownStep]
  /// The number of further steps left out.
  let furtherSteps: Int
  /// The iterations of its loops with `cases`.
  let cases: [ShownCase]

  /// Creates the facts of a scenario tested in this process.
  init(_ scenario: ScenarioReport, in job: GitHubJob?, _ redactor: Redactor) {
    message = scenario.message
    sentence = scenario.sentence
    code = scenario.firstCode
    place = scenario.firstPlace(in: job)
    notes = scenario.furtherNotes
    earlier = scenario.earlierProblems(redactor)
    output = scenario.outputLines
    (steps, furtherSteps) = scenario.shownSteps(redactor)
    cases = scenario.shownCases(redactor)
  }
}

/// The place of a problem.
struct ReportedPlace: Sendable {
  /// The file's path as the user gave it.
  let file: String
  /// From 1.
  let line: Int
  /// From 1, in unicode scalars.
  let column: Int
  /// The file's path in the repository of the testing job, or nil for a file outside of it.
  let repositoryPath: String?

  /// The place in words: `shop.yaml:4:7`.
  var text: String { "\(file):\(line):\(column)" }
}

/// A failed step, a failed attempt of a step that was made again, or a failed run before the last one.
struct ShownProblem: Sendable {
  /// True for an unmet expectation, false for any other problem.
  let isFailure: Bool
  /// The problem with its first difference.
  let message: String
  /// The code of the problem, or `failed` without one.
  let code: String
  /// All findings in the form of the console.
  let text: String
}

/// An outermost step, in reports that show it beside the scenario.
struct ShownStep: Sendable {
  let title: String
  let state: RunTrace.Span.State
  /// True if the scenario goes on, and passes, when the step fails.
  let mayFail: Bool
  let elapsed: Duration
  /// The problem by which it failed the scenario, or nil.
  let problem: ShownProblem?
  var result: ScenarioReport.Result {
    state.result(mayFail: mayFail, isFailure: problem?.isFailure == true)
  }
}

/// An iteration of a loop with `cases`, in reports that show it beside the scenario.
struct ShownCase: Sendable {
  let name: String
  /// Its result: skipped for one that did not run, or failed where it may.
  let result: ScenarioReport.Result
  /// True if it failed, and the scenario passed in spite of it.
  let mayFail: Bool
  let elapsed: Duration
  /// The problem with its first difference, or empty.
  let message: String
  /// The code of the problem, or empty.
  let code: String
  /// All findings in the form of the console.
  let text: String
}

extension ScenarioReport {
  /// The most failed runs, and failed attempts of steps, shown for a scenario.
  private static let mostAttempts = 20
  private static let mostSteps = 1_000

  /// The code of the first problem, or nil.
  var firstCode: String? {
    if let stored { return stored.facts.code }
    return findings.diagnostics.first?.code.name
  }

  /// Returns the place of the first problem, or nil for a problem without a place.
  func firstPlace(in job: GitHubJob?) -> ReportedPlace? {
    if let stored { return stored.facts.place }
    return findings.diagnostics.first?.span.map {
      ReportedPlace(
        file: $0.file, line: $0.start.line, column: $0.start.column,
        repositoryPath: job?.path($0.file))
    }
  }

  /// The findings in addition to its message, a line each.
  var furtherNotes: [String] {
    if let stored { return stored.facts.notes }
    let diagnostics = findings.diagnostics
    // One after the other: in one expression the compiler tries out each `+` with each other.
    var notes = diagnostics.prefix(1).map(\.message).filter { $0 != message }
    notes += diagnostics.first?.notes ?? []
    notes += diagnostics.first?.context ?? []
    notes += diagnostics.dropFirst().map(\.message)
    notes += details.filter { $0 != message }
    return notes + findings.notes
  }

  /// Returns the problems before the final end of the scenario: retried attempts of steps, and
  /// failed runs.
  ///
  /// The run by which the scenario failed is not among them. In a scenario that passed, an attempt
  /// with another answer than the expected one waited for that answer, so it is no problem.
  func earlierProblems(_ redactor: Redactor) -> [ShownProblem] {
    if let stored { return stored.facts.earlier }
    var (failures, isKnown) = ([[Diagnostic]](), result == .passed)
    if result == .skipped { return [] }
    for attempt in attempts {
      let retried = attempt.retried.map { [$0] }
      failures += retried.filter { result != .passed || $0.result != .failure }
      // A newly recorded run did not fail by chance.
      if attempt.passed || verdict == .recorded { continue }
      if isKnown { failures.append(attempt.diagnostics) }
      isKnown = true
    }
    return failures.prefix(Self.mostAttempts).map { shown($0, redactor) }
  }

  private func shown(_ diagnostics: [Diagnostic], _ redactor: Redactor) -> ShownProblem {
    ShownProblem(
      isFailure: diagnostics.result == .failure, message: diagnostics.first?.headline ?? "failed",
      code: diagnostics.first?.code.name ?? "failed", text: text(of: diagnostics, redactor))
  }

  /// Returns the cases of the run that explains the end.
  func shownCases(_ redactor: Redactor) -> [ShownCase] {
    if let stored { return stored.facts.cases }
    return (decisive?.cases ?? []).map { ended in
      ShownCase(
        name: ended.name, result: result(of: ended), mayFail: mayFail(ended),
        elapsed: ended.elapsed, message: ended.diagnostics.first?.headline ?? "",
        code: ended.diagnostics.first?.code.name ?? "",
        text: text(of: ended.diagnostics, redactor))
    }
  }

  /// The results of its cases.
  var caseResults: [Result] {
    if let stored { return stored.facts.cases.map(\.result) }
    return forgottenCases ?? (decisive?.cases ?? []).map(result)
  }

  /// The results of its outermost steps, empty if no report shows its runs.
  var stepResults: [Result] {
    if let stored { return stored.facts.steps.map(\.result) }
    return forgottenSteps
      ?? (decisive?.outermostSteps(atMost: Self.mostSteps) ?? []).map {
        $0.span.state.result(mayFail: $0.span.mayFail, isFailure: $0.problems.result == .failure)
      }
  }

  private func result(of ended: RunReport.Case) -> Result {
    switch ended.state {
    case .passed: .passed
    case .notRun: .skipped
    case .failed: mayFail(ended) ? .skipped : ended.diagnostics.result
    }
  }

  private func mayFail(_ ended: RunReport.Case) -> Bool {
    ended.state == .failed && result == .passed
  }

  /// The log lines of components in a failed run, and the paths of its files, or the unnoticed
  /// alterations of a scenario that passed.
  var outputLines: [String] {
    if let stored { return stored.facts.output }
    guard isFailing else {
      return (trials.map { [$0.text] } ?? [])
        + (mutation?.warningsAtSteps.flatMap(\.lines) ?? [])
    }
    // The form of Jenkins' plugin "JUnit Attachments", also shown by GitLab.
    return (decisive?.log ?? []) + attachments.map { "[[ATTACHMENT|\($0)]]" }
  }

  /// Returns the outermost steps of the run that explains the end, and how many further steps and
  /// calls are left out.
  func shownSteps(_ redactor: Redactor) -> (steps: [ShownStep], omitted: Int) {
    if let stored { return (stored.facts.steps, stored.facts.furtherSteps) }
    guard let run = decisive else { return ([], 0) }
    let steps = run.outermostSteps(atMost: Self.mostSteps).map { (span, problems) in
      ShownStep(
        title: span.title, state: span.state, mayFail: span.mayFail, elapsed: span.elapsed,
        problem: problems.isEmpty ? nil : shown(problems, redactor))
    }
    let count = run.trace.spans.count(where: \.isOutermostStep)
    return (steps, count - steps.count + run.trace.omitted)
  }
}

extension ScenarioReport.Attempt {
  /// Returns the first outermost steps, each with its problems.
  fileprivate func outermostSteps(
    atMost limit: Int
  ) -> [(span: RunTrace.Span, problems: [Diagnostic])] {
    trace.spans.filter(\.isOutermostStep).prefix(limit).map { span in
      (span, span.state == .failed ? diagnostics.filter(span.contains) : [])
    }
  }
}

extension Diagnostic {
  /// The message and the notes.
  fileprivate var lines: [String] { [message] + notes.map { "  " + $0 } }

  /// The message with its first difference: `'pay#1' did not answer as expected: status: expected
  /// 200, got 404`.
  var headline: String {
    guard let first = notes.first, !facts.differences.isEmpty || code == .failedAssertion else {
      return message
    }
    let rest = facts.differences.count - 1
    return "\(message): \(first)" + (rest > 0 ? "; \(counted(rest, "further difference"))" : "")
  }
}

extension RunTrace.Span.State {
  /// Returns the result of a step: skipped for one that did not run, or failed where it may.
  fileprivate func result(mayFail: Bool, isFailure: Bool) -> ScenarioReport.Result {
    switch self {
    case .passed: .passed
    case .notRun: .skipped
    case .failed where mayFail: .skipped
    case .failed, .cancelled, .running: isFailure ? .failure : .error
    }
  }
}

extension RunTrace.Span {
  /// True for a step outside of all others.
  fileprivate var isOutermostStep: Bool { parent == nil && isStep }

  /// True if the scenario goes on, and passes, when it fails.
  fileprivate var mayFail: Bool {
    if case .step(let step) = kind { step.options?.continuesOnError ?? false } else { false }
  }

  /// Returns true for a problem of the step or of a step inside of it.
  fileprivate func contains(_ problem: Diagnostic) -> Bool {
    guard let text = problem.facts.address, let place = Address(text) else { return false }
    return place.belongs(to: address)
  }
}
