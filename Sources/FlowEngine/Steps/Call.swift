import FlowCore
import FlowPlan

// `uses`: a call of an operation, with its attempts and its expectation.

extension Execution {
  /// Calls an operation, again after a failure when the step says so.
  func callWithRetry(
    _ call: PlannedCall, _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    let limit = try step.options?.timeout.map(evaluate)
    guard let retry = try step.options?.retry.map(policy) else {
      return try await callWithTimeout(call, address, limit)
    }
    var random = SeededGenerator(seed: run.session.seed, label: "\(address) retry")
    var number = 1
    while true {
      do throws(StepFailure) {
        return try await callWithTimeout(call, address, limit)
      } catch {
        guard number < retry.attempts, error.isRetried(by: retry) else { throw error }
        run.retried.add(
          retried(error, attempt: (number, retry.attempts), of: step, at: address))
        number += 1
        tell(attempt: (number, retry.attempts), at: address, after: error, of: address)
        let chance = Double.random(in: 0..<1, using: &random)
        let delay = retry.delay(
          before: number, chance: chance, asked: call.operation.pause(after: error))
        try await run.sleep(for: delay, .retry(before: number), at: address)
      }
    }
  }

  /// Makes one attempt, within the step's time.
  private func callWithTimeout(
    _ call: PlannedCall, _ address: Address, _ limit: Duration?
  ) async throws(StepFailure) -> Value {
    guard let limit else { return try await callOnce(call, address) }
    return try await withTimeout(limit, at: address) { () async throws(StepFailure) in
      try await callOnce(call, address)
    }
  }

  /// Calls an operation and compares its answer with the expectation.
  private func callOnce(
    _ call: PlannedCall, _ address: Address
  ) async throws(StepFailure) -> Value {
    var invocation = Invocation(
      address: address, target: .operation(call.operation), input: try evaluate(call.input),
      scope: parent?.address, order: order)
    invocation.volatile = call.operation.volatile + call.parts.volatile
    invocation.secret = call.parts.secret
    let judge = ContractJudge(call, invocation.input)
    try judge?.checkRequest()
    let outcome = try await self.call(invocation)
    switch (call.expectation, outcome) {
    case (nil, .answer(let answer)):
      try judge?.check(answer)
      return answer
    case (.output(let matcher)?, .answer(let answer)):
      try compare(answer, with: matcher, call, judge)
      try judge?.check(answer)
      if isHeard { tell(matcher, of: answer, at: address) }
      return answer
    case (.error(let code, let message)?, .error(let error)) where error.code.name == code:
      if let message { try compare(error, with: message, call) }
      return error.value
    case (.error(let code, _)?, .error(let error)):
      throw .otherError(expected: code, error, at: call.place)
    case (.error(let code, _)?, .answer(let answer)):
      throw .noError(expected: code, answer: answer, at: call.place)
    case (_, .error(let error)): throw .componentError(error, at: call.place)
    case (_, .cancelled): throw .cancelled
    }
  }

  private func compare(
    _ answer: Value, with matcher: ExpectedValue, _ call: PlannedCall, _ judge: ContractJudge?
  ) throws(StepFailure) {
    var mismatches: [Mismatch]
    do {
      mismatches = try matcher.mismatches(answer, activation) {
        call.operation.description.absence(answer, $0)
      }
    } catch {
      throw .evaluation(error)
    }
    if mismatches.isEmpty { return }
    mismatches += judge?.mismatches(of: answer) ?? []
    throw .unexpectedAnswer(mismatches, answer: answer, at: call.place)
  }
}

extension Execution {
  private func compare(
    _ error: ComponentError, with message: ExpectedValue, _ call: PlannedCall
  ) throws(StepFailure) {
    let mismatches: [Mismatch]
    do {
      let place = FieldPath().appending(.field("message"))
      mismatches = try message.mismatches(.string(error.message), at: place, activation)
    } catch {
      throw .evaluation(error)
    }
    if !mismatches.isEmpty { throw .otherMessage(mismatches, error, at: call.place) }
  }
}

// MARK: - Across the boundary

extension Execution {
  /// Makes a call of a component.
  func call(_ invocation: Invocation) async throws(StepFailure) -> Outcome {
    if invocation.inputType.hasSecrets {
      // A secret that is too short is hidden in its field only.
      try? hideSecrets(in: invocation.input, of: invocation.componentName)
    }
    do {
      return try await run.session.boundary.cross(invocation, through: run.caller)
    } catch let failure as BoundaryFailure {
      throw .boundary(failure)
    } catch let failure as EvaluationFailure {
      throw .evaluation(failure)
    } catch {
      throw .cancelled
    }
  }
}

extension OperationReference {
  /// The pause that the unexpected answer asks for, or nil.
  fileprivate func pause(after failure: StepFailure) -> Duration? {
    guard case .unexpectedAnswer(_, let answer, _) = failure else { return nil }
    return description.pause(answer)
  }
}

extension StepFailure {
  /// True if the policy tries again after this failure.
  fileprivate func isRetried(by retry: RetryPolicy) -> Bool {
    switch self {
    case .cancelled, .boundary, .evaluation: false
    case .componentError(let error, _), .otherError(_, let error, _),
      .otherMessage(_, let error, _):
      retry.codes.isEmpty || retry.codes.contains(error.code.name)
    case .unexpectedAnswer, .brokenContract, .noError, .assertions, .limit, .notOpened, .timeout,
      .inner:
      retry.codes.isEmpty
    }
  }
}
