package import FlowCore
package import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Output<[Diagnostic]> {
  /// One object for machines.
  package static var json: Output {
    Output("json") { .json(.object([.init("diagnostics", .diagnostics($0, $1))])) }
  }
}

/// Problems for people, with the lines of the files they are about.
package enum DiagnosticText {
  private static let mostShown = 100

  /// The problems in their order; the rest of a file with more than 100 is counted.
  package static func text(
    of diagnostics: [Diagnostic], isQuoting: Bool = true, _ redactor: Redactor
  ) -> String {
    let files = isQuoting ? Set(diagnostics.compactMap { $0.span?.file }) : []
    let renderer = DiagnosticRenderer(sources: sources(of: files, redactor))
    var counts: [String?: Int] = [:]
    var text = ""
    for diagnostic in diagnostics {
      let count = counts[diagnostic.span?.file, default: 0] + 1
      counts[diagnostic.span?.file] = count
      if count <= mostShown { text += renderer.render(diagnostic.redacted(by: redactor)) }
    }
    return text + notes(rest(counts))
  }

  /// A line for each note, whatever it holds.
  package static func notes(_ notes: [String]) -> String {
    notes.map { "note: \($0.onOneLine)\n" }.joined()
  }

  private static func sources(of files: Set<String>, _ redactor: Redactor) -> [String: [UInt8]] {
    var sources: [String: [UInt8]] = [:]
    for file in files {
      // A file that cannot be read again is not quoted.
      let bytes = try? FileSystem.contents(of: file, limit: ScenarioSource.largest)
      // First in UTF-8, in which the redactor looks for secrets, too.
      sources[file] = bytes.map(SourceText.utf8).map(redactor.masked)
    }
    return sources
  }

  /// How many problems of each file were not shown, in the order of the files.
  private static func rest(_ counts: [String?: Int]) -> [String] {
    counts.filter { $0.value > mostShown }.sorted { ($0.key ?? "") < ($1.key ?? "") }
      .map { file, count in
        "\(file.map { "\($0): " } ?? "")\(count - mostShown) further problems are not shown"
      }
  }
}

extension JSON {
  static func diagnostics(_ diagnostics: [Diagnostic], _ redactor: Redactor) -> JSON {
    .array(diagnostics.map { diagnostic($0.redacted(by: redactor)) })
  }

  private static func diagnostic(_ diagnostic: Diagnostic) -> JSON {
    .object(
      [
        .init("code", .string(diagnostic.code.name)),
        .init("severity", .string(diagnostic.severity.rawValue)),
        .init("message", .string(diagnostic.message)),
      ] + (diagnostic.span.map(place) ?? []) + [
        .init("notes", .list(diagnostic.notes)), .init("fixes", .list(diagnostic.fixes)),
      ])
  }

  private static func place(_ span: SourceSpan) -> [JSON.Member] {
    [
      .init("file", .string(span.file)), .init("line", .number(span.start.line)),
      .init("column", .number(span.start.column)), .init("endLine", .number(span.end.line)),
      .init("endColumn", .number(span.end.column)),
    ]
  }
}
