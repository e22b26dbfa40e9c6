import FlowCore
import FlowExpression
import FlowPlan
internal import FlowRedaction

/// The state of one scenario of a run, from the first step to the last.
///
/// A value: branches and parallel iterations work on copies. `Steps/` has a file for each step
/// kind.
struct Execution {
  let run: Run
  /// The step around this scenario, or nil for the main scenario.
  let parent: Subscenario?
  /// The values of inputs and variables.
  var activation: Activation
  /// The latest assignments, which tell the origins of values.
  var assignments = Assignments()
  /// The steps and branches around its steps.
  var order = OrderScopes()
  /// The names of values computed from secrets, or nil if no sink hears computed values.
  let secretNames: SecretNames?
  /// The innermost case around its steps, or nil.
  var loopCase: LoopCase?
  var report = RunReport()
  /// The number of the latest moment told to the session's gate, or nil without a gate.
  var latestMoment: Int?

  /// Creates the run of the session's plan, or of the plan of `parent`.
  init(run: Run, parent: Subscenario? = nil, inputs: [Value]) {
    self.run = run
    self.parent = parent
    let plan = parent?.plan ?? run.session.plan
    secretNames = run.sinks.hearsValues ? SecretNames(of: plan) : nil
    activation = Activation(levels: [inputs, Array(repeating: nil, count: plan.variableCount)])
  }

  var plan: Plan { parent?.plan ?? run.session.plan }

  mutating func run() async {
    await noteBeginning()
    if await openComponents() {
      await steps()
    } else {
      skip(plan.steps, iterations)
    }
    _ = await finally(plan.finally, iterations)
    await finishCaller()
    if report.passed { evaluateOutputs() }
  }

  // MARK: - The steps and what must hold after each

  private mutating func steps() async {
    if plan.invariants.steps.isEmpty {
      _ = await block(plan.steps, iterations)
      return
    }
    for (index, step) in plan.steps.enumerated() {
      guard await runStep(step, iterations), await checkInvariants(after: step, index) else {
        return skip(plan.steps.dropFirst(index + 1), iterations)
      }
    }
  }

  /// Runs the invariants with their own variables, like one iteration each time.
  ///
  /// Returns false if one failed.
  private mutating func checkInvariants(after step: PlannedStep, _ index: Int) async -> Bool {
    activation.levels.append(Array(repeating: nil, count: plan.invariants.variableCount))
    defer { activation.levels.removeLast() }
    await noteLevel(address(of: step, iterations))
    let before = report.failures.count
    let passed = await block(plan.invariants.steps, iterations + [index + 1])
    for index in report.failures.indices.dropFirst(before) {
      report.failures[index].follows = step.path
    }
    return passed
  }

  // MARK: - Before and after the steps

  private mutating func openComponents() async -> Bool {
    for index in plan.openingOrder where parent?.handed[index] == nil {
      let component = plan.components[index]
      let address = address(ofPart: "components/\(component.name)")
      do throws(StepFailure) {
        let settings = try evaluate(component.settings)
        let invocation = Invocation(
          address: address, target: .open(component, index: index), input: settings,
          scope: parent?.address, order: order)
        if case .error(let error) = try await call(invocation) {
          throw .notOpened(error, at: component.place)
        }
      } catch {
        fail(address, component.place, explained(error, at: address))
        return false
      }
    }
    return true
  }

  /// Every step of `finally` runs, whatever failed before it, and also after or in a cancellation.
  ///
  /// False when one of them failed, and in a run that is over, where none of them runs.
  private mutating func finally(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    if steps.isEmpty { return true }
    if run.pacing?.isOver() ?? false {
      skip(steps, iterations)
      return false
    }
    // Cancellation, including that of a timeout around the step, reaches every task below the
    // cancelled one. Work that must run in spite of it gets a separate task, which is awaited here.
    let before = self
    let (after, passed) = await Task(executorPreference: run.session.executor) {
      var copy = before
      let passed = await copy.runAll(steps, iterations)
      return (copy, passed)
    }.value
    self = after
    return passed
  }

  private mutating func runAll(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    var passed = true
    for step in steps where !(await runStep(step, iterations)) { passed = false }
    return passed
  }

  private mutating func finishCaller() async {
    run.session.boundary.endSteps(within: parent?.address)
    if let scope = parent?.address { return await run.caller.close(scope) }
    var failure: StepFailure?
    do {
      try await run.caller.finish()
    } catch let error as BoundaryFailure {
      // A failed run did not do everything, so unused entries say nothing new.
      if report.passed { failure = .boundary(error) }
    } catch {
      failure = .cancelled
    }
    // The cause. Unused entries may be its consequence.
    if let cause = run.session.boundary.failure, !hasFailed(by: cause) {
      failure = .boundary(cause)
    }
    if let failure {
      report.failures.append(.init(address: Address(path: "steps"), place: nil, failure: failure))
    }
    report.failures += run.session.pendingFailures.remaining
  }

