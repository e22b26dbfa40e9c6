internal import FlowCore
internal import FlowPlan

/// The action of a step, as the engine performs it.
///
/// The file of each kind in `Steps/` lets the planned action implement it. Around it are the
/// step's condition, name, attempts, time and `finally`, in `Execution`.
protocol StepBody {
  /// Performs the action and returns the step's answer.
  ///
  /// Called once for each attempt. With a time limit, on a copy of the execution that takes its
  /// place in any case, and in a task that is cancelled when the time is over.
  ///
  /// - Throws: The reason for the step's failure, `inner` if a step inside has reported it.
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value
  /// Returns true if the policy tries again after a failure and those of the steps inside.
  ///
  /// By default after each failure that lets the scenario go on.
  func isRetried(
    after failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>, by policy: RetryPolicy
  ) -> Bool
  /// Returns the pause that a failure asks for before the next attempt, or nil.
  ///
  /// Nil by default.
  func pause(after failure: StepFailure) -> Duration?
}

extension StepBody {
  func isRetried(
    after failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>, by policy: RetryPolicy
  ) -> Bool { failure.letsGoOn(inner) }

  func pause(after failure: StepFailure) -> Duration? { nil }
}

/// The steps of one scenario of a run, while they run.
///
/// A value: branches, parallel iterations and attempts work on copies.
struct Execution: Sendable {
  /// The values of the scenario.
  var values: ScenarioValues
  /// The steps and branches around its steps.
  private(set) var order = OrderScopes()
  /// The innermost case around its steps, or nil.
  private(set) var loopCase: LoopCase?
  private(set) var report = RunReport()
  /// The number of the latest moment told to the run's gate, or nil without a gate.
  private var latestMoment: Int?

  /// Creates the execution of the main scenario.
  init(_ run: Run, inputs: [Value]) {
    values = ScenarioValues(run: run, parent: nil, inputs: inputs)
  }

  /// Creates the execution of another scenario inside of a step.
  init(_ scenario: Subscenario, in outer: Execution, inputs: [Value]) {
    values = ScenarioValues(run: outer.run, parent: scenario, inputs: inputs)
    (order, loopCase, latestMoment) = (outer.order, outer.loopCase, outer.latestMoment)
  }

  var run: Run { values.run }

  // MARK: - Steps in order

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

  /// Reports steps that are left out after an earlier failure.
  mutating func skip(_ steps: some Sequence<PlannedStep>, _ iterations: [Int]) {
    for step in steps {
      end(step, at: values.address(of: step, iterations), .notRun(.earlierFailure), after: .zero)
    }
  }

