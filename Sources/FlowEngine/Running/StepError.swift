internal import FlowCore
internal import FlowExpression
internal import FlowPlan

// The error of a step as a value, which later steps read as `steps.x.error`.

extension Execution {
  /// Gives a step's answer to the steps after it, or the expected error.
  mutating func keep(_ answer: Value, of step: PlannedStep) {
    let isError = step.action.expectedError != nil
    if let slot = isError ? step.errorSlot : step.slot { activation[slot] = answer }
  }

  /// Returns the error of a failed step, given the failures inside of it.
  ///
  /// For a component's error it has the component's code and message. Other failures have the code
  /// and the text of their diagnostic.
  func value(
    of failure: StepFailure, _ address: Address, _ inner: ArraySlice<RunReport.Failure>
  ) -> Value {
    if case .inner = failure, let first = inner.first {
      return value(of: first.failure, first.address, [])
    }
    switch failure {
    case .componentError(let error, _), .otherError(_, let error, _), .notOpened(let error, _):
      return error.value
    default:
      // Before its values are shortened: a part of a secret would not be found any more.
      let diagnostic = failure.redacted(by: run.session.redactor).diagnostic(at: address)
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
