internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `uses`: calls an operation and compares its answer with the expectation.
extension PlannedCall: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let invocation = try invocation(in: execution, at: address)
    let judge = ContractJudge(self, invocation.input)
    try judge?.checkRequest()
    let outcome = try await execution.run.call(invocation)
    let judgement = AnswerJudgement(self, of: invocation, judge, execution.values)
    execution.run.parts.noteJudgement?(judgement)
    switch outcome {
    case .answer(let answer):
      try judgement.check(answer)
      if case .output(let matcher)? = expectation {
        execution.values.tell(matcher, of: answer, at: address)
      }
      return answer
    case .error(let error):
      try judgement.check(error)
      return error.value
    case .cancelled: throw .cancelled
    }
  }

  private func invocation(
    in execution: Execution, at address: Address
  ) throws(StepFailure) -> Invocation {
    var invocation = Invocation(
      address: address, target: .operation(operation),
      input: try execution.values.evaluate(input), scope: execution.values.parent?.address,
      order: execution.order)
    invocation.volatile = operation.volatile + parts.volatile
    invocation.secret = parts.secret
    return invocation
  }

  /// Returns true if the policy names the error, or any failure of the component.
  func isRetried(
    after failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>, by policy: RetryPolicy
  ) -> Bool {
    switch failure {
    case .cancelled, .boundary, .evaluation: false
    case .componentError(let error, _), .otherError(_, let error, _),
      .otherMessage(_, let error, _):
      policy.codes.isEmpty || policy.codes.contains(error.code.name)
    case .unexpectedAnswer, .brokenContract, .noError, .assertions, .limit, .notOpened, .timeout,
      .inner:
      policy.codes.isEmpty
    }
  }

  /// Returns the pause that an unexpected answer asks for, or nil.
  func pause(after failure: StepFailure) -> Duration? {
    guard case .unexpectedAnswer(_, let answer, _) = failure else { return nil }
    return operation.description.pause(answer)
  }
}
