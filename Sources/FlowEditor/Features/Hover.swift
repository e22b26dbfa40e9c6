internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The meaning of the word at a place: its type, its documentation and its recorded value.
struct Hover {
  private static let longestValue = 2_000

  private let document: TextDocument
  private let analysis: FileAnalysis
  private let workspace: Workspace
  private let offset: Int

  init(_ document: TextDocument, at offset: Int, _ analysis: FileAnalysis, _ workspace: Workspace) {
    (self.document, self.offset) = (document, offset)
    (self.analysis, self.workspace) = (analysis, workspace)
  }

  /// The answer to the request, or nil where nothing is known.
  var json: JSON? {
    guard let (item, range, name) = found else { return nil }
    let value = name.flatMap { analysis.recording?.value(of: $0) }
    return .fields([
      "contents": .fields([
        "kind": .string(workspace.client.markup), "value": .string(text(item, value)),
      ]),
      "range": EditorRange(
        document.lines.place(of: range.lowerBound, workspace.encoding),
        document.lines.place(of: range.upperBound, workspace.encoding)
      ).json,
    ])
  }

  /// The proposal that a completion at the end of the word has for it, and its full name if it is
  /// one of an expression.
  private var found: (item: CompletionItem, range: Range<Int>, name: String?)? {
    if let declared { return declared }
    let words = [
      WordAtCursor(document.bytes, at: offset),
      WordAtCursor(wholeScalar: document.bytes, at: offset),
    ]
    for word in words.compactMap(\.self) {
      let completion = Completion(document, at: word.range.upperBound, analysis, workspace)
      guard let item = completion.found.items.first(where: { $0.label == word.text }) else {
        continue
      }
      return (item, word.range, completion.receiver.map { "\($0).\(word.text)" })
    }
    return nil
  }

  /// The declared name at the place, with its type.
  private var declared: (item: CompletionItem, range: Range<Int>, name: String?)? {
    guard let index = analysis.scenario?.index else { return nil }
    let place = document.lines.position(of: offset)
    let declaration = index.declarations.first { $0.span?.contains(place) ?? false }
    guard let declaration, let span = declaration.span else { return nil }
    let start = document.lines.offset(of: span.start)
    var item = CompletionItem(
      label: declaration.name, kind: .variable, detail: "\(declaration.type)")
    if case .record(let record) = declaration.type.withoutNull {
      item.documentation = record.fields.prefix(20).map { field in
        "- \(code(field.name)): \(field.type)\(field.summary.isEmpty ? "" : " — \(field.summary)")"
      }.joined(separator: "\n")
    }
    return (item, start..<document.lines.offset(of: span.end), declaration.name)
  }

  private func text(_ item: CompletionItem, _ value: JSON?) -> String {
    let detail = item.detail.split(separator: "\n").first.map(String.init) ?? ""
    let head = code(item.label) + (detail.isEmpty ? "" : ": \(detail)")
    let recorded = value.map { value in
      let text = value.text
      let shown =
        text.utf8.count <= Self.longestValue
        ? text : String(text.prefix(Self.longestValue)) + "…"
      return "Recorded: " + code(shown.onOneLine)
    }
    let parts = [head, item.documentation, recorded ?? ""].filter { !$0.isEmpty }
    return parts.joined(separator: "\n\n")
  }

  /// A text as code, which no text leaves by backticks of its own.
  private func code(_ text: String) -> String {
    guard workspace.client.markup == ClientCapabilities.markdown else { return text }
    let runs = text.split { $0 != "`" }.map(\.count)
    guard let longest = runs.max() else { return "`\(text)`" }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence) \(text) \(fence)"
  }
}

extension SourceSpan {
  /// True for a place in the stretch or at its end.
  func contains(_ place: Position) -> Bool { start <= place && place <= end }
}

extension Feature {
  static let hover = Feature(
    method: "textDocument/hover", capability: ("hoverProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    let (document, offset) = try workspace.place(params)
    guard let analysis = workspace.analysis(of: document.uri), analysis.kind.isKnown else {
      return .null
    }
    return Hover(document, at: offset, analysis, workspace).json ?? .null
  }
}
