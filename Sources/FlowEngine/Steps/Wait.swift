internal import FlowCore
internal import FlowPlan

/// `wait`: lets time pass.
extension PlannedWait: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    if case .duration(let duration) = try execution.values.evaluate(duration) {
      try await execution.run.sleep(for: duration, .wait, at: address)
    }
    return .noOutputs
  }
}
