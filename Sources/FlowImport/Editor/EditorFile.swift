internal import FlowSystem

/// Reads a file of requests of an editor: `.http` or `.rest` of VS Code, JetBrains and Visual
/// Studio.
///
/// The requests are converted to a collection in Postman's form.
struct EditorFile {
  /// A line of the file with its number, from 1.
  typealias Line = (number: Int, text: String)

  private var lines: ArraySlice<Line>
  private var variables: [PlacedJSON] = []
  private var values: [String: String] = [:]
  private var items: [PlacedJSON] = []
  /// The parts that belong to no request.
  private(set) var notes: [ImportNote] = []

  /// Reads the requests of a file with `offset` lines of other files before it.
  ///
  /// - Throws: `ImportError` for a line that is no part of a request.
  static func read(_ text: String, offset: Int = 0) throws(ImportError) -> EditorFile {
    var file = EditorFile(text, offset: offset)
    while !file.lines.isEmpty { try file.request() }
    return file
  }

  private init(_ text: String, offset: Int) {
    let written = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    lines = written.enumerated().map { ($0.offset + 1 + offset, String($0.element)) }[...]
  }

  /// The requests as a folder of a collection.
  func folder(named name: String) -> PlacedJSON {
    .object(
      [
        "name": .text(name, 1), "variable": .list(variables, 1), "item": .list(items, 1),
        "leftOut": leftOut,
      ], 1)
  }

  private var leftOut: PlacedJSON { .list(notes.map { .text($0.message, $0.line) }, 1) }

  /// The requests as a collection.
  func collection(named name: String) -> PlacedJSON {
    .object(
      [
        "info": .object(["name": .text(name, 1)], 1), "variable": .list(variables, 1),
        "item": .list(items, 1), "leftOut": leftOut,
      ], 1)
  }

  /// Returns true for the name of such a file.
  static func isName(_ path: String) -> Bool {
    ["http", "rest"].contains(path.split(separator: ".").last?.lowercased())
  }

