internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction

extension ComputedValue {
  /// The longest source, in characters, and the most operands.
  private static let (longestSource, mostOperands) = (1_000, 20)

  /// Creates a value of a template.
  fileprivate init(
    _ subject: Subject, _ template: Template, _ value: Value, in execution: Execution
  ) {
    self.init(use: subject.use, name: subject.name, source: "", value: value, operands: [])
    let expressions = template.expressions
    if expressions.isEmpty { return }
    source = template.text(limit: Self.longestSource).shortened(to: Self.longestSource)
    add(expressions, execution)
  }

  /// Creates a value of an expression, which may read a subject as `it`.
  fileprivate init(
    _ subject: Subject, _ expression: PlannedExpression, _ value: Value, in execution: Execution
  ) {
    self.init(use: subject.use, name: subject.name, source: "", value: value, operands: [])
    source = expression.text.shortened(to: Self.longestSource)
    add([expression], execution)
  }

  private mutating func add(_ expressions: [PlannedExpression], _ execution: Execution) {
    let secrets = execution.secretNames ?? SecretNames()
    let names = secrets.names(in: expressions)
    secret = names.first.flatMap(secrets.input)
    for expression in expressions where operands.count < Self.mostOperands {
      for var operand in expression.operands(execution.activation)
      where "${{ \(operand.text) }}" != source {
        if let secret, operand.hides(names) { operand.value = Redactor.placeholder(for: secret) }
        if !operands.contains(operand) { operands.append(operand) }
      }
    }
    operands = Array(operands.prefix(Self.mostOperands))
  }
}

extension OperandText {
  /// True if it reads one of the names, and is no truth value, which gives away too little.
  fileprivate func hides(_ names: [String]) -> Bool {
    !["true", "false"].contains(value) && names.contains { text.contains($0) }
  }
}

extension Execution {
  /// Tells the sinks that listen what the component of a failed call shows of itself.
  func tellEvidence(of step: PlannedStep, after failure: StepFailure, at address: Address) async {
    guard isHeard, failure.isOfCall, !Task.isCancelled, case .call(let call) = step.action else {
      return
    }
    let invocation = Invocation(
      address: address, target: .operation(call.operation), input: .null, scope: parent?.address)
    guard let value = await run.session.evidence(after: invocation) else { return }
    run.sinks.receive(
      ComputedValue(use: .evidence, name: "", source: "", value: value, operands: []), at: address)
  }

  /// True if a sink hears computed values.
  ///
  /// Asked before each of them, so a run that nobody listens to does not describe them.
  var isHeard: Bool { secretNames != nil }

  /// Tells the sinks that listen a computed value.
  func tell(
    _ subject: ComputedValue.Subject, _ template: Template, _ value: Value, at address: Address
  ) {
    run.sinks.receive(ComputedValue(subject, template, value, in: self), at: address)
  }

  /// Tells the sinks that listen the value of an expression.
  func tell(
    _ subject: ComputedValue.Subject, _ expression: PlannedExpression, _ value: Value,
    at address: Address
  ) {
    run.sinks.receive(ComputedValue(subject, expression, value, in: self), at: address)
  }

  /// Evaluates a condition and tells its value.
  func isTrue(
    _ condition: PlannedExpression, _ use: ComputedValue.Use, at address: Address
  ) throws(StepFailure) -> Bool {
    let value = try evaluate(condition)
    if isHeard { tell((use, ""), condition, value, at: address) }
    return value == .bool(true)
  }

  /// Returns false for a step whose condition is false.
  func isWanted(_ step: PlannedStep, _ address: Address) throws(StepFailure) -> Bool {
    guard let condition = step.options?.condition else { return true }
    return try isTrue(condition, .condition, at: address)
  }

  /// The step with the values of the expressions in its name.
  func named(
    _ step: PlannedStep, _ address: Address
  ) throws(StepFailure) -> PlannedStep {
    guard let name = step.options?.nameText else { return step }
    let value = try evaluate(name)
    if isHeard { tell((.name, ""), name, value, at: address) }
    return step.named(value.interpolated)
  }

  /// Evaluates an output and tells its value.
  func evaluate(_ output: PlannedOutput, at address: Address) throws(StepFailure) -> Value {
    let value = try evaluate(output.value)
    if isHeard { tell((.output, output.name), output.value, value, at: address) }
    return value
  }

  /// Tells the computed parts of an expectation that an answer fulfils.
  func tell(_ expected: ExpectedValue, of answer: Value, at address: Address) {
    for part in expected.computedParts(answer) {
      var inner = self
      switch part.matcher {
      case .equal(let template):
        guard let value = try? template.evaluate(activation) else { continue }
        tell((.expect, "\(part.path)"), template, value, at: address)
      case .condition(let condition):
        guard let actual = part.actual else { continue }
        inner.activation.levels.append([actual])
        inner.tell((.expect, "\(part.path)"), condition, .bool(true), at: address)
      case .fields, .entries, .elements, .schema, .written: continue
      }
    }
  }
}
