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
    switch (expectation, outcome) {
    case (nil, .answer(let answer)):
      try judge?.check(answer)
      return answer
    case (.output(let matcher)?, .answer(let answer)):
      try compare(answer, with: matcher, execution.values, judge)
      try judge?.check(answer)
      execution.values.tell(matcher, of: answer, at: address)
      return answer
    case (.error(let code, let message)?, .error(let error)) where error.code.name == code:
      if let message { try compare(error, with: message, execution.values) }
      return error.value
    case (.error(let code, _)?, .error(let error)):
      throw .otherError(expected: code, error, at: place)
    case (.error(let code, _)?, .answer(let answer)):
      throw .noError(expected: code, answer: answer, at: place)
    case (_, .error(let error)): throw .componentError(error, at: place)
    case (_, .cancelled): throw .cancelled
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

  private func compare(
    _ answer: Value, with matcher: ExpectedValue, _ values: ScenarioValues,
    _ judge: ContractJudge?
  ) throws(StepFailure) {
    var mismatches: [Mismatch]
    do {
      mismatches = try matcher.mismatches(answer, values.activation) {
        operation.description.absence(answer, $0)
      }
    } catch {
      throw .evaluation(error)
    }
    if mismatches.isEmpty { return }
    mismatches += judge?.mismatches(of: answer) ?? []
    throw .unexpectedAnswer(mismatches, answer: answer, at: place)
  }

  private func compare(
    _ error: ComponentError, with message: ExpectedValue, _ values: ScenarioValues
  ) throws(StepFailure) {
    let mismatches: [Mismatch]
    do {
      let place = FieldPath().appending(.field("message"))
      mismatches = try message.mismatches(.string(error.message), at: place, values.activation)
    } catch {
      throw .evaluation(error)
    }
    if !mismatches.isEmpty { throw .otherMessage(mismatches, error, at: place) }
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