  /// Runs every step of a `finally`, whatever failed before it, and also after or in a cancellation.
  ///
  /// Returns false if one of them failed, and in a run that is over, where none of them runs.
  mutating func finally(_ steps: [PlannedStep], _ iterations: [Int]) async -> Bool {
    if steps.isEmpty { return true }
    if run.pacing?.isOver() ?? false {
      skip(steps, iterations)
      return false
    }
    // Cancellation, including that of a timeout around the step, reaches every task below the
    // cancelled one. Work that must run in spite of it gets a separate task, which is awaited here.
    let before = self
    let (after, passed) = await Task(executorPreference: run.parts.executor) {
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

  // MARK: - One step, from the outside in

  /// Runs one step, as often as the gate says, and reports it.
  ///
  /// Returns false if the steps after it are left out.
  mutating func runStep(_ step: PlannedStep, _ iterations: [Int]) async -> Bool {
    guard let gate = run.parts.gate else { return await runOnce(step, iterations).goesOn }
    let address = values.address(of: step, iterations)
    _ = await pass(gate, moment(.before, address, step))
    let (before, opened) = (self, latestMoment ?? 0)
    while true {
      let end = await runOnce(step, iterations)
      var ended = moment(.after(end.state, opened: opened), address, step)
      ended.problems = problems(of: end.state, address, step, after: before.report.failures.count)
      guard await pass(gate, ended), !Task.isCancelled else { return end.goesOn }
      self = before
    }
  }

  /// Runs one step once if its condition is true, and reports it.
  ///
  /// Returns its end, and false if the steps after it are left out.
  private mutating func runOnce(
    _ step: PlannedStep, _ iterations: [Int]
  ) async -> (state: StepState, goesOn: Bool) {
    let address = values.address(of: step, iterations)
    let start = run.parts.elapsed()
    let before = report.failures.count
    var (step, name) = (step, String?.none)
    do throws(StepFailure) {
      if Task.isCancelled { throw .cancelled }
      if let condition = step.options?.condition,
        try !values.isTrue(condition, .condition, at: address)
      {
        end(step, at: address, .notRun(.condition), after: run.parts.elapsed() - start)
        return (.notRun(.condition), true)
      }
      step = try values.named(step, at: address)
      name = step.nameWithValues
      run.sinks.receive(.stepStarted(address, step))
      let comparison = step.options?.comparison
      if let comparison { order.enter(.step(address, comparison)) }
      defer { if comparison != nil { order.leave() } }
      let answer = try await performWithFinally(step, address)
      keep(answer, of: step)
      end(step, at: address, .passed, after: run.parts.elapsed() - start)
      return (.passed, true)
    } catch {
      let (failure, continues) = settle(error, of: step, at: address, after: before)
      if !continues { await tellEvidence(of: step, after: error, at: address) }
      end(
        step, at: address, .failed(failure), after: run.parts.elapsed() - start, name: name)
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

  /// Performs a step, and again after a failure when it says so.
  ///
  /// Each attempt starts with the variables that the first one had. That of a block counts as an
  /// iteration in the addresses inside.
  private mutating func performWithRetry(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let retry = try step.options?.retry.map(values.policy) else {
      return try await performInTime(step, address)
    }
    let before = self
    var random = SeededGenerator(seed: run.parts.seed, label: "\(address) retry")
    var number = 1
    while true {
      do throws(StepFailure) {
        let attempt = step.countsAttempts ? address.iteration(number - 1) : address
        return try await performInTime(step, attempt)
      } catch {
        let body = step.action.body
        let inner = report.failures.dropFirst(before.report.failures.count)
        guard number < retry.attempts, body.isRetried(after: error, inner, by: retry) else {
          throw error
        }
        note(error, inner, attempt: (number, retry.attempts), of: step, at: address)
        let (cause, failed) = (inner.first?.failure ?? error, inner.first?.address ?? address)
        self = before
        number += 1
        run.tell(
          attempt: (number, retry.attempts), at: address,
          after: values.explained(cause, at: address), of: failed)
        let chance = Double.random(in: 0..<1, using: &random)
        let delay = retry.delay(before: number, chance: chance, asked: body.pause(after: error))
        try await run.sleep(for: delay, .retry(before: number), at: address)
      }
    }
  }

  /// Performs an attempt within the step's time.
  private mutating func performInTime(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let timeout = step.options?.timeout else {
      return try await step.action.body.perform(in: &self, at: address)
    }
    let limit = try values.evaluate(timeout)
    // The step works on a copy, which takes this one's place when the step has ended in time.
    let before = self
    let (work, isLate) = await run.outcome(within: limit, at: address) {
      var copy = before
      do throws(StepFailure) {
        let value = try await step.action.body.perform(in: &copy, at: address)
        return (copy, Result<Value, StepFailure>.success(value))
      } catch {
        return (copy, Result<Value, StepFailure>.failure(error))
      }
    }
    let failures = report.failures
    self = work.0
    guard isLate else { return try work.1.get() }
    // The finished work counts. Its cancellation is no failure.
    let boundaries = report.failures.dropFirst(failures.count).filter(\.failure.isBoundary)
    report.failures = failures + boundaries
    throw .timeout(limit)
  }

  // MARK: - The end of a step

  /// Gives a step's answer to the steps after it, or the expected error.
  private mutating func keep(_ answer: Value, of step: PlannedStep) {
    let isError = step.action.expectedError != nil
    if let slot = isError ? step.errorSlot : step.slot { values.keep(answer, in: slot) }
  }

  /// Gives a failed step's error to the steps after it.
  ///
  /// Returns the failure as the report has it, and true if the scenario goes on.
  private mutating func settle(
    _ failure: StepFailure, of step: PlannedStep, at address: Address, after before: Int
  ) -> (failure: StepFailure, continues: Bool) {
    let inner = report.failures.dropFirst(before)
    if let slot = step.errorSlot {
      values.keep(failure.error(at: address, inner, run.redactor), in: slot)
    }
    // What failed inside of a step that may fail was reported when it failed, and fails nothing.
    let continues =
      failure.isContinued(by: step.options) && !inner.contains(where: \.failure.isBoundary)
    if continues { report.failures.removeLast(inner.count) }
    return (values.explained(failure, at: address), continues)
  }

  /// Tells the sinks that listen what the component of a failed call shows of itself.
  private func tellEvidence(
    of step: PlannedStep, after failure: StepFailure, at address: Address
  ) async {
    guard values.isHeard, failure.isOfCall, !Task.isCancelled, let call = step.action.call else {
      return
    }
    let invocation = Invocation(
      address: address, target: .operation(call.operation), input: .null,
      scope: values.parent?.address)
    guard let value = await run.parts.evidence(invocation) else { return }
    run.sinks.receive(
      ComputedValue(use: .evidence, name: "", source: "", value: value, operands: []), at: address)
  }

  private mutating func end(
    _ step: PlannedStep, at address: Address, _ state: StepState, after elapsed: Duration,
    name: String? = nil
  ) {
    let pending = run.parts.pendingFailures
    if pending.hasUnplaced, state.hasRun {
      pending.place { described(.boundary($0), of: step, at: address, step.place, name: name) }
    }
    switch state {
    case .passed: report.counts.passed += 1
    case .notRun: report.counts.notRun += 1
    // The inner step failed, and is counted.
    case .failed(.inner): break
    case .failed(let failure):
      report.counts.failed += 1
      if failure.isContinued(by: step.options) { break }
      fail(failure, of: step, at: address, step.place, name: name)
    }
    run.sinks.receive(.stepEnded(address, step, state, elapsed: elapsed))
  }

  // MARK: - Failures

  /// Notes a failure in this scenario's file.
  mutating func fail(
    _ failure: StepFailure, of step: PlannedStep? = nil, at address: Address, _ place: Place?,
    name: String? = nil
  ) {
    report.failures.append(described(failure, of: step, at: address, place, name: name))
  }

  /// Returns a failure in this scenario's file, with its surroundings.
  private func described(
    _ failure: StepFailure, of step: PlannedStep?, at address: Address, _ place: Place?,
    name: String? = nil
  ) -> RunReport.Failure {
    var failed = RunReport.Failure(failure, of: step, at: address, place, name: name, in: values)
    failed.caseName = loopCase?.name
    return failed
  }

  /// Notes the failures of an attempt before another one.
  private func note(
    _ failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>,
    attempt: (number: Int, limit: Int), of step: PlannedStep, at address: Address
  ) {
    let add = { (failed: RunReport.Failure) in
      var failed = failed
      failed.attempt = attempt
      return failed
    }
    for failed in inner { run.retried.add(add(failed)) }
    if case .inner = failure { return }
    run.retried.add(
      add(
        described(
          values.explained(failure, at: address), of: step, at: address, step.place,
          name: step.nameWithValues)))
  }

  /// Adds the counts and failures of steps that had a separate report.
  mutating func add(_ counts: RunReport.Counts, _ failures: [RunReport.Failure]) {
    report.counts += counts
    report.failures += failures
  }

  /// Says that the failures after a number of them were found after a step, by an invariant.
  mutating func mark(failuresAfter count: Int, asFollowing step: PlannedStep) {
    for index in report.failures.indices.dropFirst(count) {
      report.failures[index].follows = step.path
    }
  }

  // MARK: - Cases

  /// Starts an iteration that is a case.
  ///
  /// Returns the case around it, or nil.
  mutating func enter(_ loopCase: LoopCase) -> LoopCase? {
    run.sinks.receive(.caseStarted(loopCase))
    defer { self.loopCase = loopCase }
    return self.loopCase
  }

  /// Reports the end of the present case, with the failures in it after a number of them.
  mutating func leave(
    _ loopCase: LoopCase, to outer: LoopCase?, _ failure: StepFailure?, after count: Int,
    _ elapsed: Duration
  ) {
    self.loopCase = outer
    guard let failure else { return end(loopCase, .passed, [], after: elapsed) }
    var failures = Array(report.failures.dropFirst(count))
    if failure.isUnreported {
      failures.append(RunReport.Failure(address: loopCase.address, place: nil, failure: failure))
    }
    let isStopped = Task.isCancelled && failures.allSatisfy(\.failure.isCancellation)
    end(loopCase, isStopped ? .notRun : .failed, failures, after: elapsed)
  }

  /// Adds the cases of steps that had a separate report.
  mutating func add(_ cases: [RunReport.Case]) { report.add(cases) }

  /// Reports cases that never start.
  mutating func skip(_ cases: some Sequence<LoopCase>) {
    for loopCase in cases { end(loopCase, .notRun, [], after: .zero) }
  }

  private mutating func end(
    _ loopCase: LoopCase, _ state: RunReport.Case.State, _ failures: [RunReport.Failure],
    after elapsed: Duration
  ) {
    report.add([
      RunReport.Case(name: loopCase.name, state: state, elapsed: elapsed, failures: failures)
    ])
    run.sinks.receive(.caseEnded(loopCase, state, elapsed: elapsed))
  }

  // MARK: - Branches

  /// Returns a copy for a branch, whose report and assignments are added to these.
  func branched() -> Execution {
    var copy = self
    copy.report = RunReport()
    copy.values = values.branched()
    return copy
  }

  /// Becomes the execution of a branch.
  mutating func enter(_ branch: Branch) { order.enter(.branch(branch)) }

  // MARK: - Moments

  /// Tells the gate that an inner level of values was opened.
  mutating func noteLevel(_ address: Address) async {
    guard let gate = run.parts.gate else { return }
    _ = await pass(gate, moment(.level, address, nil))
  }

  /// Tells the gate that the scenario begins.
  mutating func noteBeginning() async {
    guard let gate = run.parts.gate else { return }
    let address = values.parent?.address ?? Address(path: "")
    _ = await pass(gate, moment(.scenario, address, nil))
  }

  private func moment(
    _ kind: StepMoment.Kind, _ address: Address, _ step: PlannedStep?
  ) -> StepMoment {
    StepMoment(kind: kind, base: latestMoment, step: step, scope: values.moment(at: address))
  }

  /// Passes a moment, and returns true if its step is to run again.
  private mutating func pass(_ gate: any StepGate, _ moment: StepMoment) async -> Bool {
    let (number, stops) = gate.note(moment)
    latestMoment = number
    return stops ? await gate.wait(at: number) : false
  }

  /// The problems of a failed step, also of one after which the scenario goes on.
  private func problems(
    of state: StepState, _ address: Address, _ step: PlannedStep, after count: Int
  ) -> [Diagnostic] {
    guard case .failed(let failure) = state else { return [] }
    var failed = RunReport()
    failed.failures = Array(report.failures.dropFirst(count))
    if failed.failures.isEmpty {
      failed.failures = [described(failure, of: step, at: address, step.place)]
    }
    return failed.redacted(by: run.redactor).explained(by: run.parts.plan).diagnostics
  }
}

extension PlannedAction {
  /// The action as the engine performs it.
  fileprivate var body: any StepBody {
    switch self {
    case .call(let call): call
    case .loop(let loop): loop
    case .block(let block): block
    case .parallel(let parallel): parallel
    case .set(let set): set
    case .assert(let assert): assert
    case .wait(let wait): wait
    case .await(let event): event
    case .scenario(let scenario): scenario
    }
  }
}

extension StepState {
  /// True unless the step was left out.
  fileprivate var hasRun: Bool { if case .notRun = self { false } else { true } }
}

extension StepFailure {
  /// Returns true if something may run after the failure, given the failures inside of it.
  ///
  /// Nothing goes on after a cancellation, or after a failure of the run itself.
  func letsGoOn(_ inner: ArraySlice<RunReport.Failure>) -> Bool {
    if case .cancelled = self { return false }
    return !Task.isCancelled && !isBoundary && !inner.contains(where: \.failure.isBoundary)
  }
}

extension Value {
  /// The answer of a step without outputs.
  static var noOutputs: Value { .record(RecordValue(.empty, [])) }
}

extension Address {
  /// The address of a loop in one of its iterations, or of an attempt of a step, by its index.
  func iteration(_ index: Int) -> Address {
    Address(path: path, iterations: iterations + [index + 1])
  }
}
