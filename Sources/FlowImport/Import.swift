internal import FlowSystem

/// The format of a file of requests.
package enum ImportFormat: String, CaseIterable, Sendable {
  case curl
  case har
  case hurl
}

/// A file of requests of another tool as a scenario.
package struct Import: Sendable {
  /// The most bytes read: 64 MiB.
  package static let largest = 64 << 20

  /// The scenario, as YAML.
  package let scenario: String
  /// The unsupported parts and other remarks, in the order of the file.
  package let notes: [ImportNote]

  /// Creates an import of a file.
  ///
  /// Its name or its content determines the format, unless one is given.
  ///
  /// - Throws: `ImportError` for a text that is not in the assumed format.
  package init(
    reading bytes: [UInt8], named name: String, as format: ImportFormat? = nil
  ) throws(ImportError) {
    let text = try Self.text(of: bytes)
    var format = format ?? Self.format(ofName: name)
    if format == nil {
      if let kind = ForeignFile.kind(of: text, named: name) {
        throw ImportError(
          line: 1, column: 1, message: "\(kind) is not supported; flow imports curl, HAR and Hurl")
      }
      format = try Self.format(of: text)
    }
    var scenario: ImportedScenario =
      switch format {
      case .curl: try CurlCommand.read(text)
      case .har: try HARFile.read(text)
      case .hurl, nil: try HurlFile.read(text)
      }
    self.scenario = ScenarioText(scenario).text
    if format != .curl { scenario.noteComponents() }
    notes = scenario.notes.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
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
    switch name.split(separator: ".").last?.lowercased() {
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
      message: "cannot tell the format; use --from curl, har or hurl")
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
}
