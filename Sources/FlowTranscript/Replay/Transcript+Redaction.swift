package import FlowCore

extension Transcript {
  /// The transcript with placeholders in its inputs, calls and outputs.
  ///
  /// Of calls with matchers, what stands in the place of the matchers.
  package func redacted(by redactor: Redactor) -> Transcript {
    guard redactor.isActive else { return self }
    var copy = self
    copy.header = header.redacted(by: redactor)
    copy.calls = calls.map { $0.redacted(by: redactor) }
    copy.outputs = outputs.redacted(by: redactor, names: true)
    return copy
  }
}

extension Transcript.Call {
  fileprivate func redacted(by redactor: Redactor) -> Transcript.Call {
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
  fileprivate func redacted(by redactor: Redactor) -> TranscriptHeader {
    var header = self
    header.inputs = inputs.map { .init($0.name, $0.value.redacted(by: redactor, names: true)) }
    return header
  }
}
