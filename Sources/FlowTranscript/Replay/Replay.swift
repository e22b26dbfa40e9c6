package import FlowCore
package import FlowEngine
package import FlowScenario

/// A run on recorded answers, in virtual time: nobody wants to wait for what the recording waited for.
package struct Replay: Sendable {
  /// How it went.
  package struct Outcome: Sendable {
    /// Whether the run itself passed, however it ended when it was recorded.
    package let ranThrough: Bool
    /// What is wrong, in the order of the run; nothing for one that passes.
    package let diagnostics: [Diagnostic]
    /// How the run departed from the transcript, allowed departures too.
    package let mismatches: [ReplayMismatch]
    /// Whether the run passed, and ended as the recorded one did.
    package let passed: Bool
  }

  private let transcript: Transcript
  private let plan: Plan
  private let sinks: EventSinks
  private let options: ReplayingCaller.Options

  /// A replay that has not begun.
  ///
  /// - Parameters:
  ///   - transcript: The answers.
  ///   - plan: What is run.
  ///   - sinks: Who is told what happens.
  ///   - allowing: What is noted and fails nothing.
  ///   - acceptance: The command that records anew, told with every departure; nil where the transcript was
  ///     recorded just now.
  package init(
    _ transcript: Transcript, of plan: Plan, sinks: EventSinks = EventSinks(),
    allowing: Set<Allowance> = [], acceptance: String? = "flow test --update failed"
  ) {
    self.transcript = transcript
    self.plan = plan
    self.sinks = sinks
    var options = ReplayingCaller.Options()
    options.allowed = allowing
    options.advice =
      acceptance.map { "record again with '\($0)' if the change is meant" }
      ?? "it was recorded just now, so this run cannot be replayed"
    self.options = options
  }

  /// Runs with the values of the plan's inputs.
  package func run(inputs: [Value]) async -> Outcome {
    let time = VirtualTime()
    var options = options
    options.clock = time.clock
    let caller = ReplayingCaller(transcript, sinks: sinks, options: options)
    let runner = Runner(
      plan: plan, caller: caller, sinks: sinks, seed: transcript.header.seed, virtualTime: time)
    let result = await runner.run(inputs: inputs)
    // A failure is told already, and is why the end differs.
    let ends = result.passed ? transcript.mismatches(of: result, advice: options.advice) : []
    return Outcome(
      ranThrough: result.passed,
      diagnostics: result.failures.flatMap { $0.diagnostics(of: plan) } + ends.map(\.diagnostic),
      mismatches: caller.mismatches + ends, passed: result.passed && ends.isEmpty)
  }
}