  /// Returns true if a step failed for this reason, as for a request from outside during the step.
  private func hasFailed(by cause: BoundaryFailure) -> Bool {
    report.failures.contains {
      if case .boundary(let failure) = $0.failure { failure == cause } else { false }
    }
  }

  private mutating func evaluateOutputs() {
    for output in plan.outputs {
      let address = address(ofPart: "outputs/\(output.name)")
      do throws(StepFailure) {
        report.outputs.append((output.name, try evaluate(output, at: address)))
      } catch {
        fail(address, nil, explained(error, at: address))
      }
    }
    if !report.passed { report.outputs = [] }
  }

  // MARK: - Steps

  /// Runs steps in order until one fails.
  ///
  /// Returns false if one did.
  mutating func block(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    for (index, step) in steps.enumerated() {
      guard await runStep(step, iterations) else {
        skip(steps.dropFirst(index + 1), iterations)
        return false
      }
    }
    return true
  }

  mutating func skip(_ steps: some Sequence<PlannedStep>, _ iterations: [Int]) {
    for step in steps {
      end(step, at: address(of: step, iterations), .notRun(.earlierFailure), after: .zero)
    }
  }

  /// Runs one step once and reports it.
  ///
  /// Returns its end, and false if the steps after it are left out.
  mutating func runOnce(
    _ step: PlannedStep, _ iterations: [Int]
  ) async -> (state: StepState, goesOn: Bool) {
    let address = address(of: step, iterations)
    let start = run.session.elapsed()
    let before = report.failures.count
    var (step, name) = (step, String?.none)
    do throws(StepFailure) {
      if Task.isCancelled { throw .cancelled }
      guard try isWanted(step, address) else {
        end(step, at: address, .notRun(.condition), after: run.session.elapsed() - start)
        return (.notRun(.condition), true)
      }
      step = try named(step, address)
      name = step.nameWithValues
      run.sinks.receive(.stepStarted(address, step))
      let comparison = step.options?.comparison
      if let comparison { order.enter(.step(address, comparison)) }
      defer { if comparison != nil { order.leave() } }
      let answer = try await performWithFinally(step, address)
      keep(answer, of: step)
      end(step, at: address, .passed, after: run.session.elapsed() - start)
      return (.passed, true)
    } catch {
      // What failed inside of a step that may fail was reported when it failed, and fails nothing.
      let isInside = report.failures.dropFirst(before).contains(where: \.failure.isBoundary)
      if let slot = step.errorSlot {
        activation[slot] = value(of: error, address, report.failures.dropFirst(before))
      }
      let continues = error.isContinued(by: step.options) && !isInside
      if continues { report.failures.removeLast(report.failures.count - before) }
      let failure = explained(error, at: address)
      if !continues { await tellEvidence(of: step, after: error, at: address) }
      end(step, at: address, .failed(failure), after: run.session.elapsed() - start, name: name)
      return (.failed(failure), continues)
    }
  }

  /// Performs a step, then its `finally`, which runs in any case and hides no failure.
  private mutating func performWithFinally(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let steps = step.options?.finally, !steps.isEmpty else {
      return try await performWithRetry(step, address)
    }
    let end: Result<Value, StepFailure>
    do throws(StepFailure) {
      end = .success(try await performWithRetry(step, address))
    } catch {
      end = .failure(error)
    }
    let passed = await finally(steps, address.iterations)
    let value = try end.get()
    if !passed { throw .inner }
    return value
  }

  /// Performs the action of a step and returns the step's answer.
  mutating func performAction(
    of step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    switch step.action {
    case .call(let call): return try await callWithRetry(call, step, address)
    case .loop(let loop): return try await runLoop(loop, address)
    case .block(let block): try await runBlock(block, address)
    case .parallel(let parallel): try await runConcurrently(parallel, address)
    case .await(let event): return try await wait(for: event, address)
    case .scenario(let scenario): return try await runScenario(scenario, address)
    case .set(let set): try assign(set, address)
    case .assert(let assert): try check(assert, address)
    case .wait(let time): try await wait(time, address)
    }
    return .record(RecordValue(.empty, []))
  }

  // MARK: - Addresses

  /// The iterations around all steps of the plan.
  var iterations: [Int] { parent?.address.iterations ?? [] }

  /// The address of a step.
  func address(of step: PlannedStep, _ iterations: [Int]) -> Address {
    // Steps of the main scenario need no new string.
    guard let parent else { return Address(path: step.path, iterations: iterations) }
    return Address(path: parent.prefix + step.path, iterations: iterations)
  }

  /// The address of a loop in one of its iterations, by its index.
  func iteration(_ index: Int, of loop: Address) -> Address {
    Address(path: loop.path, iterations: loop.iterations + [index + 1])
  }

