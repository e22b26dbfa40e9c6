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
    let text = try Self.text(of: source.bytes)
    let format = try Self.format(of: text, source)
    var answers: [RecordedAnswer] = []
    let scenario: ImportedScenario
    switch format {
    case .curl: scenario = try CurlCommand.read(text)
    case .har: (scenario, answers) = try HARFile.read(text, hidingAnswers: source.hidesAnswers)
    case .hurl: scenario = try HurlFile.read(text)
    case .postman: scenario = try Self.postman(text, source).scenario()
    case .openapi: scenario = try DescriptionFile(source).scenario()
    }
    let part = Part(source: source.fileName, id: source.fileName, fileName: source.fileName)
    self.init(scenario, part, format, answers)
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
    let sorted = scenario.notes.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    // The scripts of a folder are those of all its requests, and operations share parameters.
    notes = [.postman, .openapi].contains(format) ? sorted.unique : sorted
  }

  /// Returns a separate import of each part of a file: the folders of a collection, the operations
  /// of a description, or the whole of any other file.
  ///
  /// - Throws: `ImportError` for a text that is not in the assumed format.
  package static func parts(of source: ImportSource) throws(ImportError) -> [Import] {
    let text = try text(of: source.bytes)
    switch try format(of: text, source) {
    case .postman: return try folders(of: text, source)
    case .openapi:
      return try DescriptionFile(source).scenarios().map { part in
        Import(
          part.scenario, Part(source: source.fileName, id: part.id, fileName: part.fileName),
          .openapi)
      }
    case .curl, .har, .hurl: return [try Import(source)]
    }
  }

  private static func folders(
    of text: String, _ source: ImportSource
  ) throws(ImportError) -> [Import] {
    try postman(text, source).scenarios().map { group, scenario in
      let name = group.path.isEmpty ? group.name : group.path.joined(separator: " ")
      let file = FileName(name, or: "scenario").text
      let part = Part(source: group.name, id: group.stableID, fileName: file)
      return Import(scenario, part, .postman)
    }
  }

  private static func postman(
    _ text: String, _ source: ImportSource
  ) throws(ImportError) -> PostmanFile {
    var environments: [PlacedJSON] = []
    for (name, bytes) in source.environments {
      do throws(ImportError) {
        let environment = try PlacedJSON.read(Array(try Self.text(of: bytes).utf8))
        guard case .array? = environment["values"]?.content else {
          throw ImportError(line: 1, column: 1, message: "expected a Postman environment")
        }
        environments.append(environment)
      } catch {
        throw error.inside(name)
      }
    }
    return try PostmanFile(Array(text.utf8), environments: environments)
  }

  // MARK: - Formats

  private static func format(
    of text: String, _ source: ImportSource
  ) throws(ImportError) -> ImportFormat {
    if let format = source.format ?? format(ofName: source.name) { return format }
    if ForeignFile.isPostman(text) { return .postman }
    if ForeignFile.isOpenAPI(text) { return .openapi }
    if let kind = ForeignFile.kind(of: text, named: source.name) {
      let help =
        switch kind {
        case ForeignFile.environment: "pass it with '--environment' beside its collection"
        case ForeignFile.swagger: "convert it to OpenAPI 3"
        default: "flow imports curl, HAR, Hurl, Postman and OpenAPI"
        }
      throw ImportError(line: 1, column: 1, message: "\(kind) is not supported; \(help)")
    }
    return try format(of: text)
  }

  /// Returns the text of bytes in UTF-8, without the byte order mark.
  private static func text(of bytes: [UInt8]) throws(ImportError) -> String {
    let text: String
    do { text = try PlainText.text(of: bytes) } catch {
      let message = error.encoding == nil ? "invalid UTF-8" : "\(error)"
      throw ImportError(at: error.encoding == nil ? error.offset : 0, in: bytes, message)
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw ImportError(at: offset, in: bytes, "NUL character")
    }
    return text
  }

  private static func format(ofName name: String) -> ImportFormat? {
    let name = name.lowercased()
    if name.hasSuffix(".postman_collection.json") { return .postman }
    return switch name.split(separator: ".").last {
    case "har": .har
    case "hurl": .hurl
    case "curl", "sh", "bash": .curl
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
    let method = first.prefix { $0.isUppercase && $0.isASCII }
    if !method.isEmpty, first.dropFirst(method.count).hasPrefix(" ") { return .hurl }
    throw ImportError(
      line: 1, column: 1,
      message: "cannot tell the format; use --from curl, har, hurl, postman or openapi")
  }
}

extension ImportError {
  /// Creates an error at a byte of a text, from 0.
  init(at offset: Int, in bytes: [UInt8], _ message: String) {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
    let line = before.count { $0 == 0x0A } + 1
    self.init(line: line, column: column, message: message)
  }

  /// The error with the name of the file that has it, which is another one than the imported.
  fileprivate func inside(_ name: String) -> ImportError {
    ImportError(line: 1, column: 1, message: "'\(name.onOneLine)', line \(line): \(message)")
  }
}
