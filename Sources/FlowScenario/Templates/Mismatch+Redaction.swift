package import FlowCore

extension Mismatch {
  /// The same difference with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> Mismatch {
    var copy = self
    if case .value(let value) = expected { copy.expected = .value(redactor.redacted(value)) }
    copy.actual = actual.map(redactor.redacted)
    copy.operands = operands.map { $0.redacted(by: redactor) }
    return copy
  }
}

extension OperandText {
  /// The same value with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> OperandText {
    var copy = self
    copy.value = redactor.redacted(value)
    return copy
  }
}
