package import FlowCore
import FlowScenario

// What the engine says with placeholders for what must not be seen.

extension EventSinks {
  /// What a caller compares and words: the redacted form, as recordings have it.
  package func redacted(_ invocation: Invocation) -> Invocation {
    invocation.redacted(by: redactor)
  }
}

extension Event {
  func redacted(by redactor: Redactor) -> Event {
    switch self {
    case .runStarted(let run):
      .runStarted(
        RunDescription(plan: run.plan, inputs: run.inputs.map(redactor.redacted), seed: run.seed))
    case .invoked(let invocation): .invoked(invocation.redacted(by: redactor))
    case .emitted(let address, let event, let payload):
      .emitted(address, event: event, payload: redactor.redacted(payload))
    case .completed(let invocation, let outcome):
      .completed(invocation.redacted(by: redactor), outcome.redacted(by: redactor))
    case .stepEnded(let address, let step, .failed(let failure), let elapsed):
      .stepEnded(address, step, .failed(failure.redacted(by: redactor)), elapsed: elapsed)
    case .branchStarted, .branchEnded, .stepStarted, .stepEnded, .runEnded: self
    }
  }
}

extension Invocation {
  func redacted(by redactor: Redactor) -> Invocation {
    guard redactor.isActive else { return self }
    var copy = self
    copy.input = redactor.redacted(input)
    return copy
  }
}

extension Outcome {
  /// The outcome with placeholders.
  package func redacted(by redactor: Redactor) -> Outcome {
    switch self {
    case .answer(let value): .answer(redactor.redacted(value))
    case .error(let error): .error(error.redacted(by: redactor))
    case .cancelled: .cancelled
    }
  }
}

extension RunReport {
  func redacted(by redactor: Redactor) -> RunReport {
    guard redactor.isActive else { return self }
    var copy = self
    copy.outputs = outputs.map { ($0.name, redactor.redacted($0.value)) }
    for index in failures.indices {
      copy.failures[index].failure = failures[index].failure.redacted(by: redactor)
    }
    return copy
  }
}

extension StepFailure {
  fileprivate func redacted(by redactor: Redactor) -> StepFailure {
    switch self {
    case .unexpectedAnswer(let mismatches, let place):
      .unexpectedAnswer(mismatches.map { $0.redacted(by: redactor) }, at: place)
    case .componentError(let error, let place):
      .componentError(error.redacted(by: redactor), at: place)
    case .otherError(let expected, let error, let place):
      .otherError(expected: expected, error.redacted(by: redactor), at: place)
    case .noError(let expected, let answer, let place):
      .noError(expected: expected, answer: redactor.redacted(answer), at: place)
    case .assertions(let assertions):
      .assertions(assertions.map { $0.redacted(by: redactor) })
    case .evaluation(let failure):
      .evaluation(
        EvaluationFailure(message: redactor.redacted(failure.message), place: failure.place))
    case .notOpened(let error, let place): .notOpened(error.redacted(by: redactor), at: place)
    case .boundary(let failure):
      .boundary(
        BoundaryFailure(
          code: failure.code, message: redactor.redacted(failure.message),
          notes: failure.notes.map(redactor.redacted)))
    case .limit, .timeout, .cancelled, .inner: self
    }
  }
}

extension FailedAssertion {
  fileprivate func redacted(by redactor: Redactor) -> FailedAssertion {
    FailedAssertion(
      text: text, place: place, operands: operands.map { $0.redacted(by: redactor) },
      problem: problem.map(redactor.redacted))
  }
}
