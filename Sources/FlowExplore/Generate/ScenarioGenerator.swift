package import FlowCore
internal import FlowEngine
package import FlowPlan

/// Looks for a sequence of calls after which a component is wrong: an invariant of the scenario does not hold, a call
/// fails with an error that it does not declare, or nothing goes on.
package struct ScenarioGenerator: Sendable {
  /// The scope of the generation, and the environment of its runs.
  package struct Options: Sendable {
    /// The most scenarios to generate.
    ///
    /// Shrinking a failing one is extra.
    package var budget = 1_000
    /// The most calls in a scenario.
    package var maxCalls = 8
    /// The names of components and operations to call, or nil for all without effects outside the
    /// run.
    package var names: Set<String>?
    /// The options of each run.
    package var explorer = ExplorationOptions()
    /// Receives the progress, at most ten times a second.
    package var progress: (@Sendable (GenerationProgress) -> Void)?

    /// The defaults.
    package init() {}
  }

  private let frame: ScenarioFrame
  private let base: Plan
  private let plan: @Sendable (String) throws(ScenarioError) -> Plan
  private let inputs: [Value]
  private let options: Options
  private let time = VirtualTime()

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - frame: The scenario. Generated calls follow its steps.
  ///   - base: Its plan.
  ///   - inputs: The values of its inputs.
  ///   - options: The scope of the generation.
  ///   - plan: Plans a text as if it were the scenario's file.
  package init(
    _ frame: ScenarioFrame, of base: Plan, inputs: [Value], _ options: Options,
    plan: @escaping @Sendable (String) throws(ScenarioError) -> Plan
  ) {
    self.frame = frame
    self.base = base
    self.plan = plan
    self.inputs = inputs
    var options = options
    options.explorer.mostSleeps = 10_000
    self.options = options
  }

  // MARK: - The search

  /// Tries scenarios until one fails, the budget is used up, or the task is cancelled.
  package func generate() async -> Generation {
    var meter = ProgressMeter(options.progress)
    var generation = Generation()
    await search(&generation, &meter)
    generation.isStopped = Task.isCancelled
    generation.elapsed = meter.elapsed
    return generation
  }

  private func search(
    _ generation: inout Generation, _ meter: inout ProgressMeter<GenerationProgress>
  ) async {
    // Without generated calls first: they are not to blame for a failure that exists without them.
    let watch = CallWatch(of: base, generated: 0)
    let plain = await explorer(base).attempt([watch])
    if Task.isCancelled { return }
    generation.problems = plain.failure == nil ? [] : plain.report.diagnostics
    generation.standstill = plain.standstill
    generation.callable = CallableOperations(base, opened: watch.noted.opened, options.names)
    let operations = generation.callable.operations
    if plain.failure != nil || operations.isEmpty { return }
    var values = ValueGenerator(seed: options.explorer.seed)
    for value in watch.noted.seen { values.note(value) }
    for drawn in 0..<options.budget where !Task.isCancelled {
      let calls = draw(1 + drawn % options.maxCalls, of: operations, &values)
      guard let trial = await run(calls) else { continue }
      if Task.isCancelled { return }
      for value in trial.seen { values.note(value) }
      generation.note(trial)
      meter.note { GenerationProgress(generation, elapsed: $0) }
      if trial.failure != nil { return await shrink(trial, &generation, &meter) }
    }
  }

  private func draw(
    _ count: Int, of operations: [CallableOperations.Operation], _ values: inout ValueGenerator
  ) -> [GeneratedCall] {
    (0..<count).map { _ in
      let operation = values.pick(operations)
      return GeneratedCall(
        name: operation.name, type: operation.input, input: values.input(operation.input))
    }
  }

  /// Runs calls after the scenario's steps.
  ///
  /// Returns nil if they make no valid scenario.
  private func run(_ calls: [GeneratedCall]) async -> GenerationTrial? {
    guard let plan = try? plan(frame.text(with: calls)) else { return nil }
    let watch = CallWatch(of: plan, generated: calls.count)
    let attempt = await explorer(plan).attempt([watch])
    return GenerationTrial(calls, attempt, watch)
  }

  private func explorer(_ plan: Plan) -> Explorer {
    Explorer(plan, inputs: inputs, options.explorer, in: time)
  }

  // MARK: - Shrinking

  /// Finds fewer and simpler calls that fail in the same way, and writes the scenario.
  private func shrink(
    _ trial: GenerationTrial, _ generation: inout Generation,
    _ meter: inout ProgressMeter<GenerationProgress>
  ) async {
    var shrinker = CallShrinker(trial.calls)
    var best = trial
    while !Task.isCancelled, let candidate = shrinker.candidate() {
      let again = await run(candidate)
      let hasFailed = again?.failure == trial.failure
      if hasFailed, let again { best = again }
      shrinker.note(failed: hasFailed)
      meter.note { GenerationProgress(generation, shrinkingTries: shrinker.tries, elapsed: $0) }
    }
    generation.shrinkingTries = shrinker.tries
    // Whole, also after an interruption.
    let least = best
    generation.found = await Task { await finish(least) }.value
  }

  /// The scenario that expects the result of each call, and its run.
  private func finish(_ trial: GenerationTrial) async -> Generation.Found {
    for calls in [trial.ended, trial.calls] {
      let text = frame.text(with: calls)
      guard let plan = try? plan(text) else { continue }
      let run = await explorer(plan).run(Schedule())
      if run.failure == nil { continue }
      return Generation.Found(text: text, calls: calls.map(\.title), run: run)
    }
    // It failed once, and does not any more.
    return Generation.Found(
      text: frame.text(with: trial.ended), calls: trial.calls.map(\.title), run: nil)
  }
}
