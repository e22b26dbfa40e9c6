internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The commands above a scenario and above its recorded steps.
///
/// The editor runs them, in a terminal or by its debugger: `Docs/editor.md` has their arguments.
struct CodeLenses {
  private static let mostSteps = 1_000

  private let document: TextDocument
  private let analysis: FileAnalysis
  private let encoding: PositionEncoding

  init(_ document: TextDocument, _ analysis: FileAnalysis, _ encoding: PositionEncoding) {
    (self.document, self.analysis, self.encoding) = (document, analysis, encoding)
  }

  var lenses: [JSON] {
    guard case .scenario = analysis.kind, let index = analysis.scenario?.index else { return [] }
    let start = EditorPosition(line: 0, character: 0)
    let top = EditorRange(start, start)
    let isRecorded = analysis.recording?.isReadable ?? false
    let commands =
      [("Run", "flow.run"), ("Record", "flow.record")]
      + (isRecorded ? [("Replay", "flow.replay")] : []) + [("Debug", "flow.debug")]
    let whole = commands.map { lens($0.0, $0.1, top, step: nil) }
    let steps = index.steps.filter { analysis.recording?.answer(of: $0.path) != nil }
    return whole
      + steps.prefix(Self.mostSteps).map { step in
        let range = document.lines.range(
          of: SourceSpan(file: document.path, start: step.span.start, end: step.span.start),
          encoding)
        return lens("Run this step on the recording", "flow.runStep", range, step: step.path)
      }
  }

  private func lens(_ title: String, _ command: String, _ range: EditorRange, step: String?) -> JSON
  {
    let argument = JSON.fields([
      "uri": .string(document.uri), "path": .string(EditorFiles.fullPath(of: document.path)),
      "step": step.map(JSON.string),
    ])
    return .fields([
      "range": range.json,
      "command": .fields([
        "title": .string(title), "command": .string(command), "arguments": .array([argument]),
      ]),
    ])
  }
}

extension Feature {
  static let codeLenses = Feature(
    method: "textDocument/codeLens",
    capability: ("codeLensProvider", .fields(["resolveProvider": .bool(false)]))
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let analysis = workspace.analysis(of: document.uri) else { return .array([]) }
    return .array(CodeLenses(document, analysis, workspace.encoding).lenses)
  }
}
