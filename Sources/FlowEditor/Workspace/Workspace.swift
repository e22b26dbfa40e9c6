internal import FlowCore
internal import FlowSystem

/// The open texts, everything that is known about them, and what the client was told.
struct Workspace {
  let settings: EditorSettings
  var client = ClientCapabilities(.null)
  private(set) var documents: [String: TextDocument] = [:]
  private var analyses: [String: FileAnalysis] = [:]
  /// The texts to check, in the order of their changes.
  private var pending: [String] = []
  /// The text that a job checks.
  private var running: String?
  /// True if the result of the job is older than what is known since.
  private var isOutdated = false
  /// The files that changed since the job started.
  private var changedFiles: Set<String> = []
  private var diagnostics = PublishedDiagnostics()
  private var messages: [JSON] = []

  /// The most open texts.
  private static let mostDocuments = 1_000
  /// The most bytes of a text that is checked before a completion in it.
  private static let smallText = 64 << 10

  init(_ settings: EditorSettings) { self.settings = settings }

  var encoding: PositionEncoding { client.encoding }
  var files: EditorFiles { EditorFiles(documents.values) }

  /// Returns the messages for the client since the last call.
  mutating func takeMessages() -> [JSON] {
    defer { messages = [] }
    return messages
  }

  // MARK: - Texts

  mutating func open(_ params: JSON) {
    guard let item = params["textDocument"], let uri = item["uri"]?.string,
      let path = DocumentURI.path(of: uri),
      documents[uri] != nil || documents.count < Self.mostDocuments
    else { return }
    guard let text = item["text"]?.string else { return lose([uri]) }
    documents[uri] = TextDocument(
      uri: uri, path: Path.shown(EditorFiles.fullPath(of: path)),
      language: item["languageId"]?.string ?? "", version: item["version"]?.int ?? 0, text: text)
    changed(uri)
  }

  mutating func change(_ params: JSON) {
    guard let uri = params.at("textDocument", "uri")?.string else { return loseAll() }
    guard let known = documents[uri] else { return }
    guard case .array(let changes)? = params["contentChanges"] else { return lose([uri]) }
    var document = known
    document.apply(changes, version: params.at("textDocument", "version")?.int, encoding)
    documents[uri] = document
    changed(uri)
    if document.loss == .unreadChange, known.loss != .unreadChange { tellLoss(of: document) }
  }

  /// Forgets all texts, any of which may have changed in an unknown way.
  mutating func loseAll() { lose(documents.keys.sorted()) }

  private mutating func lose(_ uris: [String]) {
    for uri in uris {
      guard var document = documents[uri], document.loss != .unreadChange else { continue }
      document.lose()
      documents[uri] = document
      analyses[uri] = nil
      if uri == running { isOutdated = true }
      changed(uri)
      tellLoss(of: document)
    }
  }

  private mutating func tellLoss(of document: TextDocument) {
    let text = "'\(document.path.onOneLine)': \(Self.loss)"
    messages.append(
      RPCMessage.notification(
        "window/showMessage", .fields(["type": .int(1), "message": .string(text)])))
  }

  /// The message about a text that is unknown since a change.
  private static let loss =
    "a change could not be read, so the text is not known; close the file and open it again"

  mutating func close(_ params: JSON) {
    guard let uri = params.at("textDocument", "uri")?.string,
      let document = documents.removeValue(forKey: uri)
    else { return }
    analyses[uri] = nil
    pending.removeAll { $0 == uri }
    if uri == running { isOutdated = true }
    checkReaders(of: EditorFiles.fullPath(of: document.path))
    publish(diagnostics.forget(uri))
  }

  /// Checks all texts again after a change of files.
  mutating func filesChanged() {
    for uri in documents.keys.sorted() { check(uri) }
  }

  /// Asks the client to tell of changed scenarios, transcripts, schemas and project files.
  mutating func watchFiles() {
    guard client.watchesFiles else { return }
    let patterns = ["**/*.{yaml,yml,json,jsonl}", "**/flow.lock"]
    let watchers = patterns.map { JSON.fields(["globPattern": .string($0)]) }
    let registration = JSON.fields([
      "id": .string("files"), "method": .string("workspace/didChangeWatchedFiles"),
      "registerOptions": .fields(["watchers": .array(watchers)]),
    ])
    messages.append(
      RPCMessage.request(
        1, "client/registerCapability", .fields(["registrations": .array([registration])])))
  }

