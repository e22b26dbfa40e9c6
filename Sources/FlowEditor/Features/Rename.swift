internal import FlowCore
internal import FlowScenario
internal import FlowSystem

/// Another name for a thing, in all files of the project.
struct Rename {
  private let workspace: Workspace
  private let names: ProjectNames
  private let thing: NamedThing
  private let newName: String

  init(
    _ thing: NamedThing, to newName: String, in names: ProjectNames, _ workspace: Workspace
  ) throws(RPCError) {
    (self.thing, self.newName, self.names, self.workspace) = (thing, newName, names, workspace)
    if case .scenario(let path) = thing {
      try checkFile(path)
    } else if !NamesOfFile.isName(newName) {
      throw RPCError(
        .requestFailed,
        "'\(newName.onOneLine)' is not a name: use letters, digits and underscores")
    }
  }

  /// Returns the edits of all files.
  ///
  /// - Throws: `RPCError` if a file would have other mistakes than before, or cannot be read.
  func edit() throws(RPCError) -> JSON {
    var edits: [String: [TextEdit]] = [:]
    let found = names.mentions(of: thing)
    if let path = found.unread {
      throw RPCError(
        .requestFailed, "'\(path.onOneLine)' cannot be read, and the name may be in it, too")
    }
    for mention in found.mentions {
      guard let document = workspace.document(at: mention.span.file),
        let edit = edit(of: mention, in: document)
      else {
        throw RPCError(
          .requestFailed, "the name at \(mention.span) is written in a way that cannot be changed")
      }
      edits[document.path, default: []].append(edit)
    }
    if case .scenario(let path) = thing { return change(edits).json(move(path)) }
    try check(edits)
    return change(edits).json()
  }

  private func edit(of mention: Mention, in document: TextDocument) -> TextEdit? {
    let start = document.lines.offset(of: mention.span.start)
    let end = document.lines.offset(of: mention.span.end)
    switch thing {
    case .name(let name, _):
      let parts = name.split(separator: ".").map(String.init)
      let isGrouped = parts.count > 1
      let skipped = isGrouped && !mention.isDeclaration ? parts[0].utf8.count : 0
      // A name that gives another scenario's input has no group.
      let old = isGrouped ? parts[1] : parts[0]
      let isBare = end - start == old.utf8.count
      return document.edit(of: old, from: start + (isBare ? 0 : skipped), to: end, newName)
    case .component(let name, _): return document.edit(of: name, from: start, to: end, newName)
    case .scenario(let path):
      let folder = Path.folder(of: mention.span.file)
      let old = Path.way(from: folder == "." ? "" : folder, to: path)
      let way = Path.way(from: folder == "." ? "" : folder, to: newPath(of: path))
      return document.edit(of: old, from: start, to: end, way)
    }
  }

  // MARK: - Checking

  /// Compares the mistakes of each file before and after, and the new name with the others.
  private func check(_ edits: [String: [TextEdit]]) throws(RPCError) {
    if names.others(than: thing, named: newName) {
      throw RPCError(.requestFailed, "the new name cannot be used: '\(newName)' exists already")
    }
    var changed: [TextDocument] = []
    for (path, edits) in edits.sorted(by: { $0.key < $1.key }) {
      guard let document = workspace.document(at: path) else { continue }
      changed.append(document.applying(edits))
    }
    let files = EditorFiles(
      workspace.documents.values.filter { open in !changed.contains { $0.path == open.path } }
        + changed)
    for document in changed {
      let before = workspace.document(at: document.path).map { mistakes(workspace.job($0)) } ?? []
      let old = Set(before.map { $0.place.moved(by: edits) })
      let job = AnalysisJob(
        document: document, files: files, settings: workspace.settings,
        encoding: workspace.encoding, recording: nil)
      let after = mistakes(job, changed)
      // An old mistake stays where it is, and says nothing of the new name.
      let new = after.first { !old.contains($0.place) }
      if new == nil, old.count == Set(after.map(\.place)).count { continue }
      let reason = new?.message ?? "it has another meaning already"
      throw RPCError(.requestFailed, "the new name cannot be used: \(reason)")
    }
  }

  /// The errors of a text and of the files that it includes, some of which are changed.
  private func mistakes(
    _ job: AnalysisJob, _ changed: [TextDocument] = []
  ) -> [(place: MistakePlace, message: String)] {
    job.run().problems.map(\.diagnostic).filter { $0.severity == .error }.map { error in
      let file = error.span?.file ?? job.document.path
      let document = changed.first { $0.path == file } ?? workspace.document(at: file)
      let offset = error.span.flatMap { document?.lines.offset(of: $0.start) } ?? 0
      return (MistakePlace(code: error.code, file: file, offset: offset), error.message)
    }
  }

  // MARK: - Files

  /// Checks the new name of a scenario, whose own paths start at its folder.
  private func checkFile(_ path: String) throws(RPCError) {
    guard workspace.client.renamesFiles else {
      throw RPCError(.requestFailed, "the editor does not rename files")
    }
    let name = newName.split(separator: "/").last ?? ""
    guard ScenarioFinder.endings.contains(where: { name.hasSuffix($0) && name != $0 }) else {
      throw RPCError(.requestFailed, "the name of a scenario ends with .yaml or .yml")
    }
    let folder = Path.folder(of: Path.joined(Path.folder(of: names.own.file), newName))
    guard EditorFiles.fullPath(of: folder) == EditorFiles.fullPath(of: Path.folder(of: path)) else {
      throw RPCError(.requestFailed, "a scenario keeps its folder, where its own paths start")
    }
    for (old, new) in moves(path) where new != old && FileSystem.isOccupied(new) {
      throw RPCError(.requestFailed, "'\(new.onOneLine)' exists already")
    }
  }

