internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// The Static Analysis Results Interchange Format 2.1.0 (OASIS).
///
///     {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
///     "tool":{"driver":{"name":"flow","version":"0.2.0","rules":[{"id":"F1203", …}]}},
///     "columnKind":"unicodeCodePoints","results":[{"ruleId":"F1203","level":"error",
///     "message":{"text":"'balance' has no operation 'lod'; did you mean 'load'?"},"locations":[ … ]}]}]}
package struct SARIF: Sendable {
  /// The meaning of a code.
  package struct Rule: Sendable {
    let id: String
    let title: String
    let explanation: String

    /// Creates the meaning of a code.
    package init(_ id: String, title: String, explanation: String) {
      self.id = id
      self.title = title
      self.explanation = explanation
    }
  }

  private let version: String
  private let rules: @Sendable () -> [Rule]

  /// Returns problems in the form of a version of flow.
  ///
  /// `rules` has every code.
  package static func output(
    version: String, rules: @escaping @Sendable () -> [Rule]
  ) -> ReportFormat<CheckReport> {
    let sarif = SARIF(version: version, rules: rules)
    return ReportFormat("sarif") { report, redactor in
      .json(sarif.log(of: report.diagnostics.map { $0.redacted(by: redactor) }))
    }
  }

  private func log(of diagnostics: [Diagnostic]) -> JSON {
    let run = JSON.object([
      .init("tool", .object([.init("driver", driver(Set(diagnostics.map(\.code.name))))])),
      // Columns count scalars. SARIF assumes UTF-16 units by default.
      .init("columnKind", .string("unicodeCodePoints")),
      .init("results", .array(diagnostics.map(Self.result))),
    ])
    return .object([
      .init("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      .init("version", .string("2.1.0")), .init("runs", .array([run])),
    ])
  }

  private func driver(_ codes: Set<String>) -> JSON {
    let rules = rules().filter { codes.contains($0.id) }.map { rule in
      JSON.object([
        .init("id", .string(rule.id)), .init("shortDescription", Self.message(rule.title)),
        .init("fullDescription", Self.message(rule.explanation)),
      ])
    }
    return .object([
      .init("name", .string("flow")), .init("version", .string(version)),
      .init("rules", .array(rules)),
    ])
  }

  private static func result(_ diagnostic: Diagnostic) -> JSON {
    let text = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    let place = diagnostic.span.map { span in
      [JSON.Member("locations", .array([.object([.init("physicalLocation", location(span))])]))]
    }
    return .object(
      [
        .init("ruleId", .string(diagnostic.code.name)),
        .init("level", .string(diagnostic.severity.rawValue)), .init("message", message(text)),
      ] + (place ?? []))
  }

  private static func message(_ text: String) -> JSON { .object([.init("text", .string(text))]) }

  private static func location(_ span: SourceSpan) -> JSON {
    .object([
      .init("artifactLocation", .object([.init("uri", .string(uri(of: span.file)))])),
      .init(
        "region",
        .object([
          .init("startLine", .number(span.start.line)),
          .init("startColumn", .number(span.start.column)),
          .init("endLine", .number(span.end.line)), .init("endColumn", .number(span.end.column)),
        ])),
    ])
  }

  /// The path as a reference of RFC 3986, section 3.1.2 of SARIF.
  private static func uri(of path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + path.utf8.percentEncodedText(keeping: "/")
  }
}
