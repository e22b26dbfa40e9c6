import FlowCore
import FlowExpression
import FlowScenario

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
