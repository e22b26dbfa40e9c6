internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

/// Data that reports are rendered from, beside what the line of a scenario shows.
///
/// A part of a suite carries them in its results, so that whoever merges the parts renders the reports and copies no
/// text of a part into them.
struct ScenarioFacts: Sendable {
  /// What is wrong in a sentence.
  let message: String
  /// The code of the first problem; nil for none.
  let code: String?
  /// Where the first problem is.
  let place: ReportedPlace?
  /// Everything else that is known, a line each.
  let notes: [String]
  /// What was wrong before the scenario ended as it did.
  let earlier: [EarlierProblem]
  /// What its components logged, and which files belong to it.
  let output: [String]
  /// Its outermost steps.
  let steps: [ShownStep]
  /// How many further steps are left out.
  let furtherSteps: Int

  /// The facts of a scenario that was tested here.
  init(_ scenario: ScenarioReport, in job: GitHubJob?, _ redactor: Redactor) {
    message = scenario.message
    code = scenario.firstCode
    place = scenario.firstPlace(in: job)
    notes = scenario.furtherNotes
    earlier = scenario.earlierProblems(redactor)
    output = scenario.outputLines
    (steps, furtherSteps) = scenario.shownSteps
  }
}

/// Where a problem is.
struct ReportedPlace: Sendable {
  /// The file's path as the user gave it.
  let file: String
  /// From 1.
  let line: Int
  /// From 1, in unicode scalars.
  let column: Int
  /// The file's path in the repository of the job that tested it; nil for one outside of it.
  let repositoryPath: String?

  /// The place in words: `shop.yaml:4:7`.
  var text: String { "\(file):\(line):\(column)" }
}

/// A failed attempt of a step that was made again, or a failed run before the last one.
struct EarlierProblem: Sendable {
  /// True for an expectation that was not met, false for everything else.
  let isFailure: Bool
  let message: String
  /// The code of the problem; `failed` without one.
  let code: String
  /// Everything that was found, as the console shows it.
  let text: String
}

/// A step as a subtest shows it.
struct ShownStep: Sendable {
  let title: String
  let state: RunTrace.Span.State
  /// True if the scenario goes on, and passes, when the step fails.
  let mayFail: Bool
}

extension ScenarioReport {
  /// The most failed runs, and failed attempts of steps, that are shown of a scenario.
  private static let mostAttempts = 20
  private static let mostSteps = 1_000

  /// The code of the first problem; nil for none.
  var firstCode: String? {
    if let stored { return stored.facts.code }
    return findings.diagnostics.first?.code.name
  }

  /// Where the first problem is; nil for one without a place.
  func firstPlace(in job: GitHubJob?) -> ReportedPlace? {
    if let stored { return stored.facts.place }
    return findings.diagnostics.first?.span.map {
      ReportedPlace(
        file: $0.file, line: $0.start.line, column: $0.start.column,
        repositoryPath: job?.path($0.file))
    }
  }

  /// Everything that is known about it beside its message, a line each.
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

  /// What was wrong each time before the scenario ended as it did: attempts of steps that were made again, and runs
  /// that failed; without the run that the scenario failed by.
  func earlierProblems(_ redactor: Redactor) -> [EarlierProblem] {
    if let stored { return stored.facts.earlier }
    var (failures, isKnown) = ([[Diagnostic]](), result == .passed)
    if result == .skipped { return [] }
    for attempt in attempts {
      failures += attempt.retried.map { [$0] }
      // A run that was recorded anew did not fail by chance.
      if attempt.passed || verdict == .recorded { continue }
      if isKnown { failures.append(attempt.diagnostics) }
      isKnown = true
    }
    return failures.prefix(Self.mostAttempts).map { diagnostics in
      EarlierProblem(
        isFailure: diagnostics.result == .failure, message: diagnostics.first?.message ?? "failed",
        code: diagnostics.first?.code.name ?? "failed", text: text(of: diagnostics, redactor))
    }
  }

  /// What components logged in a run that failed, and which files belong to it.
  var outputLines: [String] {
    if let stored { return stored.facts.output }
    guard isFailing else { return [] }
    // The form of Jenkins' plugin "JUnit Attachments", which GitLab shows, too.
    return (decisive?.log ?? []) + attachments.map { "[[ATTACHMENT|\($0)]]" }
  }

  /// The outermost steps of the run that explains the end, and how many further steps and calls are left out.
  var shownSteps: (steps: [ShownStep], omitted: Int) {
    if let stored { return (stored.facts.steps, stored.facts.furtherSteps) }
    guard let trace = decisive?.trace else { return ([], 0) }
    let all = trace.spans.indices.filter { trace.spans[$0].isOutermostStep }
    let steps = all.prefix(Self.mostSteps).map { index in
      ShownStep(
        title: trace.spans[index].title, state: trace.spans[index].state,
        mayFail: trace.spans[index].mayFail)
    }
    return (steps, all.count - steps.count + trace.omitted)
  }
}

extension RunTrace.Span {
  /// True for a step that is inside of no other.
  fileprivate var isOutermostStep: Bool { parent == nil && isStep }

  /// True if the scenario goes on, and passes, when it fails.
  fileprivate var mayFail: Bool {
    if case .step(let step) = kind { step.options?.continuesOnError ?? false } else { false }
  }
}