  private func newPath(of path: String) -> String {
    Path.joined(Path.folder(of: path), String(newName.split(separator: "/").last ?? ""))
  }

  /// The old and the new path of a scenario and of its transcript.
  private func moves(_ path: String) -> [(String, String)] {
    let new = newPath(of: path)
    let transcript = (Path.transcript(of: path), Path.transcript(of: new))
    return [(path, new)] + (FileSystem.isFile(transcript.0) ? [transcript] : [])
  }

  private func move(_ path: String) -> [JSON] {
    moves(path).map { old, new in
      .fields([
        "kind": .string("rename"),
        "oldUri": .string(DocumentURI.uri(of: EditorFiles.fullPath(of: old))),
        "newUri": .string(DocumentURI.uri(of: EditorFiles.fullPath(of: new))),
      ])
    }
  }

  private func change(_ edits: [String: [TextEdit]]) -> WorkspaceEdit {
    let documents = edits.sorted { $0.key < $1.key }.compactMap { path, edits in
      workspace.document(at: path).map { (document: $0, edits: edits) }
    }
    return WorkspaceEdit(documents: documents, workspace: workspace)
  }
}

/// The place of a mistake, in bytes of its file.
private struct MistakePlace: Hashable {
  let code: DiagnosticCode
  let file: String
  let offset: Int

  /// The place after changes of files, by their paths.
  func moved(by edits: [String: [TextEdit]]) -> MistakePlace {
    let earlier = (edits[file] ?? []).filter { $0.range.upperBound <= offset }
    let shift = earlier.reduce(0) { $0 + $1.text.utf8.count - $1.range.count }
    return MistakePlace(code: code, file: file, offset: offset + shift)
  }
}

/// A change of a text, in bytes.
struct TextEdit: Hashable {
  let range: Range<Int>
  let text: String
}

/// Changes of several texts.
struct WorkspaceEdit {
  let documents: [(document: TextDocument, edits: [TextEdit])]
  let workspace: Workspace

  /// Returns the changes in the form that the client takes, with changes of files after them.
  func json(_ files: [JSON] = []) -> JSON {
    let encoding = workspace.encoding
    guard workspace.client.takesDocumentChanges || !files.isEmpty else {
      let members = documents.map { document, edits in
        JSON.Member(document.uri, .array(edits.map { document.json($0, encoding) }))
      }
      return .fields(["changes": .object(members)])
    }
    let changes = documents.map { document, edits in
      let isOpen = workspace.documents[document.uri] != nil
      return JSON.fields([
        "textDocument": .fields([
          "uri": .string(document.uri), "version": isOpen ? .int(document.version) : .null,
        ]),
        "edits": .array(edits.map { document.json($0, encoding) }),
      ])
    }
    return .fields(["documentChanges": .array(changes + files)])
  }
}

extension TextDocument {
  /// Returns the change of a word in a stretch, or nil if the word is not there.
  func edit(of word: String, from start: Int, to end: Int, _ text: String) -> TextEdit? {
    let name = Array(word.utf8)
    guard start < end, name.count <= end - start else { return nil }
    let isWord = { (index: Int) in index >= start && index < end && bytes[index].isWord }
    let place = (start...(end - name.count)).first { place in
      bytes[place..<(place + name.count)].elementsEqual(name) && !isWord(place - 1)
        && !isWord(place + name.count)
    }
    return place.map { TextEdit(range: $0..<($0 + name.count), text: text) }
  }

  /// Returns the text with changes that do not overlap.
  func applying(_ edits: [TextEdit]) -> TextDocument {
    var bytes = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return TextDocument(
      uri: uri, path: path, language: language, version: version,
      text: String(decoding: bytes, as: UTF8.self))
  }

  func json(_ edit: TextEdit, _ encoding: PositionEncoding) -> JSON {
    let range = EditorRange(
      lines.place(of: edit.range.lowerBound, encoding),
      lines.place(of: edit.range.upperBound, encoding))
    return .fields(["range": range.json, "newText": .string(edit.text)])
  }
}

extension NamesOfFile {
  /// True for a name that expressions can use.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return text.utf8.allSatisfy(\.isWord)
  }
}

extension Feature {
  static let rename = Feature(
    method: "textDocument/rename",
    capability: ("renameProvider", .fields(["prepareProvider": .bool(true)]))
  ) { (workspace, params) throws(RPCError) in
    guard let newName = params["newName"]?.string,
      let found = try ThingAtCursor(params, in: &workspace)
    else { throw RPCError(.requestFailed, "there is no name here that can be changed") }
    return try Rename(found.thing, to: newName, in: found.names, workspace).edit()
  }

  static let prepareRename = Feature(
    method: "textDocument/prepareRename", capability: nil
  ) { (workspace, params) throws(RPCError) in
    guard let found = try ThingAtCursor(params, in: &workspace) else { return .null }
    let (document, offset) = (found.document, found.offset)
    let word: WordAtCursor? =
      if case .scenario = found.thing {
        WordAtCursor(wholeScalar: document.bytes, at: offset)
      } else {
        WordAtCursor(document.bytes, at: offset)
      }
    guard let word else { return .null }
    let range = EditorRange(
      document.lines.place(of: word.range.lowerBound, workspace.encoding),
      document.lines.place(of: word.range.upperBound, workspace.encoding))
    return .fields(["range": range.json, "placeholder": .string(word.text)])
  }
}
