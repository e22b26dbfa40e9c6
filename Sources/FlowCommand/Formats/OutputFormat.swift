internal import FlowCore
internal import FlowTranscript

/// For whom a command prints how a run went.
enum OutputFormat: String, Sendable {
  /// For people.
  case text
  /// One JSON object, to standard output.
  case json

  /// The option that says it.
  static let option = Option(
    name: "format", value: .required("FORMAT"),
    summary: "text, or json for machines; to standard output.")

  /// What the arguments say; text unless they do.
  ///
  /// - Throws: `UsageError` for another word.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let name = try arguments.only("format") ?? "text"
    guard let format = OutputFormat(rawValue: name) else {
      throw .malformed(option: "format", value: name, expected: "text or json")
    }
    self = format
  }

  /// A document, which ends in a newline.
  static func text(_ json: JSON) -> String {
    var writer = JSONWriter()
    writer.value(json)
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension Attempt {
  /// What went otherwise, for machines.
  var members: [JSON.Member] {
    [
      .init(
        "mismatches",
        .array(mismatches.map { MismatchFormat.json($0, acceptance: acceptance) })),
      .init("diagnostics", .array(diagnostics.map(DiagnosticFormat.json))),
      .init("notes", .array(notes.map(JSON.string))),
    ]
  }
}