  /// Returns true for a text with a line that separates requests.
  static func isEditorFile(_ text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      line.hasPrefix("###") || line.hasPrefix("# @name ") || line.hasPrefix("// @name ")
    }
  }

  // MARK: - Requests

  private static func isSeparator(_ text: String) -> Bool { text.hasPrefix("###") }

  /// Takes the lines of one request, from the separator before it.
  private mutating func request() throws(ImportError) {
    var request = EditorRequest()
    while let line = lines.first, Self.isSeparator(line.text) {
      let title = line.text.drop { $0 == "#" || $0 == " " }
      if !title.isEmpty { request.title = String(title.drop(while: \.isWhitespace)).withoutFrame }
      lines.removeFirst()
    }
    try head(&request)
    guard !request.address.isEmpty else { return }
    query(&request)
    headers(&request)
    let body = self.body(&request)
    request.body = body
    items.append(request.item)
  }

  /// Takes the lines up to the address.
  private mutating func head(_ request: inout EditorRequest) throws(ImportError) {
    while let line = lines.first, !Self.isSeparator(line.text) {
      lines.removeFirst()
      let text = line.text.trimmed
      if text.isEmpty { continue }
      if text.hasPrefix("#") || text.hasPrefix("//") {
        directive(String(text.drop { $0 == "#" || $0 == "/" }).trimmed, line.number, &request)
      } else if text.hasPrefix("@") {
        try variable(String(text.dropFirst()), line.number)
      } else if text.hasPrefix("< {%") {
        request.scripts.append((script(after: line, "< {%"), true, line.number))
      } else if text.hasPrefix("<") {
        request.leftOut.append((line.number, "a script in a file"))
      } else if text.hasPrefix("import ") || text.hasPrefix("run ") {
        notes.append(
          ImportNote(line: line.number, message: "'\(text.prefix(40))' is not supported"))
      } else {
        return address(text, line.number, &request)
      }
    }
  }

  /// Reads a comment that says something of the request, such as `@name login`.
  private mutating func directive(
    _ text: String, _ line: Int, _ request: inout EditorRequest
  ) {
    guard text.hasPrefix("@") else { return }
    let words = text.dropFirst().split(maxSplits: 1) { $0 == " " || $0 == "=" || $0 == "\t" }
    let value = words.count > 1 ? String(words[1]).trimmed : ""
    switch words.first {
    case "name": request.name = value
    case "no-redirect": request.follows = false
    case "no-auto-encoding": request.keepsPath = true
    case "connection-timeout" where Self.duration(value) != nil:
      request.connectTimeout = Self.duration(value)
    case "no-log", "note", "title", "description", "prompt": break
    case let word?:
      request.leftOut.append((line, "the directive '@\(String(word.prefix(40)))'"))
    case nil: break
    }
  }

  /// Returns the duration of `5`, in seconds, or of `500 ms`, or nil.
  private static func duration(_ text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = String(text.dropFirst(digits.count)).trimmed
    guard let count = Int32(digits), count > 0, ["", "ms", "s", "m"].contains(unit) else {
      return nil
    }
    return "\(count)\(unit.isEmpty ? "s" : unit)"
  }

  private mutating func variable(_ text: String, _ line: Int) throws(ImportError) {
    guard let sign = text.firstIndex(of: "=") else {
      throw ImportError(line: line, column: 1, message: "expected '@name = value'")
    }
    let name = String(text[..<sign]).trimmed
    let value = String(text[text.index(after: sign)...]).trimmed
    if let known = values[name], known != value {
      notes.append(
        ImportNote(
          line: line,
          message: "the variable '\(name.onOneLine)' has another value before; this one counts"))
    }
    values[name] = value
    variables.append(.pair(name, value, line))
  }

  private static let methods: Set<String> = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "GRAPHQL",
    "QUERY", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "SEARCH",
    "WEBSOCKET", "GRPC", "RSOCKET", "WSS", "WS", "SSE", "MQTT", "AMQP", "LIST", "PURGE",
  ]

  private func address(_ text: String, _ line: Int, _ request: inout EditorRequest) {
    var text = text
    request.line = line
    let first = text.prefix { $0 != " " && $0 != "\t" }
    if Self.methods.contains(first.uppercased()) {
      request.method = first.uppercased()
      text = String(text.dropFirst(first.count)).trimmed
    }
    request.address = Self.withoutVersion(text)
  }

  /// Takes the further lines of an address.
  private mutating func query(_ request: inout EditorRequest) {
    while let line = lines.first, line.text.first == " " || line.text.first == "\t" {
      let text = line.text.trimmed
      if text.isEmpty { break }
      lines.removeFirst()
      if text.hasPrefix("#") || text.hasPrefix("//") { continue }
      request.address += text
    }
    request.address = Self.withoutVersion(request.address)
  }

  /// Returns an address without the version behind it, such as `HTTP/2 (Prior Knowledge)`.
  private static func withoutVersion(_ text: String) -> String {
    text.ranges(of: " HTTP/").last.map { String(text[..<$0.lowerBound]).trimmed } ?? text
  }

  private mutating func headers(_ request: inout EditorRequest) {
    while let line = lines.first, !Self.isSeparator(line.text), !line.text.trimmed.isEmpty {
      let text = line.text.trimmed
      if Self.isHandler(text) { return }
      lines.removeFirst()
      if text.hasPrefix("#") || text.hasPrefix("//") { continue }
      guard let colon = text.firstIndex(of: ":") else {
        request.leftOut.append((line.number, "a line between the headers"))
        continue
      }
      request.headers.append(
        (
          String(text[..<colon]).trimmed, String(text[text.index(after: colon)...]).trimmed,
          line.number
        ))
    }
  }

  // MARK: - Bodies

  private static func isHandler(_ text: String) -> Bool {
    text.hasPrefix("> ") || text.hasPrefix(">> ") || text.hasPrefix(">>! ")
      || text.hasPrefix("<> ") || text.hasPrefix(">{%")
  }

  /// Takes the lines of a body and what stands behind it.
  private mutating func body(_ request: inout EditorRequest) -> [Line] {
    var body: [Line] = []
    while let line = lines.first, !Self.isSeparator(line.text) {
      lines.removeFirst()
      let text = line.text.trimmed
      if Self.isHandler(text) {
        handler(line, &request)
      } else {
        body.append(line)
      }
    }
    while let last = body.last, last.text.trimmed.isEmpty { body.removeLast() }
    return Array(body.drop { $0.text.trimmed.isEmpty })
  }

  private mutating func handler(_ line: Line, _ request: inout EditorRequest) {
    let text = line.text.trimmed
    if text.hasPrefix("> {%") || text.hasPrefix(">{%") {
      let start = text.hasPrefix(">{%") ? ">{%" : "> {%"
      request.scripts.append((script(after: line, start), false, line.number))
    } else if text.hasPrefix(">>") {
      request.leftOut.append((line.number, "the file for the answer"))
    } else if text.hasPrefix("> ") {
      request.leftOut.append((line.number, "a script in a file"))
    } else if text.hasPrefix("<> ") {
      request.savedAnswers.append(line.number)
    }
  }

  /// Takes a script up to `%}`.
  private mutating func script(after line: Line, _ start: String) -> String {
    var code = String(line.text.trimmed.dropFirst(start.count))
    while code.firstRange(of: "%}") == nil, let next = lines.first {
      lines.removeFirst()
      code += "\n" + next.text
    }
    return code.firstRange(of: "%}").map { String(code[..<$0.lowerBound]) } ?? code
  }
}

extension String {
  /// The text without the signs that frame it in a comment.
  fileprivate var withoutFrame: String {
    var text = self[...]
    while let last = text.last, last == "#" || last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
