internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

extension ReportFormat {
  /// The option that says it.
  static let option = Option(
    name: "format", value: .required("FORMAT"),
    summary: "text, or json for machines; to standard output.")

  /// What the arguments say; text unless they do.
  ///
  /// - Throws: `UsageError` for another word.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self = try Self.given(arguments) ?? .text
  }

  /// What the arguments say; nil when they do not.
  ///
  /// - Throws: `UsageError` for another word.
  static func given(_ arguments: ParsedArguments) throws(UsageError) -> ReportFormat? {
    guard let name = try arguments.only("format") else { return nil }
    if let format = ReportFormat(rawValue: name) { return format }
    throw .malformed(option: "format", value: name, expected: "text or json")
  }
}

extension TestRun {
  /// What went otherwise, for machines, with recorded values that a redactor has seen.
  func members(_ redactor: Redactor) -> [JSON.Member] {
    [
      .init(
        "mismatches",
        .array(mismatches.map { MismatchFormat.json($0, acceptance: acceptance, redactor) })),
      .init("diagnostics", DiagnosticFormat.json(diagnostics, redactor)),
      .init("notes", .array(notes.map { .string(redactor.redacted($0)) })),
    ]
  }
}
