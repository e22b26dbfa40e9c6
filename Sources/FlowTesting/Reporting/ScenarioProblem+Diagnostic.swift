internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

extension ScenarioProblem {
  /// The problems that diagnostics tell, in their order; one without a place is about the whole scenario.
  ///
  /// The redactor hides what must be seen in no word and in no line that is quoted.
  static func all(
    _ diagnostics: [Diagnostic], of scenario: String, _ redactor: Redactor
  ) -> [ScenarioProblem] {
    let files = Set(diagnostics.compactMap(\.span?.file))
    // A line of a transcript is long and nobody wrote it; its number is enough.
    let quoted = files.filter { !$0.hasSuffix(".jsonl") }
    let sources = quoted.compactMap { file in
      // Without the file there is no line to show, and the problem is told all the same.
      (try? FileSystem.contents(of: file, limit: ScenarioSource.largest))
        .map { (file, redactor.masked($0)) }
    }
    let renderer = DiagnosticRenderer(sources: Dictionary(uniqueKeysWithValues: sources))
    return diagnostics.map { diagnostic in
      ScenarioProblem(
        code: diagnostic.code.name, file: diagnostic.span?.file ?? scenario,
        position: diagnostic.span?.start ?? Position(line: 1, column: 1),
        text: String(renderer.render(diagnostic.redacted(by: redactor)).dropLast()))
    }
  }
}
