internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// The values of a scenario at a moment of its run, and the assignments that tell their origins.
///
/// A value: branches and repeated attempts work on copies. It evaluates the scenario's expressions
/// and tells the sinks that listen what was computed.
struct ScenarioValues: Sendable {
  let run: Run
  /// The step around this scenario, or nil for the main scenario.
  let parent: Subscenario?
  /// The values of inputs and variables.
  private(set) var activation: Activation
  /// The latest assignments.
  private(set) var assignments = Assignments()
  /// The names of values computed from secrets, or nil if no sink hears computed values.
  private let secretNames: SecretNames?

  /// Creates the values at the start of the run's plan, or of the plan of `parent`.
  init(run: Run, parent: Subscenario?, inputs: [Value]) {
    self.run = run
    self.parent = parent
    let plan = parent?.plan ?? run.parts.plan
    secretNames = run.sinks.hearsValues ? SecretNames(of: plan) : nil
    activation = Activation(levels: [inputs, Array(repeating: nil, count: plan.variableCount)])
  }

  var plan: Plan { parent?.plan ?? run.parts.plan }

  // MARK: - Addresses

  /// The iterations around all steps of the plan.
  var iterations: [Int] { parent?.address.iterations ?? [] }

  /// The address of a step.
  func address(of step: PlannedStep, _ iterations: [Int]) -> Address {
    // Steps of the main scenario need no new string.
    guard let parent else { return Address(path: step.path, iterations: iterations) }
    return Address(path: parent.prefix + step.path, iterations: iterations)
  }

  /// The address of a part of the scenario that is not a step, such as `components/balance`.
  func address(ofPart path: String) -> Address {
    Address(path: (parent?.prefix ?? "") + path, iterations: iterations)
  }

  // MARK: - Levels and variables

  /// Opens a level of variables without values.
  mutating func openLevel(_ variableCount: Int) {
    activation.levels.append(Array(repeating: nil, count: variableCount))
  }

  /// Opens the variables of an iteration, with the element of a list or nil for a `repeat`.
  mutating func open(_ loop: PlannedLoop, _ index: Int, _ element: Value? = nil) {
    var variables = [Value?](repeating: nil, count: loop.variableCount)
    variables[0] = .int(index)
    if let element { variables[1] = element }
    activation.levels.append(variables)
  }

  /// Closes the innermost level.
  mutating func closeLevel() { activation.levels.removeLast() }

  /// The variable of a `for` with its value, or nil without one.
  func variable(of loop: PlannedLoop) -> (name: String, value: Value)? {
    guard let name = loop.variable, loop.level < activation.levels.count else { return nil }
    return activation.levels[loop.level][1].map { (name, $0) }
  }

  /// The values of a branch's variables.
  func values(of slots: Range<Int>, level: Int) -> [Value?] {
    slots.map { activation.levels[level][$0] }
  }

  /// Takes the values of a branch's variables.
  mutating func take(_ values: [Value?], of slots: Range<Int>, level: Int) {
    for (slot, value) in zip(slots, values) { activation.levels[level][slot] = value }
  }

  /// Gives a slot its value.
  mutating func keep(_ value: Value, in slot: Slot) { activation[slot] = value }

  /// Gives a variable its value.
  mutating func assign(
    _ assignment: PlannedAssignment, _ index: Int, _ value: Value, at address: Address
  ) {
    if isHeard { tell((.set, assignment.name), assignment.value, value, at: address) }
    assignments.add(
      Assignments.Entry(
        slot: assignment.slot, part: index, address: address,
        values: assignment.value.smallValues(activation)))
    activation[assignment.slot] = value
  }

  // MARK: - Assignments

  /// Notes an output of an iteration.
  mutating func note(_ output: PlannedOutput, _ index: Int, at address: Address) {
    assignments.add(
      Assignments.Entry(
        slot: nil, part: index, address: address, values: output.value.smallValues(activation)))
  }

  /// Notes the outputs of an inner scenario, given the values behind its inputs.
  mutating func note(_ inner: ScenarioValues, given values: [Value?], at address: Address) {
    if inner.plan.outputs.isEmpty { return }
    let ended = EndedScenario(
      plan: inner.plan, assignments: inner.assignments,
      outputs: inner.plan.outputs.map { $0.value.smallValues(inner.activation) })
    assignments.add(
      Assignments.Entry(slot: nil, part: 0, address: address, values: values, scenario: ended))
  }

  /// Returns a copy for a branch, whose assignments are added to these.
  func branched() -> ScenarioValues {
    var copy = self
    copy.assignments = assignments.branched()
    return copy
  }

  /// Adds the assignments that a branch made.
  mutating func add(branch: Assignments) { assignments.add(branch: branch) }

  // MARK: - Origins

  /// The present moment at the address of a step, or of a loop in one of its iterations.
  func moment(at address: Address) -> OriginScope {
    OriginScope(
      plan: plan, address: address, activation: activation, assignments: assignments,
      parent: parent)
  }

  /// Returns a failure with the origins of the values behind it.
  ///
  /// They are found when it fails, since the values that tell them do not outlive the step.
  func explained(_ failure: StepFailure, at address: Address) -> StepFailure {
    failure.explained(by: moment(at: address))
  }

