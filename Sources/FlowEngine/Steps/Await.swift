internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `await`: waits until a component reports an event, and returns its payload.
extension PlannedAwait: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let (values, condition) = (execution.values, condition)
    let awaited = AwaitedEvent(reference: event) { payload throws(EvaluationFailure) in
      guard let condition else { return true }
      return try values.evaluate(condition, of: payload) == .bool(true)
    }
    let invocation = Invocation(
      address: address, target: .event(awaited), input: .noOutputs,
      scope: values.parent?.address, order: execution.order)
    guard case .answer(let payload) = try await execution.run.call(invocation) else {
      throw .cancelled
    }
    return payload
  }
}
