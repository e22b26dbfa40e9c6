internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `set`: assigns variables, in file order.
extension PlannedSet: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    for (index, assignment) in assignments.enumerated() {
      let value = try execution.values.evaluate(assignment.value)
      if let excess = value.excess() {
        let message = "'\(assignment.name)' \(excess.message)"
        throw .evaluation(EvaluationFailure(message: message, place: nil))
      }
      execution.values.assign(assignment, index, value, at: address)
    }
    return .noOutputs
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
