package import FlowCore
internal import FlowExpression
internal import FlowPlan

/// What a step says of the answer of its call, which can also be asked about other answers.
package struct AnswerJudgement: Sendable {
  /// The call.
  package let invocation: Invocation
  private let call: PlannedCall
  private let judge: ContractJudge?
  /// The values that the expectation reads.
  private let values: ScenarioValues

  init(
    _ call: PlannedCall, of invocation: Invocation, _ judge: ContractJudge?,
    _ values: ScenarioValues
  ) {
    (self.call, self.invocation) = (call, invocation)
    (self.judge, self.values) = (judge, values)
  }

  /// Returns the failure of the step with an answer, or nil if it is as expected.
  package func failure(of answer: Value) -> StepFailure? {
    do throws(StepFailure) {
      try check(answer)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the first place that a failure of the step names, or nil.
  package func place(of failure: StepFailure) -> SourceSpan? {
    let plan = values.run.parts.plan
    let report = RunReport.Failure(
      address: invocation.address, place: call.place, failure: failure,
      inclusion: values.parent?.inclusion)
    return report.diagnostics(of: plan).first?.span
  }

  /// Fails if an answer is not as expected.
  func check(_ answer: Value) throws(StepFailure) {
    switch call.expectation {
    case .output(let matcher)?: try compare(answer, with: matcher)
    case .error(let code, _)?: throw .noError(expected: code, answer: answer, at: call.place)
    case nil: break
    }
    try checkUnmentioned(answer)
    try judge?.check(answer)
  }

  /// Fails for an answer with a field that the expectation has to mention.
  private func checkUnmentioned(_ answer: Value) throws(StepFailure) {
    var names: Set<String>? = []
    if case .output(let matcher)? = call.expectation { names = matcher.fieldNames }
    guard let names, let refusal = call.operation.description.refusal(answer, names) else { return }
    let path = FieldPath([.field(refusal.field)])
    throw .unexpectedAnswer(
      [Mismatch(path, .rule(refusal.reason, source: nil), nil)], answer: answer, at: call.place)
  }

  /// Fails if an error is not as expected.
  func check(_ error: ComponentError) throws(StepFailure) {
    switch call.expectation {
    case .error(let code, let message)? where error.code.name == code:
      if let message { try compare(error, with: message) }
    case .error(let code, _)?: throw .otherError(expected: code, error, at: call.place)
    case .output?, nil: throw .componentError(error, at: call.place)
    }
  }

  private func compare(_ answer: Value, with matcher: ExpectedValue) throws(StepFailure) {
    var mismatches: [Mismatch]
    do {
      mismatches = try matcher.mismatches(answer, values.activation) {
        call.operation.description.absence(answer, $0)
      }
    } catch {
      throw .evaluation(error)
    }
    if mismatches.isEmpty { return }
    mismatches += judge?.mismatches(of: answer) ?? []
    throw .unexpectedAnswer(mismatches, answer: answer, at: call.place)
  }

  private func compare(
    _ error: ComponentError, with message: ExpectedValue
  ) throws(StepFailure) {
    let mismatches: [Mismatch]
    do {
      let place = FieldPath().appending(.field("message"))
      mismatches = try message.mismatches(.string(error.message), at: place, values.activation)
    } catch {
      throw .evaluation(error)
    }
    if !mismatches.isEmpty { throw .otherMessage(mismatches, error, at: call.place) }
  }
}
