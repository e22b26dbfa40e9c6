internal import FlowCore
internal import FlowSystem

/// A scenario from a file of another tool.
package struct Import: Sendable {
  /// The most bytes read: 64 MiB.
  package static let largest = 64 << 20

  /// The name of what is imported: that of a collection, or that of any other file.
  package let source: String
  /// The name of the scenario within its source, unchanged from one import to the next.
  package let id: String
  /// The name of the scenario's file, without an ending.
  package let fileName: String
  /// The scenario, as YAML.
  package let scenario: String
  /// The unsupported parts and other remarks, in the order of the file.
  package let notes: [ImportNote]
  /// The recorded answers of its requests, in their order, if the file has them.
  package let answers: [RecordedAnswer]
  /// The values of its secret inputs, by their names.
  package let secrets: [String: String]

  /// The contents of captured files that requests send, by their names.
  package private(set) var files: [String: String] = [:]

  /// True if each request has a recorded answer.
  package var hasAnswers: Bool { !answers.isEmpty }

  /// Creates an import of a whole file.
  ///
  /// Its name or its content determines the format, unless one is given.
  ///
  /// - Throws: `ImportError` for a text that is not in the assumed format.
  package init(
    reading bytes: [UInt8], named name: String, as format: ImportFormat? = nil
  ) throws(ImportError) {
    try self.init(ImportSource(name: name, bytes: bytes, format: format))
  }

  /// Creates an import of a whole file.
  ///
  /// - Throws: `ImportError` for a text that is not in the assumed format.
  package init(_ source: ImportSource) throws(ImportError) {
    let text = try ImportSource.text(of: source.bytes)
    let format = try Self.format(of: text, source)
    var answers: [RecordedAnswer] = []
    let scenario: ImportedScenario
    switch format {
    case .curl: scenario = try CurlCommand.read(text)
    case .har: (scenario, answers) = try HARFile.read(text, hidingAnswers: source.hidesAnswers)
    case .hurl: scenario = try HurlFile.read(text)
    case .postman: scenario = try Self.postman(text, source).scenario()
    case .openapi: scenario = try DescriptionFile(source).scenario()
    case .http: scenario = try Self.editor(text, source).scenario()
    case .bruno: scenario = try Self.bruno(source).scenario()
    }
    let part = Part(source: source.fileName, id: source.fileName, fileName: source.fileName)
    self.init(scenario, part, format, answers)
  }

  /// Creates an import of a session that flow has captured just now, as HAR, for a service that every
  /// test calls.
  ///
  /// Requests read what earlier answers have made. Secrets with the names `shown` are written, and the
  /// parts of answers that differ from run to run are `volatile`, by the numbers of the requests.
  ///
  /// - Throws: `ImportError` for a text that is no HAR.
  package init(
    captured text: String, showing shown: Set<String>, volatile: [Int: [String]] = [:]
  ) throws(ImportError) {
    var (scenario, _) = try HARFile.read(text, hidingAnswers: true, readingAnswers: true)
    scenario.isLive = true
    scenario.show(shown)
    scenario.vary(volatile)
    self.init(scenario, Part(source: "session", id: "session", fileName: "session"), .har)
    files = scenario.files
  }

  /// The names of a scenario.
  private struct Part {
    let source: String
    let id: String
    let fileName: String
  }

  private init(
    _ scenario: ImportedScenario, _ part: Part, _ format: ImportFormat,
    _ answers: [RecordedAnswer] = []
  ) {
    var scenario = scenario
    (source, id, fileName) = (part.source, part.id, part.fileName)
    self.answers = answers
    scenario.hideEncodedSecrets()
    self.scenario = ScenarioText(scenario).text
    scenario.noteAnswers(readBy: self.scenario)
    secrets = Dictionary(scenario.secrets.map { ($0.value, $0.key) }) { first, _ in first }
    if format != .curl { scenario.noteComponents() }
    var sorted = scenario
    sorted.sortNotes()
    // The scripts of a folder are those of all its requests, and operations share parameters.
    let isRepeated = format != .curl && format != .har && format != .hurl
    notes = isRepeated ? sorted.placedNotes.unique : sorted.notes
  }

  /// Returns a separate import of each part of a file: the folders of a collection, the operations
  /// of a description, or the whole of any other file.
  ///
  /// - Throws: `ImportError` for a text that is not in the assumed format.
  package static func parts(of source: ImportSource) throws(ImportError) -> [Import] {
    let text = try ImportSource.text(of: source.bytes)
    switch try format(of: text, source) {
    case .postman: return try folders(of: postman(text, source), .postman)
    case .bruno: return try folders(of: bruno(source), .bruno)
    case .http where !source.files.isEmpty: return try folders(of: editor(text, source), .http)
    case .openapi:
      return try DescriptionFile(source).scenarios().map { part in
        Import(
          part.scenario, Part(source: source.fileName, id: part.id, fileName: part.fileName),
          .openapi)
      }
    case .curl, .har, .hurl, .http: return [try Import(source)]
    }
  }

  private static func folders(
    of collection: PostmanFile, _ format: ImportFormat
  ) throws(ImportError) -> [Import] {
    try collection.scenarios().map { group, scenario in
      let name = group.path.isEmpty ? group.name : group.path.joined(separator: " ")
      let file = FileName(name, or: "scenario").text
      let part = Part(source: group.name, id: group.stableID, fileName: file)
      return Import(scenario, part, format)
    }
  }

  /// Reads a file of an editor, or those of a folder, each as a folder of a collection.
  private static func editor(
    _ text: String, _ source: ImportSource
  ) throws(ImportError) -> PostmanFile {
    let environments = try Self.environments(source)
    if source.files.isEmpty {
      let file = try EditorFile.read(text)
      return PostmanFile(
        file.collection(named: source.fileName), environments: environments, dialect: .editor)
    }
    var (lines, folders) = (SourceLines(), [PlacedJSON]())
    for file in source.files where EditorFile.isName(file.path) {
      do throws(ImportError) {
        let text = try ImportSource.text(of: file.bytes)
        let offset = lines.add(file.path, count: text.utf8.count { $0 == 0x0A } + 1)
        let name = String(
          file.path.prefix(file.path.count - (file.path.split(separator: ".").last?.count ?? 0) - 1)
        )
        folders.append(try EditorFile.read(text, offset: offset).folder(named: name))
      } catch {
        throw error.inside(file.path)
      }
    }
    let root = PlacedJSON.object(
      ["info": .object(["name": .text(source.fileName, 1)], 1), "item": .list(folders, 1)], 1)
    return PostmanFile(root, environments: environments, dialect: .editor, lines: lines)
  }

  /// Reads a folder of Bruno, or one of its files.
  private static func bruno(_ source: ImportSource) throws(ImportError) -> PostmanFile {
    let name = String(source.name.split(separator: "/").last ?? "")
    let single = [ImportSource.File(path: name, bytes: source.bytes)]
    let folder = try BrunoFolder(source.files.isEmpty ? single : source.files)
    return PostmanFile(
      folder.collection(named: source.fileName), environments: try environments(source),
      dialect: .bruno, lines: source.files.isEmpty ? SourceLines() : folder.lines)
  }

  private static func postman(
    _ text: String, _ source: ImportSource
  ) throws(ImportError) -> PostmanFile {
    try PostmanFile(Array(text.utf8), environments: try environments(source))
  }

  private static func environments(_ source: ImportSource) throws(ImportError) -> [PlacedJSON] {
    var environments: [PlacedJSON] = []
    for (name, bytes) in source.environments {
      do throws(ImportError) {
        environments.append(
          try ImportedEnvironment(try ImportSource.text(of: bytes), named: name).values)
      } catch {
        throw error.inside(name)
      }
    }
    return environments
  }

  // MARK: - Formats

  /// Returns true for a description of OpenAPI.
  package static func isDescription(_ bytes: [UInt8]) -> Bool {
    (try? ImportSource.text(of: bytes)).map(ForeignFile.isOpenAPI) ?? false
  }

  private static func format(
    of text: String, _ source: ImportSource
  ) throws(ImportError) -> ImportFormat {
    if let format = source.format { return format }
    // The name of a folder says nothing of its files.
    if source.files.isEmpty, let format = format(ofName: source.name) { return format }
    if !source.files.isEmpty {
      if source.files.contains(where: { BrunoFolder.isMark($0.path) }) { return .bruno }
      if source.files.contains(where: { EditorFile.isName($0.path) }) { return .http }
      throw ImportError(
        line: 1, column: 1, message: "the folder has no files of Bruno, '.http' or '.rest'")
    }
    if ForeignFile.isBruno(text) { return .bruno }
    if text.hasPrefix("###") { return .http }
    if ForeignFile.isPostman(text) { return .postman }
    if ForeignFile.isOpenAPI(text) { return .openapi }
    if let kind = ForeignFile.kind(of: text, named: source.name) {
      if kind == ForeignFile.unknownJSON { throw unknownFormat }
      let help =
        switch kind {
        case ForeignFile.environment: "pass it with '--environment' beside its collection"
        case ForeignFile.swagger: "convert it to OpenAPI 3"
        default: "flow imports curl, HAR, Hurl, .http, Postman, Bruno and OpenAPI"
        }
      throw ImportError(line: 1, column: 1, message: "\(kind) is not supported; \(help)")
    }
    return try format(of: text)
  }

  private static func format(ofName name: String) -> ImportFormat? {
    let name = name.lowercased()
    if name.hasSuffix(".postman_collection.json") { return .postman }
    return switch name.split(separator: ".").last {
    case "har": .har
    case "hurl": .hurl
    case "curl", "sh", "bash": .curl
    case "http", "rest": .http
    case "bru": .bruno
    default: nil
    }
  }

  private static func format(of text: String) throws(ImportError) -> ImportFormat {
    var (first, rest) = ("", text[...])
    while first.isEmpty || first.hasPrefix("#") {
      if rest.isEmpty {
        throw ImportError(line: 1, column: 1, message: "the file has no requests")
      }
      let line = rest.prefix { !$0.isNewline }
      first = String(line).trimmed
      rest = rest[line.endIndex...].dropFirst()
    }
    if first.hasPrefix("{") { return .har }
    if first.split(separator: " ").contains(where: { $0 == "curl" || $0.hasSuffix("/curl") }) {
      return .curl
    }
    if EditorFile.isEditorFile(text) { return .http }
    let method = first.prefix { $0.isUppercase && $0.isASCII }
    if !method.isEmpty, first.dropFirst(method.count).hasPrefix(" ") { return .hurl }
    throw unknownFormat
  }

  private static let unknownFormat = ImportError(
    line: 1, column: 1,
    message: "cannot tell the format; use --from curl, har, hurl, http, postman, bruno or openapi")
}

extension ImportError {
  /// The error with the name of the file that has it, which is another one than the imported.
  fileprivate func inside(_ name: String) -> ImportError {
    ImportError(line: 1, column: 1, message: "'\(name.onOneLine)', line \(line): \(message)")
  }
}
