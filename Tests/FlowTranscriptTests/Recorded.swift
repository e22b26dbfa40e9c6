import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import TestKit

/// A scenario over the probe component and its transcript.
struct Recorded {
  let plan: Plan
  let text: String
  private let scenario: String

  init(_ scenario: String) async throws {
    let plan = try ProbeRun.plan(scenario)
    let recorder = Recorder(scenario: "test.yaml")
    let session = Session(
      of: plan, sinks: [recorder],
      options: Session.Options(in: Directory("."), virtualTime: VirtualTime()))
    _ = await session.run(inputs: try plan.inputValues(texts: []))
    self.plan = plan
    self.scenario = scenario
    text = recorder.text
  }

  /// The result of replaying another transcript, as a reader sees it.
  func replay(_ text: String, _ scenario: String? = nil) async throws -> String {
    let plan = try scenario.map { try ProbeRun.plan($0) } ?? plan
    let transcript = try TranscriptReader.read(Array(text.utf8), file: "test.jsonl")
    let report = await Replay(transcript, of: plan, acceptance: "--record").run(
      inputs: try transcript.header.inputValues(for: plan, file: "test.jsonl"))
    let source = Array((scenario ?? self.scenario).utf8)
    let renderer = DiagnosticRenderer(sources: [plan.file: source])
    return report.diagnostics.map(renderer.render).joined()
  }
}
