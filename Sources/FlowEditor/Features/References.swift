internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The places of a thing's name in all files of the project.
struct ProjectNames {
  /// The most files that are looked at.
  private static let mostFiles = 2_000

  /// Places in files, and a file that could not be looked through, or nil.
  typealias Found = (mentions: [Mention], unread: String?)

  private let workspace: Workspace
  let own: NamesOfFile

  init?(_ analysis: FileAnalysis, _ document: TextDocument, _ workspace: Workspace) {
    guard let names = NamesOfFile(document.path, analysis) else { return nil }
    (own, self.workspace) = (names, workspace)
  }

  /// Returns the places in this file first, and then in the others by their paths.
  func mentions(of thing: NamedThing) -> Found {
    var found: Found = (own.mentions(of: thing), own.mayHide(thing) ? own.file : nil)
    guard let file = thing.sharedFile else { return found }
    let others = otherFiles
    if others.count > Self.mostFiles { found.unread = others[Self.mostFiles] }
    let (name, files) = (Array((file.split(separator: "/").last ?? "").utf8), workspace.files)
    for path in others.prefix(Self.mostFiles) {
      guard let bytes = files.bytes(of: path), let document = workspace.document(at: path) else {
        found.unread = path
        continue
      }
      guard path == file || !bytes.ranges(of: name).isEmpty else { continue }
      let analysis = workspace.job(document).run()
      guard case .scenario = analysis.kind else { continue }
      if let names = NamesOfFile(path, analysis) {
        found.mentions += names.mentions(of: thing)
        if names.mayHide(thing) { found.unread = path }
      } else {
        found.unread = path
      }
    }
    return found
  }

  /// Returns true if another thing in the file of one has a name already.
  func others(than thing: NamedThing, named newName: String) -> Bool {
    let files = [own.index] + own.others.values
    switch thing {
    case .name(let old, let span):
      let group = old.split(separator: ".").dropLast().first.map { "\($0)." } ?? ""
      return group + newName != old
        && files.contains { index in
          index.declarations.contains { $0.span == span }
            && index.declarations.contains { $0.name == group + newName }
        }
    case .component(let old, let span):
      return newName != old
        && files.contains { index in
          index.components.contains { $0.span == span }
            && index.components.contains { $0.name == newName }
        }
    case .scenario: return false
    }
  }

  /// The other scenarios of the project.
  private var otherFiles: [String] {
    let folder = ProjectFolder.path(around: Path.folder(of: own.file)) ?? Path.folder(of: own.file)
    let found = (try? ScenarioFinder(excluding: []).files(at: [Path.shown(folder)]).files) ?? []
    return found.map(\.path).filter { $0 != own.file }
  }
}

extension NamesOfFile {
  /// Creates the names of a file, or nil for one that is no readable scenario.
  fileprivate init?(_ file: String, _ analysis: FileAnalysis) {
    guard let scenario = analysis.scenario, let index = scenario.index else { return nil }
    self.init(
      file: file, index: index, others: scenario.indexes,
      unread: analysis.unread.map { analysis.lines.text(ofLine: $0) })
  }
}

extension NamesOfFile {
  /// True if a line that is no YAML may have a thing's name.
  fileprivate func mayHide(_ thing: NamedThing) -> Bool {
    let word = Array(thing.word.utf8)
    return unread.contains { line in
      let bytes = Array(line.utf8)
      return bytes.ranges(of: word).contains { place in
        !bytes[..<place.lowerBound].suffix(1).contains(where: \.isWord)
          && !bytes[place.upperBound...].prefix(1).contains(where: \.isWord)
      }
    }
  }
}

extension NamedThing {
  /// The file by whose name other files refer to the thing, or nil for a name of its file alone.
  fileprivate var sharedFile: String? {
    switch self {
    case .name(let name, let span): name.hasPrefix("inputs.") ? span.file : nil
    case .component(_, let span): span.file
    case .scenario(let path): path
    }
  }

  /// The word by which it is written.
  fileprivate var word: String {
    switch self {
    case .name(let name, _): String(name.split(separator: ".").dropFirst().first ?? name[...])
    case .component(let name, _): name
    case .scenario(let path): String(path.split(separator: "/").last ?? "")
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
    let mentions = found.names.mentions(of: found.thing).mentions.filter {
      includes || !$0.isDeclaration
    }
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
