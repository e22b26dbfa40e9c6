internal import FlowCore
import FlowPlan
package import FlowRedaction

// Events and invocations with placeholders for secrets. Each copy is the value itself with changed
// texts, because a value rebuilt member by member forgets members added later.

extension EventSinks {
  /// The redacted form, as in recordings, for callers to compare and print.
  package func redacted(_ invocation: Invocation) -> Invocation {
    invocation.redacted(by: redactor)
  }
}

extension Event {
  func redacted(by redactor: Redactor) -> Event {
    switch self {
    case .runStarted(let run): .runStarted(run.redacted(by: redactor))
    case .invoked(let invocation): .invoked(invocation.redacted(by: redactor))
    case .emitted(let address, let event, let payload):
      .emitted(address, event: event, payload: redactor.redacted(payload))
    case .completed(let invocation, let outcome):
      .completed(
        invocation.redacted(by: redactor), outcome.redacted(by: redactor, of: invocation.target))
    case .stepEnded(let address, let step, .failed(let failure), let elapsed):
      .stepEnded(
        address, step.redacted(by: redactor), .failed(failure.redacted(by: redactor)),
        elapsed: elapsed)
    case .stepStarted(let address, let step): .stepStarted(address, step.redacted(by: redactor))
    case .stepEnded(let address, let step, let state, let elapsed):
      .stepEnded(address, step.redacted(by: redactor), state, elapsed: elapsed)
    case .runEnded(let result): .runEnded(result.redacted(by: redactor))
    case .caseStarted(let loopCase): .caseStarted(loopCase.redacted(by: redactor))
    case .caseEnded(let loopCase, let state, let elapsed):
      .caseEnded(loopCase.redacted(by: redactor), state, elapsed: elapsed)
    case .computed(let address, let value): .computed(address, value.redacted(by: redactor))
    case .branchStarted, .branchEnded: self
    }
  }
}

extension RunDescription {
  fileprivate func redacted(by redactor: Redactor) -> RunDescription {
    var copy = self
    copy.inputs = inputs.map(redactor.redacted)
    return copy
  }
}

extension PlannedStep {
  /// Returns the step, with placeholders in a name that contains values.
  fileprivate func redacted(by redactor: Redactor) -> PlannedStep {
    nameWithValues.map { named(redactor.redacted($0)) } ?? self
  }
}

extension Invocation {
  func redacted(by redactor: Redactor) -> Invocation {
    guard redactor.isActive else { return asRecorded }
    var copy = asRecorded
    copy.input = redactor.redacted(copy.input)
    return copy
  }
}

extension Outcome {
  /// The outcome with placeholders.
  ///
  /// The code of an error that is declared stays as it is: everybody can read it, and a replay looks for it.
  package func redacted(by redactor: Redactor, of target: Invocation.Target) -> Outcome {
    switch self {
    case .answer(let value): .answer(redactor.redacted(value))
    case .error(let error):
      .error(error.redacted(by: redactor, isDeclared: target.errors?.contains(error.code) == true))
    case .cancelled: .cancelled
    }
  }
}

extension RunReport {
  func redacted(by redactor: Redactor) -> RunReport {
    guard redactor.isActive else { return self }
    var copy = self
    copy.outputs = outputs.map { ($0.name, redactor.redacted($0.value)) }
    copy.failures = failures.map { $0.redacted(by: redactor) }
    copy.retried = retried.map { $0.redacted(by: redactor) }
    copy.cases = cases.map { $0.redacted(by: redactor) }
    copy.diagnostics = diagnostics.map { $0.redacted(by: redactor) }
    copy.retriedDiagnostics = retriedDiagnostics.map { $0.redacted(by: redactor) }
    return copy
  }
}

extension RunReport.Failure {
  func redacted(by redactor: Redactor) -> RunReport.Failure {
    var copy = self
    copy.failure = failure.redacted(by: redactor)
    copy.name = name.map(redactor.redacted)
    copy.caseName = caseName.map(redactor.redacted)
    copy.input = input.map(redactor.redacted)
    copy.inputOrigins = inputOrigins.map { field, origins in
      (field, origins.map { $0.redacted(by: redactor) })
    }
    for (index, surrounding) in surroundings.enumerated() {
      copy.surroundings[index].variable = surrounding.variable.map {
        ($0.name, redactor.redacted($0.value))
      }
    }
    return copy
  }
}

extension StepFailure {
  /// Returns the failure with placeholders for hidden text, also in strings of the scenario.
  package func redacted(by redactor: Redactor) -> StepFailure {
    switch self {
    case .unexpectedAnswer(let mismatches, let answer, let place):
      .unexpectedAnswer(
        mismatches.map { $0.redacted(by: redactor) }, answer: redactor.redacted(answer), at: place)
    case .brokenContract(let mismatches, let file, let answer, let place):
      .brokenContract(
        mismatches.map { $0.redacted(by: redactor) }, file: file,
        answer: answer.map(redactor.redacted), at: place)
    case .componentError(let error, let place):
      .componentError(error.redacted(by: redactor), at: place)
    case .otherError(let expected, let error, let place):
      .otherError(expected: expected, error.redacted(by: redactor), at: place)
    case .otherMessage(let mismatches, let error, let place):
      .otherMessage(
        mismatches.map { $0.redacted(by: redactor) }, error.redacted(by: redactor), at: place)
    case .noError(let expected, let answer, let place):
      .noError(expected: expected, answer: redactor.redacted(answer), at: place)
    case .assertions(let assertions):
      .assertions(assertions.map { $0.redacted(by: redactor) })
    case .evaluation(let failure): .evaluation(failure.redacted(by: redactor))
    case .notOpened(let error, let place): .notOpened(error.redacted(by: redactor), at: place)
    case .boundary(let failure): .boundary(failure.redacted(by: redactor))
    case .limit(let limit, let isUntil, let operands, let place):
      .limit(
        limit, isUntil: isUntil, operands: operands.map { $0.redacted(by: redactor) }, at: place)
    case .timeout, .cancelled, .inner: self
    }
  }
}

extension FailedAssertion {
  fileprivate func redacted(by redactor: Redactor) -> FailedAssertion {
    var copy = self
    copy.text = redactor.redacted(text)
    copy.operands = operands.map { $0.redacted(by: redactor) }
    copy.problem = problem.map(redactor.redacted)
    return copy
  }
}

extension EvaluationFailure {
  fileprivate func redacted(by redactor: Redactor) -> EvaluationFailure {
    var copy = self
    copy.message = redactor.redacted(message)
    copy.origins = origins.map { $0.redacted(by: redactor) }
    return copy
  }
}

extension BoundaryFailure {
  fileprivate func redacted(by redactor: Redactor) -> BoundaryFailure {
    var copy = self
    copy.message = redactor.redacted(message)
    copy.notes = notes.map(redactor.redacted)
    return copy
  }
}
