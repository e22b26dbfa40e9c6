internal import FlowCore
internal import FlowPlan

/// `do`: runs its steps, or the steps of `else`.
extension PlannedBlock: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    var steps = steps
    if let condition, try !execution.values.isTrue(condition, .condition, at: address) {
      steps = alternative
    }
    guard await execution.block(steps, address.iterations) else { throw .inner }
    return .noOutputs
  }
}
