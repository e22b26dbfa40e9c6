internal import FlowSystem

/// The body of a request or an answer.
enum HurlBody {
  case json(ImportedValue)
  case text(ImportedText, type: String?)
  case file(ImportedText)
  case bytes([UInt8])
}

extension HurlFile {
  /// Takes a body, or returns nil if none starts here.
  mutating func body() throws(ImportError) -> HurlBody? {
    let line = scanner.line()
    let rest = scanner.restOfLine
    if scanner.isNext("```") { return try multiline(line) }
    if scanner.isNext("`") {
      scanner.advance()
      let text = try scanner.escaped(until: "`\n")
      guard scanner.take("`") else { throw scanner.error("the text in backquotes has no end") }
      return try ended(.text(templated(text, line), type: nil))
    }
    if scanner.isNext("<") {
      return try ended(.text(templated(try scanner.xmlText(), line), type: "application/xml"))
    }
    if scanner.take("file,") {
      let start = scanner.position
      let path = try scanner.escaped(until: ";\n").trimmed
      guard scanner.take(";") else {
        throw scanner.error("the name of a file has no end", at: start)
      }
      return try ended(.file(path.isEmpty ? ImportedText("file") : templated(path, line)))
    }
    if let bytes = try scanner.encodedBytes() { return try ended(Self.body(of: bytes)) }
    guard Self.isJSON(rest) else { return nil }
    let start = scanner.position
    let text = try scanner.jsonText()
    let value = templated(text, line, isJSON: true)
    if rest.hasPrefix("{{") { return try ended(.text(value, type: nil)) }
    guard let json = ImportedValue(parsing: value) else {
      try checkJSON(value, at: start)
      return try ended(.text(value, type: "application/json"))
    }
    return try ended(.json(json))
  }

  private mutating func ended(_ body: HurlBody) throws(ImportError) -> HurlBody {
    try scanner.endLine()
    return body
  }

  private static func body(of bytes: [UInt8]) -> HurlBody {
    String(validating: bytes, as: UTF8.self).map { .text(ImportedText($0), type: nil) }
      ?? .bytes(bytes)
  }

  /// Returns true if a line starts a JSON value, instead of a name with its value.
  private static func isJSON(_ line: String) -> Bool {
    guard let first = line.utf8.first else { return false }
    if line.hasPrefix("{{"), let end = line.firstRange(of: "}}") {
      let rest = String(line[end.upperBound...]).trimmed
      return rest.isEmpty || rest.hasPrefix("#")
    }
    if "{[\"".utf8.contains(first) { return true }
    let word = line.prefix { $0 != " " && $0 != "#" }
    return ["true", "false", "null"].contains(String(word))
      || (first.isDigit || first == UInt8(ascii: "-"))
        && word.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
  }

  /// Refuses invalid JSON, but not JSON too large for a scenario.
  private func checkJSON(_ text: ImportedText, at start: Int) throws(ImportError) {
    guard text.literal != nil else { return }
    do throws(JSONError) {
      _ = try JSONParser.parse(Array(text.template.utf8)[...])
    } catch {
      if case .duplicate = error.reason { return }
      throw scanner.error(error.message, at: start + error.offset)
    }
  }

  private mutating func multiline(_ line: Int) throws(ImportError) -> HurlBody {
    let (language, content) = try scanner.multilineText()
    let words = language.split(separator: ",").map { String($0).trimmed }
    let isRaw = words.contains("novariable") || words.contains("raw")
    let written = words.contains("escape") ? try Self.unescaped(content) : content
    let text = isRaw ? ImportedText(content) : templated(written, line)
    switch words.first {
    // It is sent and compared as it is written, with its blanks and line ends.
    case "json": return try ended(.text(text, type: "application/json"))
    case "xml": return try ended(.text(text, type: "application/xml"))
    case "graphql": return try ended(.json(Self.graphQL(text)))
    case "base64":
      let digits = content.filter { !$0.isWhitespace }
      return try ended(Base64.decodeLeniently(digits).map(Self.body) ?? .text(text, type: nil))
    default: return try ended(.text(text, type: nil))
    }
  }

  /// Returns the sent JSON of a GraphQL query with its variables.
  private static func graphQL(_ text: ImportedText) -> ImportedValue {
    var (query, entries) = (text, [ImportedValue.Entry]())
    let lines = text.components(separatedBy: "\n")
    if let index = lines.firstIndex(where: { $0.beginning.hasPrefix("variables") }) {
      var rest = lines[index].dropFirst("variables".utf8.count)
      for line in lines[(index + 1)...] { rest.append(ImportedText("\n") + line) }
      if let variables = ImportedValue(parsing: rest) {
        query = ImportedText()
        for line in lines[..<index] { query.append(line + ImportedText("\n")) }
        entries = [.init(name: "variables", value: variables)]
      }
    }
    return .map([.init(name: "query", value: .text(query.trimmed))] + entries)
  }

  /// Returns the text of a multiline string with the hint `escape`.
  private static func unescaped(_ text: String) throws(ImportError) -> String {
    var scanner = HurlScanner(text)
    return try scanner.escaped(until: "")
  }
}

/// Bodies of requests.
extension HurlFile {
  mutating func field(_ name: String, _ value: String, _ line: Int) -> ImportedText {
    scenario.value(templated(value, line), of: name, line: line)
  }

  mutating func part(
    _ name: String, _ value: String, _ line: Int
  ) -> [ImportedValue.Entry] {
    let entry = ImportedValue.Entry(name: "name", value: .text(ImportedText(name)))
    guard value.hasPrefix("file,") else {
      return [entry, .init(name: "value", value: .text(field(name, value, line)))]
    }
    let parts = value.dropFirst(5).split(separator: ";", maxSplits: 1).map { String($0).trimmed }
    let path = templated(parts.first ?? "file", line)
    let file = ImportedValue.Entry(name: "file", value: .text(path))
    let given = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
    guard let type = given ?? path.literal.flatMap(Self.mediaType) else { return [entry, file] }
    return [entry, file, .init(name: "type", value: .text(ImportedText(type)))]
  }

  /// Returns the media type that Hurl gives to a file by its name, or nil for plain bytes.
  private static func mediaType(ofFile path: String) -> String? {
    switch path.split(separator: ".").last?.lowercased() {
    case "gif": "image/gif"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "txt": "text/plain"
    case "htm", "html": "text/html"
    case "pdf": "application/pdf"
    case "xml": "application/xml"
    default: nil
    }
  }

  mutating func setBody(
    _ body: HurlBody, of request: inout ImportedRequest, _ line: Int
  ) {
    switch body {
    case .json(let value):
      request.body = .json(scenario.json(value, line: line))
      let type = request.header("content-type")?.literal?.lowercased()
      if type == "application/json" { request.removeHeader("content-type") }
    case .text(let text, let type):
      request.body = .text(scenario.text(text, line: line).asText)
      if let type, request.header("content-type") == nil {
        request.addHeader("content-type", ImportedText(type))
      }
    case .file(let path): request.body = .file(path)
    case .bytes: scenario.leaveOut("a body of bytes that are not text", of: &request, line: line)
    }
  }
}
