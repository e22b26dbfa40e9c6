internal import FlowCore
internal import FlowPlan
internal import FlowRedaction

// The error of a step as a value, which later steps read as `steps.x.error`.

extension StepFailure {
  /// Returns the error of a failed step, given the failures inside of it.
  ///
  /// For a component's error it has the component's code and message. Other failures have the code
  /// and the text of their diagnostic.
  func error(
    at address: Address, _ inner: ArraySlice<RunReport.Failure>, _ redactor: Redactor
  ) -> Value {
    if case .inner = self, let first = inner.first {
      return first.failure.error(at: first.address, [], redactor)
    }
    switch self {
    case .componentError(let error, _), .otherError(_, let error, _), .notOpened(let error, _):
      return error.value
    case .unexpectedAnswer, .brokenContract, .otherMessage, .noError, .assertions, .evaluation,
      .limit, .boundary, .timeout, .cancelled, .inner:
      // Before its values are shortened: a part of a secret would not be found any more.
      let diagnostic = redacted(by: redactor).diagnostic(at: address)
      return PlannedStep.error(
        code: (diagnostic?.code ?? .cancelled).name,
        message: diagnostic?.sentence ?? "'\(address)' failed")
    }
  }
}

extension ComponentError {
  /// The error as later steps read it.
  var value: Value { PlannedStep.error(code: code.name, message: message) }
}
