internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// The Static Analysis Results Interchange Format 2.1.0 (OASIS).
///
///     {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
///     "tool":{"driver":{"name":"flow","version":"0.2.0","rules":[{"id":"F1203", …}]}},
///     "originalUriBaseIds":{"%SRCROOT%":{"uri":"file:///home/ann/shop/"}},
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

  /// The name of the working folder, to which paths are relative.
  private static let base = "%SRCROOT%"

  private let version: String
  private let folder: String
  private let rules: @Sendable () -> [Rule]

  /// Returns problems in the form of a version of flow.
  ///
  /// `folder` is the full path of the working folder. `rules` has every code.
  package static func output(
    version: String, folder: String, rules: @escaping @Sendable () -> [Rule]
  ) -> ReportFormat<CheckReport> {
    let sarif = SARIF(version: version, folder: folder, rules: rules)
    return ReportFormat("sarif") { report, redactor in
      .json(sarif.log(of: report.diagnostics.map { $0.redacted(by: redactor) }, report.subjects))
    }
  }

  private func log(of diagnostics: [Diagnostic], _ subjects: [String?]) -> JSON {
    let folder = JSON.object([
      .init("uri", .string(Self.uri(of: folder == "/" ? "/" : folder + "/")))
    ])
    let run = JSON.object([
      .init("tool", .object([.init("driver", driver(Set(diagnostics.map(\.code.name))))])),
      .init("originalUriBaseIds", .object([.init(Self.base, folder)])),
      // Columns count scalars. SARIF assumes UTF-16 units by default.
      .init("columnKind", .string("unicodeCodePoints")),
      .init("results", .array(zip(diagnostics, subjects).map(Self.result))),
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

  private static func result(_ diagnostic: Diagnostic, _ subject: String?) -> JSON {
    let text = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    // A problem of no file is one of the folder.
    let place = artifact(diagnostic.span?.file ?? subject ?? ".")
    let location = JSON.object([place] + (diagnostic.span.map { [region($0)] } ?? []))
    return .object([
      .init("ruleId", .string(diagnostic.code.name)),
      .init("level", .string(diagnostic.severity.rawValue)), .init("message", message(text)),
      .init("locations", .array([.object([.init("physicalLocation", location)])])),
    ])
  }

  private static func message(_ text: String) -> JSON { .object([.init("text", .string(text))]) }

  private static func artifact(_ file: String) -> JSON.Member {
    let base = file.hasPrefix("/") ? [] : [JSON.Member("uriBaseId", .string(base))]
    return .init("artifactLocation", .object([.init("uri", .string(uri(of: file)))] + base))
  }

  private static func region(_ span: SourceSpan) -> JSON.Member {
    .init(
      "region",
      .object([
        .init("startLine", .number(span.start.line)),
        .init("startColumn", .number(span.start.column)),
        .init("endLine", .number(span.end.line)), .init("endColumn", .number(span.end.column)),
      ]))
  }

  /// The path as a reference of RFC 3986, section 3.1.2 of SARIF.
  private static func uri(of path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.path.encode(path.utf8)
  }
}
