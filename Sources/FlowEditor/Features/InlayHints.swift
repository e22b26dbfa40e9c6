internal import FlowCore
internal import FlowExpression
internal import FlowScenario
internal import FlowSystem

/// Hints beside declared names: the recorded value, or else the type.
struct InlayHints {
  private static let longest = 60
  private static let most = 2_000

  private let document: TextDocument
  private let analysis: FileAnalysis
  private let encoding: PositionEncoding

  init(_ document: TextDocument, _ analysis: FileAnalysis, _ encoding: PositionEncoding) {
    (self.document, self.analysis, self.encoding) = (document, analysis, encoding)
  }

  func hints(in range: EditorRange) -> [JSON] {
    guard let index = analysis.scenario?.index else { return [] }
    var (hints, places) = ([JSON](), Set<Position>())
    for declaration in index.declarations where hints.count < Self.most {
      guard let span = declaration.span, !declaration.name.hasSuffix(".error"),
        let label = label(of: declaration)
      else { continue }
      let end = document.lines.place(of: document.lines.offset(of: span.end), encoding)
      guard range.start <= end, end <= range.end, places.insert(span.start).inserted else {
        continue
      }
      hints.append(
        .fields([
          "position": end.json, "label": .string(label), "kind": .int(1),
          "paddingLeft": .bool(true),
        ]))
    }
    return hints
  }

  private func label(of declaration: ScenarioIndex.Declaration) -> String? {
    if let value = analysis.recording?.value(of: declaration.name) {
      return "= \(value.summary(Self.longest))"
    }
    // The type of an input is written beside it.
    if declaration.name.hasPrefix("inputs.") { return nil }
    switch declaration.type {
    case .dyn, .unknown: return nil
    case .record(let record): return record.fields.isEmpty ? nil : ": \(record.signature)"
    default: return ": \(declaration.type)"
    }
  }
}

extension Feature {
  static let inlayHints = Feature(
    method: "textDocument/inlayHint", capability: ("inlayHintProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let range = params["range"].flatMap(EditorRange.init) else {
      throw RPCError(.invalidParams, "the range is missing")
    }
    guard let analysis = workspace.analysis(of: document.uri) else { return .array([]) }
    return .array(InlayHints(document, analysis, workspace.encoding).hints(in: range))
  }
}
