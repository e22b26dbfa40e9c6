internal import FlowCore
internal import FlowReport
internal import FlowSystem

/// The changes that mend problems, from their fixes.
struct CodeActions {
  private let document: TextDocument
  private let workspace: Workspace
  private let sources: QuotedSources

  init(_ document: TextDocument, _ workspace: Workspace) {
    (self.document, self.workspace) = (document, workspace)
    sources = QuotedSources([document.path: document.bytes])
  }

  /// Returns the changes for the problems of the text in a range.
  func actions(for problems: [PlacedDiagnostic], in range: EditorRange) -> [JSON] {
    problems.filter { $0.diagnostic.span?.file == document.path && $0.range.overlaps(range) }
      .flatMap { actions(for: $0) }
  }

  private func actions(for problem: PlacedDiagnostic) -> [JSON] {
    let fixes = VerdictProblem.fixes(of: problem.diagnostic, sources)
    return fixes.enumerated().compactMap { index, fix in
      guard fix.edit.span.file == document.path else { return nil }
      let start = document.lines.offset(of: fix.edit.span.start)
      let end = document.lines.offset(of: fix.edit.span.end)
      let edit = TextEdit(range: start..<max(start, end), text: fix.edit.text)
      let change = WorkspaceEdit(documents: [(document, [edit])], workspace: workspace)
      return .fields([
        "title": .string(fix.title), "kind": .string("quickfix"),
        "diagnostics": .array([Diagnostics.json(problem)]),
        "isPreferred": index == 0 && fixes.count == 1 ? .bool(true) : nil,
        "edit": change.json(),
      ])
    }
  }
}

extension Feature {
  static let codeActions = Feature(
    method: "textDocument/codeAction",
    capability: (
      "codeActionProvider", .fields(["codeActionKinds": .array([.string("quickfix")])])
    )
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let range = params["range"].flatMap(EditorRange.init) else {
      throw RPCError(.invalidParams, "the range is missing")
    }
    let only = params.at("context", "only")?.elements.compactMap(\.string)
    if let only, !only.contains(where: { $0 == "quickfix" || $0.isEmpty }) { return .array([]) }
    guard let analysis = workspace.analysis(of: document.uri) else { return .array([]) }
    return .array(CodeActions(document, workspace).actions(for: analysis.problems, in: range))
  }
}
