internal import FlowCore
internal import FlowScenario
internal import FlowSystem

/// The places of a thing's name in all files of the project.
struct ProjectNames {
  /// The most files that are looked at.
  private static let mostFiles = 2_000

  private let workspace: Workspace
  let own: NamesOfFile

  init?(_ analysis: FileAnalysis, _ document: TextDocument, _ workspace: Workspace) {
    guard let scenario = analysis.scenario, let index = scenario.index else { return nil }
    own = NamesOfFile(file: document.path, index: index, others: scenario.indexes)
    self.workspace = workspace
  }

  /// Returns the places in this file first, and then in the others by their paths.
  func mentions(of thing: NamedThing) -> [Mention] {
    var found = own.mentions(of: thing)
    guard let file = thing.sharedFile else { return found }
    for path in otherFiles(naming: file) {
      guard let names = names(of: path) else { continue }
      found += names.mentions(of: thing)
    }
    return found
  }

  /// The scenarios of the project that may mention a file.
  private func otherFiles(naming file: String) -> [String] {
    let folder = ProjectFile.folder(around: Path.folder(of: own.file)) ?? Path.folder(of: own.file)
    let files = workspace.files
    let name = Array((file.split(separator: "/").last ?? "").utf8)
    let found = (try? ScenarioFinder(excluding: []).files(at: [Path.shown(folder)]).files) ?? []
    return found.prefix(Self.mostFiles).map(\.path).filter { path in
      guard path != own.file else { return false }
      return path == file || files.bytes(of: path)?.ranges(of: name).isEmpty == false
    }
  }

  private func names(of path: String) -> NamesOfFile? {
    let document = workspace.document(at: path)
    let analysis = document.map { workspace.job($0).run() }
    guard let scenario = analysis?.scenario, let index = scenario.index else { return nil }
    return NamesOfFile(file: path, index: index, others: scenario.indexes)
  }
}

extension NamedThing {
  /// The file by whose name other files refer to the thing, or nil for a name of its file alone.
  fileprivate var sharedFile: String? {
    switch self {
    case .name(let name, let span): name.hasPrefix("inputs.") ? span.file : nil
    case .component: nil
    case .scenario(let path): path
    }
  }

  /// The place of the declaration.
  var declaration: SourceSpan {
    switch self {
    case .name(_, let span), .component(_, let span): return span
    case .scenario(let path):
      let start = Position(line: 1, column: 1)
      return SourceSpan(file: path, start: start, end: start)
    }
  }
}

/// The thing whose name is at the place of a request.
struct ThingAtCursor {
  let document: TextDocument
  /// The offset of the place in the document.
  let offset: Int
  let names: ProjectNames
  let thing: NamedThing

  /// Finds the thing, or returns nil if no name is there.
  init?(_ params: JSON, in workspace: inout Workspace) throws(RPCError) {
    (document, offset) = try workspace.place(params)
    guard let analysis = workspace.analysis(of: document.uri),
      let names = ProjectNames(analysis, document, workspace),
      let thing = names.own.thing(at: document.lines.position(of: offset))
    else { return nil }
    (self.names, self.thing) = (names, thing)
  }
}

extension Feature {
  static let definition = Feature(
    method: "textDocument/definition", capability: ("definitionProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    guard let found = try ThingAtCursor(params, in: &workspace) else { return .null }
    return workspace.location(of: found.thing.declaration) ?? .null
  }

  static let references = Feature(
    method: "textDocument/references", capability: ("referencesProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    guard let found = try ThingAtCursor(params, in: &workspace) else { return .null }
    let includes = params.at("context", "includeDeclaration") != .bool(false)
    let mentions = found.names.mentions(of: found.thing).filter { includes || !$0.isDeclaration }
    return .array(mentions.compactMap { workspace.location(of: $0.span) })
  }

  static let highlights = Feature(
    method: "textDocument/documentHighlight",
    capability: ("documentHighlightProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    guard let found = try ThingAtCursor(params, in: &workspace) else { return .null }
    return .array(
      found.names.own.mentions(of: found.thing).map {
        let range = found.document.lines.range(of: $0.span, workspace.encoding)
        return .fields(["range": range.json, "kind": .int($0.isDeclaration ? 3 : 2)])
      })
  }
}
