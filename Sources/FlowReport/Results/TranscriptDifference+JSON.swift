internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

extension TranscriptDifference {
  /// Returns one object.
  ///
  /// Digests and ends are not secret.
  func json(_ redactor: Redactor) -> JSON {
    let json = { (change: FieldChange) -> JSON in change.json(redactor) }
    let plain = { (change: FieldChange) -> JSON in change.json(Redactor()) }
    return .object([
      .init("same", .bool(isEmpty)), .init("header", .array(header.map(plain))),
      .init("inputs", .array(inputs.map(json))),
      .init("calls", .array(calls.map { $0.json(redactor) })),
      .init("outputs", .array(outputs.map(json))), .init("end", end.map(plain) ?? .null),
    ])
  }
}

extension TranscriptDifference.Call {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object(
      [.init("at", .string("\(address)"))] + (attempt.map { [.init("attempt", .number($0))] } ?? [])
        + [
          .init("call", .string(name)), .init("change", .string(kind.rawValue)),
          .init("fields", .array(fields.map { $0.json(redactor) })),
        ])
  }
}

extension FieldChange {
  /// Returns an object without a member for a missing value, since `null` is a value.
  func json(_ redactor: Redactor) -> JSON {
    .object(
      [.init("path", .string(redactor.redacted(path)))]
        + (recorded.map { [.init("recorded", .recorded($0, redactor))] } ?? [])
        + (now.map { [.init("now", .recorded($0, redactor))] } ?? []))
  }
}
