internal import FlowCore

extension Transcript.Call {
  /// The call with placeholders in its input, events and answer.
  ///
  /// Of a call with matchers, in what stands in the place of the matchers.
  func redacted(by redactor: Redactor) -> Transcript.Call {
    guard redactor.isActive else { return self }
    var call = self
    call.input = input.redacted(by: redactor, names: true)
    call.emitted = emitted.map { ($0.event, $0.payload.redacted(by: redactor, names: true)) }
    call.answer = answer?.redacted(by: redactor)
    return call
  }
}

extension Transcript.Answer {
  fileprivate func redacted(by redactor: Redactor) -> Transcript.Answer {
    switch self {
    case .output(let output): .output(output.redacted(by: redactor, names: true))
    case .error(let code, let message):
      .error(code: code, message: redactor.redacted(message))
    case .cancelled: .cancelled
    }
  }
}

extension TranscriptHeader {
  /// The header with placeholders in its inputs.
  func redacted(by redactor: Redactor) -> TranscriptHeader {
    var header = self
    header.inputs = inputs.map { .init($0.name, $0.value.redacted(by: redactor, names: true)) }
    return header
  }
}
