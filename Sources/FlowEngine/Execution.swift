import FlowCore
import FlowExpression
import FlowScenario

/// The state of one run, stepped through from the first step to the last.
struct Execution {
  let runner: Runner
  /// The step that runs another plan than the runner's; nil for the main scenario.
  let caller: CallingStep?
  var activation: Activation
  /// What its steps are inside of.
  var order = CallOrder()
  var result = RunResult()

  /// The run of the runner's plan, or of the one that a step runs.
  init(runner: Runner, caller: CallingStep? = nil, inputs: [Value]) {
    self.runner = runner
    self.caller = caller
    let plan = caller?.plan ?? runner.plan
    activation = Activation(levels: [inputs, Array(repeating: nil, count: plan.variableCount)])
  }

  var plan: Plan { caller?.plan ?? runner.plan }

  mutating func run() async {
    let isReady = await openComponents()
    if isReady {
      _ = await block(plan.steps, iterations)
    } else {
      skip(plan.steps, iterations)
    }
    _ = await finally(plan.finally, iterations)
    await finishCaller()
    if result.passed { evaluateOutputs() }
  }

  // MARK: - Before and after the steps

  private mutating func openComponents() async -> Bool {
    for (index, component) in plan.components.enumerated() {
      let address = address(ofPart: "components/\(component.name)")
      do throws(StepFailure) {
        let settings = try evaluate(component.settings)
        let invocation = Invocation(
          address: address, target: .open(component, index: index), input: settings,
          scope: caller?.address, order: order)
        if case .error(let error) = try await call(invocation) {
          throw .notOpened(error, at: component.place)
        }
      } catch {
        fail(address, component.place, error)
        return false
      }
    }
    return true
  }

  /// Every step of `finally` runs, whatever failed before it, and also after or in a cancellation.
  ///
  /// False when one of them failed.
  private mutating func finally(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    if steps.isEmpty { return true }
    // Cancellation reaches every task below the cancelled one, and so does that of a timeout around the
    // step, so what must run in spite of it runs in a task of its own, which is awaited here.
    let before = self
    let (after, passed) = await Task(executorPreference: runner.executor) {
      var copy = before
      let passed = await copy.runAll(steps, iterations)
      return (copy, passed)
    }.value
    self = after
    return passed
  }

  private mutating func runAll(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    var passed = true
    for step in steps where !(await run(step, iterations)) { passed = false }
    return passed
  }

  private mutating func finishCaller() async {
    if let scope = caller?.address { return await runner.caller.close(scope) }
    do {
      try await runner.caller.finish()
    } catch let failure as BoundaryFailure {
      // A run that failed did not do everything, so what is left over says nothing new.
      guard result.passed else { return }
      let address = Address(path: "steps")
      result.failures.append(.init(address: address, place: nil, failure: .boundary(failure)))
    } catch {
      result.failures.append(
        .init(address: Address(path: "steps"), place: nil, failure: .cancelled))
    }
  }

  private mutating func evaluateOutputs() {
    for output in plan.outputs {
      do throws(StepFailure) {
        result.outputs.append((output.name, try evaluate(output.value)))
      } catch {
        fail(address(ofPart: "outputs/\(output.name)"), nil, error)
      }
    }
    if !result.passed { result.outputs = [] }
  }

  // MARK: - Blocks

  /// Runs steps in order until one fails; false when one did.
  mutating func block(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    for (index, step) in steps.enumerated() {
      guard await run(step, iterations) else {
        skip(steps.dropFirst(index + 1), iterations)
        return false
      }
    }
    return true
  }

  private mutating func perform(
    _ block: PlannedBlock, _ address: Address
  ) async throws(StepFailure) {
    var steps = block.steps
    if let condition = block.condition, try evaluate(condition) != .bool(true) {
      steps = block.alternative
    }
    guard await self.block(steps, address.iterations) else { throw .inner }
  }

  mutating func skip(_ steps: some Sequence<PlannedStep>, _ iterations: [Int]) {
    for step in steps {
      end(step, address(of: step, iterations), .notRun(.earlierFailure), .zero)
    }
  }

  // MARK: - Steps

  /// Runs one step and reports it; false when it failed.
  private mutating func run(_ step: PlannedStep, _ iterations: [Int]) async -> Bool {
    let address = address(of: step, iterations)
    let start = runner.elapsed()
    let before = result.failures.count
    do throws(StepFailure) {
      if Task.isCancelled { throw .cancelled }
      guard try isWanted(step) else {
        end(step, address, .notRun(.condition), runner.elapsed() - start)
        return true
      }
      runner.sinks.receive(.stepStarted(address, step))
      let comparison = step.options?.comparison
      if let comparison { order.enter(.step(address, comparison)) }
      defer { if comparison != nil { order.leave() } }
      let answer = try await performToTheEnd(step, address)
      if let slot = step.slot { activation[slot] = answer }
      end(step, address, .passed, runner.elapsed() - start)
      return true
    } catch {
      // What failed inside of a step that may fail was told when it failed, and fails nothing.
      let isInside = result.failures.dropFirst(before).contains(where: \.failure.isBoundary)
      let continues = error.isContinued(by: step.options) && !isInside
      if continues { result.failures.removeLast(result.failures.count - before) }
      end(step, address, .failed(error), runner.elapsed() - start)
      return continues
    }
  }

  private func isWanted(_ step: PlannedStep) throws(StepFailure) -> Bool {
    guard let condition = step.options?.condition else { return true }
    return try evaluate(condition) == .bool(true)
  }

  /// Performs a step and then its `finally`, which runs in any case and hides no failure.
  private mutating func performToTheEnd(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let steps = step.options?.finally, !steps.isEmpty else {
      return try await performInTime(step, address)
    }
    let end: Result<Value, StepFailure>
    do throws(StepFailure) {
      end = .success(try await performInTime(step, address))
    } catch {
      end = .failure(error)
    }
    let passed = await finally(steps, address.iterations)
    let value = try end.get()
    if !passed { throw .inner }
    return value
  }

  mutating func perform(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    switch step.action {
    case .call(let call): return try await perform(call, address, step.options)
    case .loop(let loop): return try await perform(loop, address)
    case .block(let block): try await perform(block, address)
    case .parallel(let parallel): return try await perform(parallel, address)
    case .await(let event): return try await wait(for: event, address)
    case .scenario(let scenario): return try await perform(scenario, address)
    case .set(let assignments):
      for assignment in assignments {
        let value = try evaluate(assignment.value)
        if let excess = value.excess() {
          let message = "'\(assignment.name)' \(excess.message)"
          throw .evaluation(EvaluationFailure(message: message, place: nil))
        }
        activation[assignment.slot] = value
      }
    case .assert(let assertions): try check(assertions)
    case .wait(let template): try await wait(template)
    }
    return .record(RecordValue(.empty, []))
  }

  private mutating func end(
    _ step: PlannedStep, _ address: Address, _ state: StepState, _ elapsed: Duration
  ) {
    switch state {
    case .passed: result.counts.passed += 1
    case .notRun: result.counts.notRun += 1
    case .failed(.inner): result.counts.failed += 1
    case .failed(let failure):
      result.counts.failed += 1
      if failure.isContinued(by: step.options) { break }
      fail(address, step.place, failure)
    }
    runner.sinks.receive(.stepEnded(address, step, state, elapsed: elapsed))
  }
}
