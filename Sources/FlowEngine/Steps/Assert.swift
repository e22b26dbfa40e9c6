internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `assert`: checks that all assertions are true and reports each that is not.
extension PlannedAssert: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let values = execution.values
    var failed: [FailedAssertion] = []
    for assertion in assertions {
      var problem: String?
      do throws(EvaluationFailure) {
        if try assertion.evaluate(values.activation) == .bool(true) {
          values.tell(assertion: assertion, at: address)
          continue
        }
      } catch {
        problem = error.message
      }
      failed.append(
        FailedAssertion(
          text: assertion.expression.text, place: assertion.place,
          operands: assertion.operands(values.activation), problem: problem))
    }
    if !failed.isEmpty { throw .assertions(failed) }
    return .noOutputs
  }
}
