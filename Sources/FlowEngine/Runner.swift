public import FlowCore
internal import FlowExpression
public import FlowScenario

/// Runs a plan through a caller and tells the sinks what happens.
public struct Runner: Sendable {
  let plan: Plan
  let caller: any Caller
  let sinks: EventSinks
  /// The time since the runner was made.
  let elapsed: @Sendable () -> Duration

  /// A run of `plan`.
  ///
  /// - Parameters:
  ///   - plan: What to do.
  ///   - caller: Who is asked to do it.
  ///   - sinks: Who is told; the caller should tell the same ones.
  ///   - clock: What the steps' durations are measured with.
  public init(
    plan: Plan, caller: any Caller, sinks: EventSinks,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.plan = plan
    self.caller = caller
    self.sinks = sinks
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  // On the concurrent pool whoever calls: from there an idle actor is entered without a thread switch,
  // from the main actor every call of a component would be two.
  /// Opens the components, runs the steps and `finally`, and closes everything.
  ///
  /// The inputs are one value for each input of the plan, as `Plan.inputValues` gives them; the seed
  /// is what the caller's components draw chance from, and is only reported here.
  @concurrent public func run(inputs: [Value], seed: UInt64 = 0) async -> RunResult {
    sinks.receive(.runStarted(RunDescription(plan: plan, inputs: inputs, seed: seed)))
    let start = elapsed()
    var execution = Execution(runner: self, inputs: inputs)
    await execution.run()
    execution.result.elapsed = elapsed() - start
    sinks.receive(.runEnded(execution.result))
    return execution.result
  }
}
