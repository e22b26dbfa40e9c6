import FlowCore
import FlowExpression
import FlowPlan

extension Execution {
  /// `set`: assigns variables, in file order.
  mutating func assign(_ set: PlannedSet, _ address: Address) throws(StepFailure) {
    for (index, assignment) in set.assignments.enumerated() {
      let value = try evaluate(assignment.value)
      if let excess = value.excess() {
        let message = "'\(assignment.name)' \(excess.message)"
        throw .evaluation(EvaluationFailure(message: message, place: nil))
      }
      if isHeard { tell((.set, assignment.name), assignment.value, value, at: address) }
      note(assignment, index, at: address)
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
