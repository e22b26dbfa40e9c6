package import FlowCore

extension Mismatch {
  /// The same difference with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> Mismatch {
    var expected = expected
    if case .value(let value) = expected { expected = .value(redactor.redacted(value)) }
    return Mismatch(
      path, expected, actual.map(redactor.redacted),
      operands: operands.map { $0.redacted(by: redactor) })
  }
}

extension OperandText {
  /// The same value with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> OperandText {
    OperandText(text: text, value: redactor.redacted(value))
  }
}
