import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowReport
import FlowScenario
import Foundation
import Synchronization
import TestKit

/// Reports on scenarios with fixed durations, as they are written.
struct WrittenReports {
  let suite: SuiteReport
  let scenarios: [ScenarioReport]

  init(_ scenarios: [ScenarioReport], wasInterrupted: Bool = false) {
    self.scenarios = scenarios
    var suite = SuiteReport(keepsScenarios: false)
    for scenario in scenarios { suite.add(scenario) }
    suite.elapsed = .milliseconds(1_234)
    suite.wasInterrupted = wasInterrupted
    suite.passed = scenarios.allSatisfy { $0.verdict == .passed }
    self.suite = suite
  }

  /// The text of a report.
  func text(_ format: String, in job: GitHubJob? = nil) throws -> String {
    let all = ReportFormat.all(in: job)
    guard let format = all.first(where: { $0.name == format }) else { return "" }
    let text = Mutex("")
    let report = try ReportFile(
      format, to: .stream { piece in text.withLock { $0 += piece } }, Redactor())
    for (index, scenario) in scenarios.enumerated() {
      report.add(report.entry(for: scenario, number: index + 1))
    }
    _ = try report.finish(suite)
    return text.withLock { $0 }
  }

  /// The commands for GitHub.
  func commands(_ variables: [String: String]) -> String {
    guard let job = GitHubJob({ variables[$0] }) else { return "" }
    let text = Mutex("")
    let commands = WorkflowCommands(job) { piece in text.withLock { $0 += piece } }
    for scenario in scenarios { commands.add(commands.annotations(of: scenario)) }
    commands.finish()
    return text.withLock { $0 }
  }

  /// A whole report in a file beside the tests.
  static func golden(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: "Golden/\(name)"), encoding: .utf8)
  }
}

extension WrittenReports {
  /// A scenario of each possible end.
  static func ofEveryEnd() async throws -> WrittenReports {
    let steps = try await trace(
      """
      steps:
        - {id: first, uses: p.count}
        - {name: Left out, uses: p.count, if: "${{ false }}"}
        - {id: many, for: i, in: "${{ [1, 2] }}", do: [{uses: p.echo, with: {value: "${{ i }}"}}]}
        - {name: Goes wrong, uses: p.crash}
        - {uses: p.count}
      """)
    let answer = Diagnostic(
      .unexpectedAnswer, "'first' did not answer as expected", at: place("shop.yaml", 4),
      notes: ["value: expected 2, got 1"]
    ).showing(["input: {by: 1}", "in 'many', iteration 2: i is 2"])
    let crash = Diagnostic(.unexpectedError, "'last' failed with the error 'crashed'", at: nil)
    var interrupted = ScenarioReport(path: "cut.yaml", name: "Cut off")
    interrupted.verdict = .notRun
    interrupted.wasInterrupted = true
    interrupted.details = ["interrupted"]
    var recorded = ScenarioReport(path: "new.yaml")
    recorded.verdict = .recorded
    recorded.details = [".flow/recorded/new.transcript.jsonl"]
    recorded.isRefused = true
    recorded.attachments = ["/project/.flow/recorded/new.transcript.jsonl"]
    return WrittenReports(
      [
        scenario(
          "good.yaml", .passed, runs: [(true, [])],
          try await trace("steps: [{id: first, uses: p.count}]")),
        scenario(
          "shop.yaml", name: "Spend & <browse> #1", .failed, runs: [(false, [answer])], steps),
        scenario("crash.yaml", .failed, runs: [(false, [crash])], log: ["p logged: 1 < 2"]),
        scenario("flaky.yaml", name: "Flaky", .flaky, runs: [(false, [answer]), (true, [])]),
        scenario("rerun.yaml", .failed, runs: [(false, [crash]), (false, [answer])]),
        unreadable, interrupted, recorded, ScenarioReport(notRun: "late.yaml", name: "Too late"),
      ], wasInterrupted: true)
  }

  private static var unreadable: ScenarioReport {
    var scenario = ScenarioReport(path: "broken.yaml")
    scenario.verdict = .failed
    scenario.findings.diagnostics = [
      Diagnostic(
        .unknownKey, "unknown key 'usse'; did you mean 'uses'?", at: place("broken.yaml", 3))
    ]
    return scenario
  }

  static func scenario(
    _ path: String, name: String = "", _ verdict: ScenarioReport.Verdict,
    runs: [(passed: Bool, diagnostics: [Diagnostic])], log: [String] = [],
    _ trace: RunTrace = RunTrace()
  ) -> ScenarioReport {
    var scenario = ScenarioReport(path: path, name: name)
    scenario.verdict = verdict
    scenario.elapsed = .microseconds(12_345)
    scenario.findings.diagnostics = runs.first { !$0.passed }?.diagnostics ?? []
    scenario.findings.notes = log
    scenario.attempts = runs.map { run in
      .init(passed: run.passed, diagnostics: run.diagnostics, log: log, trace: trace)
    }
    return scenario
  }

  static func place(_ file: String, _ line: Int) -> SourceSpan {
    SourceSpan(
      file: file, start: Position(line: line, column: 5), end: Position(line: line, column: 9))
  }

  /// The events of a run over the probe component, whose clock ticks 10 ms at each reading.
  static func trace(_ steps: String, files: [String: String] = [:]) async throws -> RunTrace {
    let plan = try ProbeRun.plan(
      "flow: 1\ncomponents: {p: {plugin: probe}}\n" + steps, files: files)
    let tracer = RunTracer()
    var options = Session.Options(in: Directory("."))
    options.clock = TickingClock(.milliseconds(10))
    _ = await Session(of: plan, sinks: [tracer], options: options)
      .run(inputs: try plan.inputValues(texts: []))
    return tracer.trace
  }
}