  private mutating func changed(_ uri: String) {
    check(uri)
    if let path = documents[uri]?.path { checkReaders(of: EditorFiles.fullPath(of: path)) }
  }

  private mutating func check(_ uri: String) {
    if !pending.contains(uri) { pending.append(uri) }
  }

  /// Checks the texts again that include a file.
  private mutating func checkReaders(of path: String) {
    if running != nil { changedFiles.insert(path) }
    for uri in analyses.keys.sorted() where analyses[uri]?.reads.contains(path) ?? false {
      check(uri)
    }
  }

  // MARK: - Analyses

  mutating func nextJob() -> AnalysisJob? {
    guard running == nil, !pending.isEmpty else { return nil }
    let uri = pending.removeFirst()
    (running, isOutdated, changedFiles) = (uri, false, [])
    return job(uri)
  }

  private func job(_ uri: String) -> AnalysisJob? {
    documents[uri].map {
      AnalysisJob(
        document: $0, files: files, settings: settings, encoding: encoding,
        recording: analyses[uri]?.recording)
    }
  }

  mutating func finish(_ analysis: FileAnalysis) {
    running = nil
    // Of a text that was changed or closed since, nothing is published.
    guard !isOutdated, documents[analysis.uri]?.version == analysis.version else { return }
    take(analysis)
    if !analysis.reads.isDisjoint(with: changedFiles) { check(analysis.uri) }
  }

  private mutating func take(_ analysis: FileAnalysis) {
    analyses[analysis.uri] = analysis
    publish(diagnostics.update(analysis, in: documents))
  }

  private mutating func publish(_ notifications: [JSON]) { messages += notifications }

  /// Returns everything about the present text, checked now if it was not yet.
  mutating func analysis(of uri: String) -> FileAnalysis? {
    guard let document = documents[uri] else { return nil }
    if let known = analyses[uri], known.version == document.version, !pending.contains(uri) {
      return known
    }
    guard let analysis = job(uri)?.run() else { return nil }
    pending.removeAll { $0 == uri }
    if uri == running { isOutdated = true }
    take(analysis)
    return analysis
  }

  /// Returns the latest analysis, of an earlier text if it takes long to check the present one.
  mutating func latestAnalysis(of uri: String) -> FileAnalysis? {
    guard let document = documents[uri], document.bytes.count > Self.smallText else {
      return analysis(of: uri)
    }
    return analyses[uri] ?? analysis(of: uri)
  }
}

extension Workspace {
  /// Returns the open text of a request.
  func document(_ params: JSON) throws(RPCError) -> TextDocument {
    guard let uri = params.at("textDocument", "uri")?.string, let document = documents[uri] else {
      throw RPCError(.invalidParams, "the text is not open")
    }
    if document.loss == .unreadChange { throw RPCError(.requestFailed, Self.loss) }
    return document
  }

  /// Returns the open text and the offset of a request with a position.
  func place(_ params: JSON) throws(RPCError) -> (TextDocument, Int) {
    let document = try document(params)
    guard let place = params["position"].flatMap(EditorPosition.init) else {
      throw RPCError(.invalidParams, "the position is missing")
    }
    return (document, document.lines.offset(of: place, encoding))
  }
}

// MARK: - Files

extension Workspace {
  /// Returns the text of a file: the open one, or that on the disk, or nil for an unknown one.
  func document(at path: String) -> TextDocument? {
    let full = EditorFiles.fullPath(of: path)
    if let open = documents.values.first(where: { EditorFiles.fullPath(of: $0.path) == full }) {
      return open.loss == nil ? open : nil
    }
    guard let bytes = files.bytes(of: full) else { return nil }
    return TextDocument(
      uri: DocumentURI.uri(of: full), path: Path.shown(full), language: "", version: 0,
      text: String(decoding: bytes, as: UTF8.self))
  }

  func job(_ document: TextDocument) -> AnalysisJob {
    AnalysisJob(
      document: document, files: files, settings: settings, encoding: encoding, recording: nil)
  }

  /// Returns a stretch of any file in the form of the protocol, or nil for a missing file.
  func location(of span: SourceSpan) -> JSON? {
    guard let document = document(at: span.file) else { return nil }
    return .fields([
      "uri": .string(document.uri), "range": document.lines.range(of: span, encoding).json,
    ])
  }
}