  /// Does something, and explains its failure at an address.
  func explaining<Result>(
    at address: @autoclosure () -> Address, _ body: () throws(StepFailure) -> Result
  ) throws(StepFailure) -> Result {
    do throws(StepFailure) { return try body() } catch { throw explained(error, at: address()) }
  }

  // MARK: - Evaluation

  func evaluate(_ template: Template) throws(StepFailure) -> Value {
    do { return try template.evaluate(activation) } catch { throw .evaluation(error) }
  }

  func evaluate(_ expression: PlannedExpression) throws(StepFailure) -> Value {
    do { return try expression.evaluate(activation) } catch { throw .evaluation(error) }
  }

  /// Returns the value of a condition for an element, which it reads in a separate level.
  func evaluate(
    _ condition: PlannedExpression, of element: Value
  ) throws(EvaluationFailure) -> Value {
    try condition.evaluate(with(element).activation)
  }

  /// The values with an element in a separate level.
  private func with(_ element: Value) -> ScenarioValues {
    var copy = self
    copy.activation.levels.append([element])
    return copy
  }

  /// Evaluates an output and tells its value.
  func evaluate(_ output: PlannedOutput, at address: Address) throws(StepFailure) -> Value {
    let value = try evaluate(output.value)
    if isHeard { tell((.output, output.name), output.value, value, at: address) }
    return value
  }

  /// Evaluates a condition and tells its value.
  func isTrue(
    _ condition: PlannedExpression, _ use: ComputedValue.Use, at address: Address
  ) throws(StepFailure) -> Bool {
    let value = try evaluate(condition)
    if isHeard { tell((use, ""), condition, value, at: address) }
    return value == .bool(true)
  }

  /// Returns the step with the values of the expressions in its name, and tells the name.
  func named(_ step: PlannedStep, at address: Address) throws(StepFailure) -> PlannedStep {
    guard let name = step.options?.nameText else { return step }
    let value = try evaluate(name)
    if isHeard { tell((.name, ""), name, value, at: address) }
    return step.named(value.interpolated)
  }

  // MARK: - Options that may be expressions

  /// Returns the policy of a step that starts.
  func policy(_ retry: PlannedRetry) throws(StepFailure) -> RetryPolicy {
    var policy = retry.policy
    policy.attempts = try evaluate(retry.attempts)
    policy.backoff = try evaluate(retry.backoff)
    return policy
  }

  /// Returns a duration of an option.
  func evaluate(_ option: OptionValue<Duration>) throws(StepFailure) -> Duration {
    switch option {
    case .written(let duration): return duration
    case .computed(let expression, let bounds):
      guard case .duration(let duration) = try evaluate(expression, within: bounds) else {
        return .zero
      }
      return duration
    }
  }

  /// Returns a whole number of an option.
  func evaluate(_ option: OptionValue<Int>) throws(StepFailure) -> Int {
    switch option {
    case .written(let number): return number
    case .computed(let expression, let bounds):
      guard case .int(let number) = try evaluate(expression, within: bounds) else { return 1 }
      return number
    }
  }

  private func evaluate(
    _ expression: PlannedExpression, within bounds: OptionBounds
  ) throws(StepFailure) -> Value {
    let value = try evaluate(expression)
    guard let problem = bounds.problem(of: value) else { return value }
    throw .evaluation(EvaluationFailure(message: problem, place: expression.place))
  }

  // MARK: - Computed values

  /// True if a sink hears computed values.
  ///
  /// Asked before each of them, so a run that nobody listens to does not describe them.
  var isHeard: Bool { secretNames != nil }

  /// Tells the sinks that listen the value of an assertion.
  func tell(assertion: PlannedExpression, at address: Address) {
    if isHeard { tell((.assert, ""), assertion, .bool(true), at: address) }
  }

  /// Tells the computed parts of an expectation that an answer fulfils.
  func tell(_ expected: ExpectedValue, of answer: Value, at address: Address) {
    for part in isHeard ? expected.computedParts(answer) : [] {
      switch part.matcher {
      case .equal(let template):
        guard let value = try? template.evaluate(activation) else { continue }
        tell((.expect, "\(part.path)"), template, value, at: address)
      case .condition(let condition):
        guard let actual = part.actual else { continue }
        with(actual).tell((.expect, "\(part.path)"), condition, .bool(true), at: address)
      case .fields, .entries, .elements, .schema, .written: continue
      }
    }
  }

  private func tell(
    _ subject: ComputedValue.Subject, _ template: Template, _ value: Value, at address: Address
  ) {
    let secrets = secretNames ?? SecretNames()
    run.sinks.receive(ComputedValue(subject, template, value, activation, secrets), at: address)
  }

  private func tell(
    _ subject: ComputedValue.Subject, _ expression: PlannedExpression, _ value: Value,
    at address: Address
  ) {
    let secrets = secretNames ?? SecretNames()
    run.sinks.receive(ComputedValue(subject, expression, value, activation, secrets), at: address)
  }
}
