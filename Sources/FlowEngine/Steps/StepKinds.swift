internal import FlowCore
internal import FlowExpression
internal import FlowScenario

extension Execution {
  /// `set`: gives variables their values, in file order.
  mutating func perform(_ set: PlannedSet) throws(StepFailure) {
    for assignment in set.assignments {
      let value = try evaluate(assignment.value)
      if let excess = value.excess() {
        let message = "'\(assignment.name)' \(excess.message)"
        throw .evaluation(EvaluationFailure(message: message, place: nil))
      }
      activation[assignment.slot] = value
    }
  }
}

extension Value.Excess {
  /// `is nested deeper than 100 levels`.
  var message: String {
    switch self {
    case .depth(let limit): "is nested deeper than \(limit) levels"
    case .count(let limit): "holds more than \(limit) values"
    }
  }
}

extension Execution {
  /// `assert`: demands that all assertions are true; every one that is not is reported.
  func check(_ assert: PlannedAssert) throws(StepFailure) {
    var failed: [FailedAssertion] = []
    for assertion in assert.assertions {
      var problem: String?
      do throws(EvaluationFailure) {
        if try assertion.evaluate(activation) == .bool(true) { continue }
      } catch {
        problem = error.message
      }
      failed.append(
        FailedAssertion(
          text: assertion.expression.text, place: assertion.place,
          operands: assertion.operands(activation), problem: problem))
    }
    if !failed.isEmpty { throw .assertions(failed) }
  }
}

extension Execution {
  /// `await`: waits until a component reports something; the answer is its payload.
  func wait(
    for event: PlannedAwait, _ address: Address
  ) async throws(StepFailure) -> Value {
    let activation = activation
    let awaited = AwaitedEvent(reference: event.event) { payload throws(EvaluationFailure) in
      guard let condition = event.condition else { return true }
      var inner = activation
      inner.levels.append([payload])
      return try condition.evaluate(inner) == .bool(true)
    }
    let invocation = Invocation(
      address: address, target: .event(awaited), input: .record(RecordValue(.empty, [])),
      scope: parent?.address, order: order)
    guard case .answer(let payload) = try await call(invocation) else { throw .cancelled }
    return payload
  }
}

extension Execution {
  /// `wait`: lets time pass.
  func wait(_ wait: PlannedWait, _ address: Address) async throws(StepFailure) {
    guard case .duration(let duration) = try evaluate(wait.duration) else { return }
    try await run.sleep(for: duration, .wait, at: address)
  }
}

extension Execution {
  /// `do`: runs its steps, or those of `else`.
  mutating func perform(
    _ block: PlannedBlock, _ address: Address
  ) async throws(StepFailure) {
    var steps = block.steps
    if let condition = block.condition, try evaluate(condition) != .bool(true) {
      steps = block.alternative
    }
    guard await self.block(steps, address.iterations) else { throw .inner }
  }
}
