import FlowCore
import FlowExpression
import FlowPlan

extension Execution {
  /// `await`: waits until a component reports an event, and returns its payload.
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
