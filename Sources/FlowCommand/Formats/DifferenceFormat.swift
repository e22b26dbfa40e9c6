internal import FlowTranscript

/// How `flow diff` prints what it finds.
enum DifferenceFormat: String, Sendable {
  /// A tree for people.
  case text
  /// One JSON object.
  case json

  /// The whole output; it ends in a newline.
  func text(of difference: TranscriptDifference) -> String {
    switch self {
    case .text:
      return difference.isEmpty
        ? "no differences\n" : difference.lines.map { $0 + "\n" }.joined()
    case .json:
      var writer = JSONWriter()
      writer.value(Self.json(difference))
      return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
  }

  static func json(_ difference: TranscriptDifference) -> JSON {
    .object([
      .init("same", .bool(difference.isEmpty)),
      .init("header", .array(difference.header.map(json))),
      .init("inputs", .array(difference.inputs.map(json))),
      .init("calls", .array(difference.calls.map(json))),
      .init("outputs", .array(difference.outputs.map(json))),
      .init("end", difference.end.map(json) ?? .null),
    ])
  }

  private static func json(_ call: TranscriptDifference.Call) -> JSON {
    .object([
      .init("at", .string(call.address)), .init("call", .string(call.name)),
      .init("change", .string(call.kind.rawValue)),
      .init("fields", .array(call.fields.map(json))),
    ])
  }

  /// What is nothing has no member: `null` is a value.
  static func json(_ change: FieldChange) -> JSON {
    .object(
      [.init("path", .string(change.path))]
        + (change.recorded.map { [.init("recorded", $0)] } ?? [])
        + (change.now.map { [.init("now", $0)] } ?? []))
  }
}