  /// The address of a part of the scenario that is not a step, such as `components/balance`.
  private func address(ofPart path: String) -> Address {
    Address(path: (parent?.prefix ?? "") + path, iterations: iterations)
  }

  // MARK: - Ends

  private mutating func end(
    _ step: PlannedStep, at address: Address, _ state: StepState, after elapsed: Duration,
    name: String? = nil
  ) {
    let pending = run.session.pendingFailures
    if pending.hasUnplaced, state.hasRun {
      pending.place { describedFailure(address, step.place, .boundary($0), name: name, of: step) }
    }
    switch state {
    case .passed: report.counts.passed += 1
    case .notRun: report.counts.notRun += 1
    // The inner step failed, and is counted.
    case .failed(.inner): break
    case .failed(let failure):
      report.counts.failed += 1
      if failure.isContinued(by: step.options) { break }
      fail(address, step.place, failure, name: name, of: step)
    }
    run.sinks.receive(.stepEnded(address, step, state, elapsed: elapsed))
  }

  /// Notes a failure in this scenario's file.
  private mutating func fail(
    _ address: Address, _ place: Place?, _ failure: StepFailure, name: String? = nil,
    of step: PlannedStep? = nil
  ) {
    report.failures.append(describedFailure(address, place, failure, name: name, of: step))
  }

  /// Returns a failure in this scenario's file, with its surroundings.
  func describedFailure(
    _ address: Address, _ place: Place?, _ failure: StepFailure, name: String? = nil,
    of step: PlannedStep?
  ) -> RunReport.Failure {
    var failed = RunReport.Failure(
      address: address, place: place, failure: failure, inclusion: parent?.inclusion, name: name)
    failed.caseName = loopCase?.name
    if let step { describe(&failed, step, address) }
    return failed
  }

  /// Adds the input and the surroundings of a failed step.
  private func describe(_ failed: inout RunReport.Failure, _ step: PlannedStep, _ address: Address)
  {
    // The input has no other value now: nothing was set since it was given.
    if case .call(let call) = step.action {
      failed.input = try? evaluate(call.input)
      failed.inputOrigins = origins(of: call.input, at: address)
    }
    failed.surroundings = surroundings(of: step, address)
  }

  /// Notes a failed attempt before another one.
  func retried(
    _ failure: StepFailure, attempt: (number: Int, limit: Int), of step: PlannedStep,
    at address: Address
  ) -> RunReport.Failure {
    var failed = RunReport.Failure(
      address: address, place: step.place, failure: explained(failure, at: address),
      inclusion: parent?.inclusion, name: step.nameWithValues)
    (failed.attempt, failed.caseName) = (attempt, loopCase?.name)
    describe(&failed, step, address)
    return failed
  }

  /// The loops, and the steps with names, around a step of this scenario.
  private func surroundings(of step: PlannedStep, _ address: Address) -> [RunReport.Surrounding] {
    // The iterations of an invariant's step start with the number of the step that it follows.
    var depth = iterations.count + (step.path.hasPrefix("invariants/") ? 1 : 0)
    return plan.steps(around: step).compactMap { outer in
      // A name with values in it belongs to another moment.
      let name = outer.options.flatMap { $0.nameText == nil ? $0.name : nil }
      var surrounding = RunReport.Surrounding(path: outer.path, name: name, iteration: nil)
      if outer.countsAttempts { depth += 1 }
      if case .loop(let loop) = outer.action {
        surrounding.iteration = address.iterations.dropFirst(depth).first
        surrounding.variable = variable(of: loop)
        depth += 1
      }
      // The rest is in the address.
      return name == nil && surrounding.variable == nil ? nil : surrounding
    }
  }

  private func variable(of loop: PlannedLoop) -> (name: String, value: Value)? {
    guard let name = loop.variable, loop.level < activation.levels.count else { return nil }
    return activation.levels[loop.level][1].map { (name, $0) }
  }
}

extension StepState {
  /// True unless the step was left out.
  fileprivate var hasRun: Bool { if case .notRun = self { false } else { true } }
}

// MARK: - Values

extension Execution {
  func evaluate(_ template: Template) throws(StepFailure) -> Value {
    do { return try template.evaluate(activation) } catch { throw .evaluation(error) }
  }

  func evaluate(_ expression: PlannedExpression) throws(StepFailure) -> Value {
    do { return try expression.evaluate(activation) } catch { throw .evaluation(error) }
  }

  /// Hides the secrets of a value from now on.
  func hideSecrets(
    in value: Value, of component: String? = nil
  ) throws(StepFailure) {
    do { try run.session.redactor.hideSecrets(in: value, of: component) } catch {
      throw .evaluation(EvaluationFailure(message: "\(error)", place: nil))
    }
  }
}
