import FlowCore
import FlowEngine
import FlowPlan
import FlowReport
import FlowScenario
import FlowSystem
import FlowTranscript
import TestKit
import Testing
import UpstreamPlugin

/// Altered answers that are judged without a replay.
@Suite struct AnswerTrialsTests {
  /// More are not tried of one scenario, from its whole length.
  private static let mostAlterations = 40

  private let registry: Registry

  init() throws { registry = try Registry(FlowRun.shipped + [Callbacks.self]) }

  @Test(arguments: RecordedScenarios.paths)
  func `a trial without a replay says what the replay says`(_ path: String) async throws {
    let file = ProjectFiles.root + "/" + path
    let plan = try ScenarioLoader(registry: registry).plan(ScenarioSource(reading: file))
    let transcript = try TranscriptReader.read(Path.transcript(of: file))
    let inputs = try transcript.header.inputValues(for: plan, file: path)
    let judgements = NotedJudgements()
    let baseline = await Replay(transcript, of: plan).run(inputs: inputs, judgements: judgements)
    // Those with live components are judged by other means.
    guard baseline.passed else { return }
    let trials = AnswerTrials(transcript, plan, judgements)
    let all = Alterations(of: transcript, plan, .init(limit: 5_000)).first
    let stride = max(1, all.count / Self.mostAlterations)
    var wrong: [String] = []
    for alteration in all.enumerated().filter({ $0.offset % stride == 0 }).map(\.element) {
      guard let result = trials.result(of: alteration) else { continue }
      let replay = await Replay(transcript.applying(alteration), of: plan).run(inputs: inputs)
      let notice = MutationReport.Notice(replay)
      let isSame =
        switch result {
        case .unnoticed: notice == .unnoticed
        case .noticed(let failure, let judgement):
          notice == .noticed && judgement.place(of: failure) == replay.diagnostics.first?.span
        }
      if !isSame { wrong.append("\(alteration.place), \(alteration.path): \(alteration.text)") }
    }
    #expect(wrong == [])
  }

  @Test func `most answers of steps need no replay`() async throws {
    let file = ProjectFiles.root + "/Examples/service/service.yaml"
    let plan = try ScenarioLoader(registry: registry).plan(ScenarioSource(reading: file))
    let transcript = try TranscriptReader.read(Path.transcript(of: file))
    let inputs = try transcript.header.inputValues(for: plan, file: file)
    let judgements = NotedJudgements()
    _ = await Replay(transcript, of: plan).run(inputs: inputs, judgements: judgements)
    let trials = AnswerTrials(transcript, plan, judgements)
    let all = Alterations(of: transcript, plan, .init(limit: 5_000)).first

    let judged = all.count { trials.result(of: $0) != nil }
    #expect(judged * 10 > all.count * 9, "\(judged) of \(all.count)")
  }
}
