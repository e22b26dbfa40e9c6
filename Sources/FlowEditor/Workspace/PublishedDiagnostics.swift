internal import FlowCore
internal import FlowSystem

/// The problems that the client was told, file by file.
struct PublishedDiagnostics {
  /// The problems of each file, by the text whose check found them.
  private var found: [String: [String: [PlacedDiagnostic]]] = [:]
  private var published: [String: JSON] = [:]

  /// Takes the result of a check.
  ///
  /// Returns the notifications for the files whose problems changed.
  mutating func update(_ analysis: FileAnalysis, in documents: [String: TextDocument]) -> [JSON] {
    let before = Set(found[analysis.uri, default: [:]].keys)
    var files = [analysis.uri: [PlacedDiagnostic]()]
    let open = Dictionary(
      documents.values.map { (EditorFiles.fullPath(of: $0.path), $0.uri) }, uniquingKeysWith: min)
    for problem in analysis.problems {
      // As the client spells it if the file is open.
      let uri = open[problem.path] ?? DocumentURI.uri(of: problem.path)
      files[uri, default: []].append(problem)
    }
    found[analysis.uri] = files
    return (before.union(files.keys)).sorted().compactMap { notification($0, analysis) }
  }

  /// Forgets a closed text.
  ///
  /// Returns the notifications for the files whose problems changed.
  mutating func forget(_ uri: String) -> [JSON] {
    let files = found.removeValue(forKey: uri) ?? [:]
    return Set(files.keys).union([uri]).sorted().compactMap { notification($0, nil) }
  }

  /// Returns the problems of a file, if they differ from those that the client knows.
  private mutating func notification(_ uri: String, _ analysis: FileAnalysis?) -> JSON? {
    // A text knows its own problems better than the files that include it.
    let problems =
      found[uri]?[uri] ?? found.sorted { $0.key < $1.key }.compactMap { $0.value[uri] }.first ?? []
    let list = JSON.array(problems.map(Diagnostics.json))
    let isOwn = analysis?.uri == uri
    guard published[uri] != list || isOwn else { return nil }
    published[uri] = problems.isEmpty && !isOwn ? nil : list
    return RPCMessage.notification(
      "textDocument/publishDiagnostics",
      .fields([
        "uri": .string(uri), "version": isOwn ? analysis.map { .int($0.version) } : nil,
        "diagnostics": list,
      ]))
  }
}

/// Problems in the form of the protocol.
enum Diagnostics {
  static func json(_ problem: PlacedDiagnostic) -> JSON {
    let diagnostic = problem.diagnostic
    let text = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    let isUnused = PlacedDiagnostic.unused.contains(diagnostic.code)
    return .fields([
      "range": problem.range.json,
      "severity": .int(diagnostic.severity == .error ? 1 : 2),
      "code": .string(diagnostic.code.name), "source": .string("flow"), "message": .string(text),
      "tags": isUnused ? .array([.int(1)]) : nil,
    ])
  }
}
