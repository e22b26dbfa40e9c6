import FlowCore
import FlowEngine
import FlowScenario
import FlowTranscript
import TestSupport

/// A scenario over the probe component and its transcript.
struct Recorded {
  let plan: Plan
  let text: String
  private let scenario: String

  init(_ scenario: String) async throws {
    let output = OutputText()
    let plan = try ScenarioRun.plan(scenario)
    let sinks = EventSinks([Recorder(scenario: "test.yaml") { output.append($0) }])
    let time = VirtualTime()
    var options = ContextServices.Options(directory: Directory("."))
    options.clock = time.clock
    options.tasks = SpawnedTasks(executor: time)
    let caller = LiveCaller(
      componentCount: plan.components.count, options: options, sinks: sinks,
      events: EventQueue(plan))
    _ = await Runner(plan: plan, caller: caller, sinks: sinks, seed: 0, virtualTime: time)
      .run(inputs: try plan.inputValues(texts: []))
    self.plan = plan
    self.scenario = scenario
    text = output.text
  }

  /// What a replay of another transcript finds, as a reader sees it.
  func replay(_ text: String, _ scenario: String? = nil) async throws -> String {
    let plan = try scenario.map { try ScenarioRun.plan($0) } ?? plan
    let transcript = try TranscriptReader.read(Array(text.utf8), file: "test.jsonl")
    let time = VirtualTime()
    let caller = ReplayingCaller(transcript, sinks: EventSinks(), clock: time.clock)
    let result = await Runner(
      plan: plan, caller: caller, sinks: EventSinks(), seed: 0, virtualTime: time
    ).run(inputs: try transcript.header.inputValues(for: plan, file: "test.jsonl"))
    let source = Array((scenario ?? self.scenario).utf8)
    let renderer = DiagnosticRenderer(sources: [plan.file: source])
    let failures =
      result.failures.flatMap { $0.diagnostics(of: plan) }
      + (result.passed ? transcript.departures(of: result) : [])
    return failures.map(renderer.render).joined()
  }
}
