import FlowCore
import FlowExpression
import FlowPlan

extension Execution {
  /// `assert`: checks that all assertions are true and reports each that is not.
  func check(_ assert: PlannedAssert, _ address: Address) throws(StepFailure) {
    var failed: [FailedAssertion] = []
    for assertion in assert.assertions {
      var problem: String?
      do throws(EvaluationFailure) {
        if try assertion.evaluate(activation) == .bool(true) {
          if isHeard { tell((.assert, ""), assertion, .bool(true), at: address) }
          continue
        }
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
