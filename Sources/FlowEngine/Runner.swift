public import FlowCore
internal import FlowExpression
public import FlowScenario

/// Runs a plan through a caller and tells the sinks what happens.
public struct Runner: Sendable {
  let plan: Plan
  let caller: any Caller
  let sinks: EventSinks
  /// What the run's own tasks run on; nil for the concurrent pool.
  private(set) var executor: (any TaskExecutor)?
  let clock: any Clock<Duration>
  let seed: UInt64
  /// The time since the runner was made.
  let elapsed: @Sendable () -> Duration

  /// A run of `plan`.
  ///
  /// - Parameters:
  ///   - plan: What to do.
  ///   - caller: Who is asked to do it.
  ///   - sinks: Who is told; the caller should tell the same ones.
  ///   - clock: What waiting, timeouts and durations go by; the caller's should be the same.
  ///   - seed: What jitter is drawn from; the caller's should be the same.
  public init(
    plan: Plan, caller: any Caller, sinks: EventSinks,
    clock: some Clock<Duration> = ContinuousClock(), seed: UInt64 = 0
  ) {
    self.plan = plan
    self.caller = caller
    self.sinks = sinks
    self.clock = clock
    self.seed = seed
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// A run in virtual time.
  public init(
    plan: Plan, caller: any Caller, sinks: EventSinks, seed: UInt64, virtualTime: VirtualTime
  ) {
    self.init(plan: plan, caller: caller, sinks: sinks, clock: virtualTime.clock, seed: seed)
    executor = virtualTime
  }

  /// A run in real time on an executor.
  public init(
    plan: Plan, caller: any Caller, sinks: EventSinks, seed: UInt64,
    executor: (any TaskExecutor)?
  ) {
    self.init(plan: plan, caller: caller, sinks: sinks, seed: seed)
    self.executor = executor
  }

  // On the concurrent pool whoever calls: from there an idle actor is entered without a thread switch,
  // from the main actor every call of a component would be two.
  /// Opens the components, runs the steps and `finally`, and closes everything.
  ///
  /// The inputs are one value for each input of the plan, as `Plan.inputValues` gives them.
  @concurrent public func run(inputs: [Value]) async -> RunResult {
    guard let executor else { return await execute(inputs) }
    return await withTaskExecutorPreference(executor) { await execute(inputs) }
  }

  private func execute(_ inputs: [Value]) async -> RunResult {
    plan.hideSecrets(inputs: inputs, by: sinks.redactor)
    sinks.receive(.runStarted(RunDescription(plan: plan, inputs: inputs, seed: seed)))
    let start = elapsed()
    var execution = Execution(runner: self, inputs: inputs)
    await execution.run()
    execution.result.elapsed = elapsed() - start
    sinks.receive(.runEnded(execution.result))
    return execution.result.redacted(by: sinks.redactor)
  }
}
