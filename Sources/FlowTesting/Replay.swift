internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// A run on recorded answers, in virtual time.
struct Replay {
  private let transcript: Transcript
  private let plan: Plan
  private let sinks: EventSinks

  /// A replay that tells these sinks what happens.
  init(_ transcript: Transcript, of plan: Plan, sinks: EventSinks = EventSinks()) {
    self.transcript = transcript
    self.plan = plan
    self.sinks = sinks
  }

  /// How the run failed, or ended otherwise than the recorded one; nothing when it did neither.
  func run(inputs: [Value]) async -> [Diagnostic] {
    let time = VirtualTime()
    var options = ReplayingCaller.Options()
    options.clock = time.clock
    options.advice = "record again with 'flow test --update failed' if the change is meant"
    let caller = ReplayingCaller(transcript, sinks: sinks, options: options)
    let runner = Runner(
      plan: plan, caller: caller, sinks: sinks, seed: transcript.header.seed, virtualTime: time)
    let result = await runner.run(inputs: inputs)
    // A failure is told already, and is why the end differs.
    if result.passed { return transcript.departures(of: result) }
    return result.failures.flatMap { $0.diagnostics(of: plan) }
  }
}
