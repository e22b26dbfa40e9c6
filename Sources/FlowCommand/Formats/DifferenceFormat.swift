internal import FlowCore
internal import FlowTranscript

/// How the differences of two transcripts are told.
enum DifferenceFormat {
  /// The text for people; it ends in a newline.
  static func text(of difference: TranscriptDifference) -> String {
    difference.isEmpty ? "no differences\n" : difference.lines.map { $0 + "\n" }.joined()
  }

  /// The document for machines, whose recorded values a redactor has seen; digests and ends are none.
  static func json(_ difference: TranscriptDifference, _ redactor: Redactor) -> JSON {
    let json = { (change: FieldChange) -> JSON in Self.json(change, redactor) }
    let plain = { (change: FieldChange) -> JSON in Self.json(change, Redactor()) }
    return .object([
      .init("same", .bool(difference.isEmpty)),
      .init("header", .array(difference.header.map(plain))),
      .init("inputs", .array(difference.inputs.map(json))),
      .init("calls", .array(difference.calls.map { Self.json($0, redactor) })),
      .init("outputs", .array(difference.outputs.map(json))),
      .init("end", difference.end.map(plain) ?? .null),
    ])
  }

  private static func json(_ call: TranscriptDifference.Call, _ redactor: Redactor) -> JSON {
    .object([
      .init("at", .string(call.address)), .init("call", .string(call.name)),
      .init("change", .string(call.kind.rawValue)),
      .init("fields", .array(call.fields.map { json($0, redactor) })),
    ])
  }

  /// What is nothing has no member: `null` is a value.
  static func json(_ change: FieldChange, _ redactor: Redactor) -> JSON {
    let value = { (json: JSON) -> JSON in json.redacted(by: redactor, names: true) }
    return .object(
      [.init("path", .string(redactor.redacted(change.path)))]
        + (change.recorded.map { [.init("recorded", value($0))] } ?? [])
        + (change.now.map { [.init("now", value($0))] } ?? []))
  }
}
