internal import FlowCore
internal import FlowExpression
internal import FlowScenario
internal import FlowSystem

/// The proposals at a place of a text.
struct Completion {
  private static let most = 500

  private let document: TextDocument
  private let encoding: PositionEncoding
  private let offset: Int
  private let site: CursorSite
  private let facts: ScenarioFacts
  private let names: NamesInSight
  private let values: RecordedRun?

  init(_ document: TextDocument, at offset: Int, _ analysis: FileAnalysis, _ workspace: Workspace) {
    self.document = document
    self.offset = offset
    encoding = workspace.encoding
    let context = CursorContext(document.lines, at: offset)
    facts = ScenarioFacts(analysis, document.path, workspace.settings)
    let root: KeySet = ProjectFile.isOne(document.path) ? .project : .scenario
    site = CursorSite(context, root, facts)
    let isPresent = analysis.version == document.version
    let shift = isPresent ? LineShift() : LineShift(from: analysis.lines, to: document.lines)
    names = NamesInSight(site, facts, shift)
    values = analysis.recording
  }

  /// Returns the list of proposals.
  func json(_ client: ClientCapabilities) -> JSON {
    let (items, length) = found
    let end = document.lines.place(of: offset, encoding)
    let start = document.lines.place(of: offset - length, encoding)
    let range = EditorRange(start, end)
    let shown = items.prefix(Self.most).enumerated().map { order, item in
      item.json(range, order: order, client)
    }
    return .fields([
      "isIncomplete": .bool(items.count > Self.most), "items": .array(Array(shown)),
    ])
  }

  /// The value before the written name in an expression, or nil outside of one.
  var receiver: String? { expressionText.flatMap { UnfinishedExpression($0)?.receiver } }

  /// The proposals, and the number of bytes before the cursor that they replace.
  var found: (items: [CompletionItem], length: Int) {
    if let text = expressionText {
      guard let unfinished = UnfinishedExpression(text) else { return ([], 0) }
      let items = expressionItems(unfinished)
      return (matching(items, unfinished.prefix), unfinished.prefix.utf8.count)
    }
    let items = FormItems(site, facts, names.environment).items
    return (matching(items, site.context.prefix), site.context.prefix.utf8.count)
  }

  /// Returns the proposals that start like the written word, or else all of them: the client sorts
  /// out the others by its own rules.
  private func matching(_ items: [CompletionItem], _ prefix: String) -> [CompletionItem] {
    if items.count <= Self.most || prefix.isEmpty { return items }
    let near = items.filter { $0.label.hasPrefix(prefix) }
    return near.isEmpty ? items : near
  }

  // MARK: - Expressions

  /// The text between the opening braces of an expression and the cursor, or nil outside of one.
  private var expressionText: String? {
    let bytes = document.bytes[max(0, offset - 4_000)..<offset]
    let opening = Array("${{".utf8)
    var index = bytes.endIndex
    while index >= bytes.startIndex + 2 {
      let rest = bytes[(index - 2)..<index]
      if rest.elementsEqual("}}".utf8) { return nil }
      if rest.elementsEqual("{{".utf8), index >= bytes.startIndex + 3,
        bytes[index - 3] == opening[0]
      {
        return String(decoding: bytes[index...], as: UTF8.self)
      }
      index -= 1
    }
    return nil
  }

  private func expressionItems(_ unfinished: UnfinishedExpression) -> [CompletionItem] {
    let candidates = unfinished.candidates(in: names.environment)
    let recorded = unfinished.receiver.flatMap { values?.value(of: $0) }
    var items = candidates.map { candidate in
      let value = unfinished.receiver.map { "\($0).\(candidate.name)" } ?? candidate.name
      return item(candidate, values?.value(of: value))
    }
    // Of values without declared fields, the recording knows some.
    let known = Set(candidates.map(\.name))
    for member in recorded?.members ?? [] where !known.contains(member.name) {
      let detail = "recorded: \(member.value.summary())"
      items.append(CompletionItem(label: member.name, kind: .field, detail: detail))
    }
    return items
  }

  private func item(_ candidate: NameCandidate, _ recorded: JSON?) -> CompletionItem {
    let isCall = candidate.kind == .function || candidate.kind == .macro
    let forms = candidate.detail.split(separator: "\n")
    let value = recorded.map { " = \($0.summary())" } ?? ""
    var item = CompletionItem(
      label: candidate.name, kind: candidate.kind.completionKind,
      detail: (forms.first.map(String.init) ?? "") + value, documentation: candidate.summary)
    if forms.count > 1 { item.documentation = candidate.detail }
    if isCall { item.snippet = "\(candidate.name)($0)" }
    return item
  }
}

extension NameCandidate.Kind {
  fileprivate var completionKind: CompletionItem.Kind {
    switch self {
    case .variable: .variable
    case .group: .module
    case .field: .field
    case .function, .macro: .function
    case .word: .keyword
    }
  }
}

extension Feature {
  static let completion = Feature(
    method: "textDocument/completion",
    capability: (
      "completionProvider",
      .fields(["triggerCharacters": .array([".", "{", " ", ":", "\"", "-"].map(JSON.string))])
    )
  ) { (workspace, params) throws(RPCError) in
    let (document, offset) = try workspace.place(params)
    guard let analysis = workspace.latestAnalysis(of: document.uri), analysis.kind.isKnown else {
      return Completion.start(of: document, at: offset, workspace)
    }
    return Completion(document, at: offset, analysis, workspace).json(workspace.client)
  }
}

extension Completion {
  /// Returns the proposals for a text that is no scenario yet: its first key, if it is nearly empty.
  fileprivate static func start(
    of document: TextDocument, at offset: Int, _ workspace: Workspace
  ) -> JSON {
    let isEmpty = document.bytes.count < 80 && !document.bytes.contains(UInt8(ascii: ":"))
    let place = document.lines.place(of: offset, workspace.encoding)
    let start = EditorPosition(line: place.line, character: 0)
    let item = CompletionItem(
      label: "flow", kind: .property, detail: "the version of the format", text: "flow: 1\n")
    let items = isEmpty ? [item.json(EditorRange(start, place), order: 0, workspace.client)] : []
    return .fields(["isIncomplete": .bool(false), "items": .array(items)])
  }
}
