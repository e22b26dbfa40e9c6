internal import FlowPlan
internal import FlowReport
internal import FlowTranscript

extension CommandContext {
  /// Replays a transcript, and returns the run unless the scenario does not fit it.
  func recordedTrace(
    of plan: Plan, at path: String, keepingValues: Bool = true
  ) async -> RunTrace? {
    guard let transcript = try? TranscriptReader.read(path, allowsPipe: false),
      let inputs = try? transcript.header.inputValues(for: plan, file: path)
    else { return nil }
    plan.hideSecrets(inputs: inputs, by: redactor)
    var tracing = TraceOptions()
    tracing.keepsLines = false
    if !keepingValues { (tracing.keepsExcerpts, tracing.keepsValues) = (false, false) }
    let run = await TestRun.replay(
      transcript, of: plan, inputs: inputs, self, acceptance: nil, tracing: tracing)
    return run.mismatches.isEmpty && run.departures.isEmpty ? run.trace : nil
  }
}
