internal import FlowCore
internal import FlowReport
internal import FlowSystem

/// The changes that mend problems, from their fixes.
struct CodeActions {
  static let kind = "quickfix"

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
        "title": .string(fix.title), "kind": .string(Self.kind),
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
      "codeActionProvider",
      .fields([
        "codeActionKinds": .array([
          .string(CodeActions.kind), .string(ExpectationActions.kind),
        ])
      ])
    )
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let range = params["range"].flatMap(EditorRange.init) else {
      throw RPCError(.invalidParams, "the range is missing")
    }
    let only = params.at("context", "only")?.elements.compactMap(\.string)
    let isWanted = { (kind: String) in
      only?.contains { $0.isEmpty || kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    guard let analysis = workspace.analysis(of: document.uri) else { return .now(.array([])) }
    let fixes =
      isWanted(CodeActions.kind)
      ? CodeActions(document, workspace).actions(for: analysis.problems, in: range) : []
    // An editor asks by itself wherever the cursor goes.
    let isAsked = params.at("context", "triggerKind")?.int != 2
    guard isAsked, isWanted(ExpectationActions.kind),
      let expectations = ExpectationActions(document, analysis, workspace, at: range.start)
    else { return .now(.array(fixes)) }
    return .later { stop in .array(fixes + (await expectations.actions(until: stop))) }
  }
}
