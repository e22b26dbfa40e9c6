internal import FlowCore
internal import FlowTranscript

/// How `flow check` prints what it finds.
enum DiagnosticFormat: String, CaseIterable, Sendable {
  /// For people, to standard error.
  case text
  /// One JSON object, to standard output.
  case json
  /// The Static Analysis Results Interchange Format 2.1.0 (OASIS), to standard output.
  case sarif

  /// The document for machines; nil for text.
  func document(of diagnostics: [Diagnostic], _ redactor: Redactor) -> JSON? {
    switch self {
    case .text: nil
    case .json: .object([.init("diagnostics", Self.json(diagnostics, redactor))])
    case .sarif: Self.sarif(diagnostics.map { $0.redacted(by: redactor) })
    }
  }

  /// Problems whose words a redactor has seen.
  static func json(_ diagnostics: [Diagnostic], _ redactor: Redactor) -> JSON {
    .array(diagnostics.map { json($0.redacted(by: redactor)) })
  }

  private static func json(_ diagnostic: Diagnostic) -> JSON {
    .object(
      [
        .init("code", .string(diagnostic.code)),
        .init("severity", .string(diagnostic.severity.rawValue)),
        .init("message", .string(diagnostic.message)),
      ] + place(diagnostic.span) + [
        .init("notes", .array(diagnostic.notes.map(JSON.string))),
        .init("fixes", .array(diagnostic.fixes.map(JSON.string))),
      ])
  }

  private static func place(_ span: SourceSpan?) -> [JSON.Member] {
    guard let span else { return [] }
    return [
      .init("file", .string(span.file)), .init("line", number(span.start.line)),
      .init("column", number(span.start.column)), .init("endLine", number(span.end.line)),
      .init("endColumn", number(span.end.column)),
    ]
  }

  private static func number(_ value: Int) -> JSON { .number(String(value)) }
}

extension DiagnosticFormat {
  private static func sarif(_ diagnostics: [Diagnostic]) -> JSON {
    let codes = Set(diagnostics.map(\.code))
    let rules = Rule.all.filter { codes.contains($0.code) }.map { rule in
      JSON.object([
        .init("id", .string(rule.code)),
        .init("shortDescription", .object([.init("text", .string(rule.title))])),
        .init("fullDescription", .object([.init("text", .string(rule.explanation))])),
      ])
    }
    let driver = JSON.object([
      .init("name", .string("flow")), .init("version", .string(FlowCommand.version)),
      .init("rules", .array(rules)),
    ])
    return .object([
      .init("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      .init("version", .string("2.1.0")),
      .init(
        "runs",
        .array([
          .object([
            .init("tool", .object([.init("driver", driver)])),
            // Ours count scalars; SARIF would otherwise take them for UTF-16 units.
            .init("columnKind", .string("unicodeCodePoints")),
            .init("results", .array(diagnostics.map(result))),
          ])
        ])),
    ])
  }

  private static func result(_ diagnostic: Diagnostic) -> JSON {
    let message = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    var members: [JSON.Member] = [
      .init("ruleId", .string(diagnostic.code)),
      .init("level", .string(diagnostic.severity.rawValue)),
      .init("message", .object([.init("text", .string(message))])),
    ]
    if let span = diagnostic.span {
      members.append(
        .init("locations", .array([.object([.init("physicalLocation", location(span))])])))
    }
    return .object(members)
  }

  private static func location(_ span: SourceSpan) -> JSON {
    .object([
      .init("artifactLocation", .object([.init("uri", .string(span.file))])),
      .init(
        "region",
        .object([
          .init("startLine", number(span.start.line)),
          .init("startColumn", number(span.start.column)),
          .init("endLine", number(span.end.line)), .init("endColumn", number(span.end.column)),
        ])),
    ])
  }
}
