import FlowCore
import FlowExpression
import FlowScenario

/// The state of one run, stepped through from the first step to the last.
struct Execution {
  let runner: Runner
  var activation: Activation
  var result = RunResult()

  init(runner: Runner, inputs: [Value]) {
    self.runner = runner
    activation = Activation(
      levels: [inputs, Array(repeating: nil, count: runner.plan.variableCount)])
  }

  private var plan: Plan { runner.plan }

  mutating func run() async {
    let isReady = await openComponents()
    if isReady {
      _ = await block(plan.steps, [])
    } else {
      skip(plan.steps, [])
    }
    _ = await finally(plan.finally, [])
    await finishCaller()
    if result.passed { evaluateOutputs() }
  }

  // MARK: - Before and after the steps

  private mutating func openComponents() async -> Bool {
    for (index, component) in plan.components.enumerated() {
      let address = Address(path: "components/\(component.name)")
      do throws(StepFailure) {
        let settings = try evaluate(component.settings)
        let invocation = Invocation(
          address: address, target: .open(component, index: index), input: settings)
        if case .error(let error) = try await call(invocation) {
          throw .notOpened(error, at: component.place)
        }
      } catch {
        result.failures.append(.init(address: address, place: component.place, failure: error))
        return false
      }
    }
    return true
  }

  /// Every step of `finally` runs, whatever failed before it, and also after a cancellation.
  ///
  /// False when one of them failed.
  private mutating func finally(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    guard Task.isCancelled else { return await runAll(steps, iterations) }
    // Cancellation reaches every task below the cancelled one, so what must run in spite of it runs in
    // a task of its own, which is awaited here.
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
        let address = Address(path: "outputs/\(output.name)")
        result.failures.append(.init(address: address, place: nil, failure: error))
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
      end(step, Address(path: step.path, iterations: iterations), .notRun(.earlierFailure), .zero)
    }
  }

  // MARK: - Steps

  /// Runs one step and reports it; false when it failed.
  private mutating func run(_ step: PlannedStep, _ iterations: [Int]) async -> Bool {
    let address = Address(path: step.path, iterations: iterations)
    let start = runner.elapsed()
    let before = result.failures.count
    do throws(StepFailure) {
      if Task.isCancelled { throw .cancelled }
      guard try isWanted(step) else {
        end(step, address, .notRun(.condition), runner.elapsed() - start)
        return true
      }
      runner.sinks.receive(.stepStarted(address, step))
      let answer = try await performToTheEnd(step, address)
      if let slot = step.slot { activation[slot] = answer }
      end(step, address, .passed, runner.elapsed() - start)
      return true
    } catch {
      // What failed inside of a step that may fail was told when it failed, and fails nothing.
      let continues = error.isContinued(by: step.options)
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
      result.failures.append(.init(address: address, place: step.place, failure: failure))
    }
    runner.sinks.receive(.stepEnded(address, step, state, elapsed: elapsed))
  }
}
