internal import FlowRedaction
internal import FlowSystem

/// Reads a Hurl file: its entries become calls, captures expressions, asserts conditions.
struct HurlFile {
  var scenario = ImportedScenario()
  var scanner: HurlScanner
  /// The variables of templates: captures and the variables of options.
  var variables: [String: ImportedText] = [:]
  /// The known facts of captures, by their names.
  var captured: [String: HurlValue] = [:]
  /// The captures that could not be imported.
  var unreadable: Set<String> = []
  /// The names of the variables that steps set.
  var variableNames: Set<String> = []
  /// The steps before the present entry.
  var preparations: [ImportedRequest.Preparation] = []
  /// The ids of the steps read by expressions.
  var readIDs: Set<String> = []
  /// True if the present entry asks for a compressed answer or expects one.
  var expectsCodings = false
  /// The indices of the requests that do.
  private var coded: Set<Int> = []
  /// The user of the present entry, with the way in which a server sees it.
  var login = HurlLogin()
  /// The names of the variables compared with null, whose text is `null`.
  private(set) var nullNames: Set<String> = []
  /// The values of inputs in the settings of components, by the names of the settings.
  private var givenSettings: [String: [ImportedText]] = [:]
  /// The number of lines with an ignored HTTP version, and the first of them.
  private var versions = (count: 0, line: 0)

  /// Reads all requests of a file.
  ///
  /// - Throws: `ImportError` for a file that Hurl itself would refuse.
  static func read(_ text: String) throws(ImportError) -> ImportedScenario {
    var file = HurlFile(scanner: HurlScanner(text))
    file.nullNames = Self.nullNames(in: text)
    while file.scanner.skipEmptyLines() { try file.entry() }
    file.noteVersions()
    file.scenario.lastComments = file.comments()
    file.scenario.acceptNoCodings(except: file.coded)
    return file.scenario
  }

  private mutating func noteVersions() {
    guard versions.count > 0 else { return }
    let answers = versions.count == 1 ? "1 response" : "\(versions.count) responses"
    scenario.note(versions.line, "the version of HTTP is not compared (\(answers))")
  }

  /// Returns the comments since the last call, without secrets.
  private mutating func comments() -> [String] {
    let written = scanner.takeComments()
    for comment in written where comment.trimmed.hasPrefix("@cookie_storage_") {
      scenario.note(scanner.line(), "a comment that changes the stored cookies is not supported")
    }
    return written.compactMap { comment in
      let parts = SecretText(ImportedText(comment)).parts
      return parts.map { $0.secret == nil ? $0.text.literal ?? "" : "…" }.joined()
    }
  }

  // MARK: - Entries

  private mutating func entry() throws(ImportError) {
    let line = scanner.line()
    let comments = comments()
    // A left out request also loses its reads and its captures.
    let before = presetVariables() ? (scenario, variables, preparations) : nil
    let method = Self.method(of: scanner.restOfLine)
    guard !method.isEmpty else { throw scanner.error("expected a method and a URL") }
    scanner.advance(method.utf8.count)
    scanner.skipBlanks()
    let start = scanner.position
    let written = try scanner.escaped(until: "#\n").trimmed
    guard !written.isEmpty else { throw scanner.error("expected a URL", at: start) }
    scanner.skipLine()
    var request = ImportedRequest(line: line, method: method, url: ImportedText())
    request.settings.follow = false
    let (url, user) = scenario.url(templated(written, line), line: line)
    request.url = url
    if let user { scenario.authenticate(user, of: &request, line: line) }
    request.id = scenario.newID(of: request)
    request.remarks = comments
    var isSkipped = false
    (expectsCodings, login) = (false, HurlLogin())
    try requestParts(&request, &isSkipped)
    identify(&request)
    route(&request)
    if scanner.skipEmptyLines(), Self.isResponse(scanner.restOfLine) { try response(&request) }
    if isSkipped {
      if let before { (scenario, variables, preparations) = before }
      readIDs = []
      return scenario.note(line, "the request is left out, since its options skip it")
    }
    readInputs(inSettingsOf: &request)
    leaveOutRepetition(of: &request)
    leaveOutOutput(of: &request)
    (request.preparations, preparations) = (preparations, [])
    if expectsCodings { coded.insert(scenario.requests.count) }
    try scenario.append(request)
    for id in readIDs { scenario.keepID(id) }
    readIDs = []
  }

  /// Has settings read inputs in the place of answers, since components are opened before the first step.
  private mutating func readInputs(inSettingsOf request: inout ImportedRequest) {
    for setting in request.settings.others where setting.value.readsSteps(or: variableNames) {
      let given = givenSettings[setting.name, default: []]
      let place = given.firstIndex(of: setting.value) ?? given.count
      if place == given.count { givenSettings[setting.name] = given + [setting.value] }
      let input = scenario.input(place == 0 ? setting.name : "\(setting.name)_\(place + 1)")
      let name = input.code.dropFirst("inputs.".utf8.count)
      scenario.note(
        request.line,
        "a component cannot read an answer; its '\(setting.name)' is the input '\(name)'")
      request.settings.set(setting.name, input)
      // A UUID made only for the setting is of no use.
      let known = variables.values.map(\.code)
      preparations.removeAll { preparation in
        let uuid = Self.uuid(preparation.id)
        return setting.value.code.contains(uuid) && !known.contains(uuid)
      }
    }
  }

  /// Returns the method of a line that starts a request, or an empty string for any other line.
  static func method(of line: String) -> String {
    let method = line.prefix { "A"..."Z" ~= $0 }
    let rest = line.dropFirst(method.count)
    guard rest.first == " " || rest.first == "\t", !isResponse(line) else { return "" }
    return String(rest).trimmed.hasPrefix(":") ? "" : String(method)
  }

  static func isResponse(_ line: String) -> Bool {
    guard line.hasPrefix("HTTP") else { return false }
    let next = line.dropFirst(4).first
    return next == nil || next == "/" || next == " " || next == "\t"
  }

  private mutating func requestParts(
    _ request: inout ImportedRequest, _ isSkipped: inout Bool
  ) throws(ImportError) {
    var section = ""
    while scanner.skipEmptyLines() {
      let rest = scanner.restOfLine
      if Self.isResponse(rest) || !Self.method(of: rest).isEmpty { return }
      if let name = try self.section(rest, ofAnswer: false) {
        section = name
        continue
      }
      let line = scanner.line()
      request.remarks += comments()
      if let body = try body() {
        setBody(body, of: &request, line)
        continue
      }
      let (written, value) = try keyValue()
      let isUser = section == "BasicAuth"
      guard let name = isUser ? written : name(written, line) else {
        let message = "names with templates are not supported"
        scenario.note(line, message)
        request.remarks.append("line \(line): \(message)")
        continue
      }
      switch section {
      case "": header(name, value, of: &request, line: line)
      case "Options": isSkipped = try option(name, value, of: &request, line: line) || isSkipped
      default: try parameter(in: section, name, value, of: &request, line: line)
      }
    }
  }

  private static let sections: [String: String] = [
    "QueryStringParams": "Query", "Query": "Query", "FormParams": "Form", "Form": "Form",
    "MultipartFormData": "Multipart", "Multipart": "Multipart", "Cookies": "Cookies",
    "BasicAuth": "BasicAuth", "Options": "Options", "Captures": "Captures", "Asserts": "Asserts",
  ]

  /// Takes the line of a section and answers its name.
  private mutating func section(
    _ line: String, ofAnswer isAnswer: Bool
  ) throws(ImportError) -> String? {
    let text = (line.split(separator: "#").first.map(String.init) ?? line).trimmed
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let name = String(text.dropFirst().dropLast())
    guard name.isName, !["true", "false", "null"].contains(name) else { return nil }
    guard let section = Self.sections[name] else {
      let known = Self.sections.keys.sorted().joined(separator: ", ")
      throw scanner.error("unknown section '[\(name.prefix(40))]'; there are \(known)")
    }
    guard isAnswer == (section == "Asserts" || section == "Captures") else {
      throw scanner.error("'[\(name)]' is only allowed \(isAnswer ? "before" : "after") 'HTTP'")
    }
    scanner.skipLine()
    return section
  }

  /// Takes `key: value` with the rest of its line.
  private mutating func keyValue() throws(ImportError) -> (name: String, value: String) {
    let start = scanner.position
    let name = try scanner.escaped(until: ":#\n").trimmed
    guard scanner.take(":"), !name.isEmpty else {
      throw scanner.error("expected 'name: value', a section, a body or 'HTTP'", at: start)
    }
    let value = try scanner.escaped(until: "#\n").trimmed
    scanner.skipLine()
    return (name, value)
  }

  // MARK: - Requests

  private mutating func header(
    _ name: String, _ value: String, of request: inout ImportedRequest, line: Int
  ) {
    if name.lowercased() == "accept-encoding" { expectsCodings = true }
    scenario.addHeader(name, templated(value, line), to: &request, line: line)
  }

  private mutating func parameter(
    in section: String, _ name: String, _ value: String, of request: inout ImportedRequest,
    line: Int
  ) throws(ImportError) {
    guard section != "Query" || name.isShortName else {
      return scenario.leaveOut("a name of more than 200 bytes", of: &request, line: line)
    }
    switch section {
    case "Query":
      let text = scenario.value(templated(value, line), of: name, in: .parameter, line: line)
      request.query.append((name, text))
    case "Cookies":
      let cookie = ImportedText(name + "=") + templated(value, line)
      request.addHeader("cookie", scenario.header("cookie", cookie, line: line))
    case "BasicAuth":
      let user = templated(name, line) + ImportedText(":") + templated(value, line)
      scenario.authenticate(.init(text: user), of: &request, line: line)
    case "Form": request.body.add(name, field(name, value, line))
    case "Multipart": request.body.add(part: .map(part(name, value, line)))
    default: break
    }
  }

  // MARK: - Answers

  private mutating func response(_ request: inout ImportedRequest) throws(ImportError) {
    let line = scanner.line()
    let words = try scanner.escaped(until: "#\n").split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard words.count == 2, words[1] == "*" || Int(words[1]) != nil else {
      throw scanner.error("expected 'HTTP' and a status, such as 'HTTP 200'")
    }
    scanner.skipLine()
    if words[0] != "HTTP", words[0] != "HTTP/*" {
      if versions.count == 0 { versions.line = line }
      versions.count += 1
    }
    if words[1] != "*" { request.expect("status", .number(String(Int(words[1]) ?? 0))) }
    var section = ""
    while scanner.skipEmptyLines() {
      let rest = scanner.restOfLine
      if Self.isResponse(rest) { throw scanner.error("a request can have only one response") }
      if !Self.method(of: rest).isEmpty { return }
      if let name = try self.section(rest, ofAnswer: true) {
        section = name
      } else {
        try responsePart(section, &request)
      }
    }
  }

  private mutating func responsePart(
    _ section: String, _ request: inout ImportedRequest
  ) throws(ImportError) {
    let line = scanner.line()
    for comment in comments() { request.remark(comment) }
    if let body = try body() { return expect(body, of: &request, line) }
    switch section {
    case "Asserts": try assert(&request, line)
    case "Captures": try capture(&request, line)
    case "":
      let (name, value) = try keyValue()
      expectHeader(name, templated(value, line), of: &request, line)
    default: break
    }
  }

  private mutating func expectHeader(
    _ name: String, _ value: ImportedText, of request: inout ImportedRequest, _ line: Int
  ) {
    let key = name.lowercased()
    judge(header: key, isExpected: true)
    let text =
      key == "set-cookie"
      ? scenario.setCookie(value, line: line)
      : scenario.compared(value, of: name, line: line).asText
    let field = "\(request.subject).headers[\(key.celLiteral)]"
    switch key {
    case "set-cookie": request.demand("\(text.code) in \(field).split('\\n')")
    case "date": request.demand("\(request.subject).date == \(text.code)")
    case _ where Self.singleHeaders.contains(key) || text.literal?.contains(", ") ?? false:
      request.demand(
        "\(field) == \(text.code)", equality: (place: ["headers", key], value: .text(text)))
    // A header may be sent several times, and one of them has to be this one.
    default:
      let value = ImportedText(expression: "\(text.code) in it.split(', ')")
      request.demand(
        "\(text.code) in \(field).split(', ')",
        equality: (place: ["headers", key], value: .text(value)))
    }
  }

  /// The headers that a server sends once.
  private static let singleHeaders: Set<String> = [
    "content-type", "content-length", "content-encoding", "location", "etag", "last-modified",
    "expires", "age", "retry-after",
  ]

  private mutating func expect(
    _ body: HurlBody, of request: inout ImportedRequest, _ line: Int
  ) {
    switch body {
    case .json(let value): expect(value, of: &request, line)
    case .text(let text, _):
      // A body of bytes has an empty text.
      if text.literal?.isEmpty ?? true { request.demand(HurlQuery.hasText(request.subject)) }
      request.expect("text", .text(scenario.text(text, line: line).asText))
    case .bytes(let bytes): request.demand("\(request.subject).bytes == \(bytes.celLiteral)")
    case .file(let path):
      request.demand("\(HurlQuery(subject: request.subject).content) == \(file(path))")
    }
  }

  /// Expects exactly this body.
  ///
  /// A body too large for an expression may have more members.
  private mutating func expect(
    _ value: ImportedValue, of request: inout ImportedRequest, _ line: Int
  ) {
    let value = scenario.json(value, line: line)
    if value.hasMap, value.depth > 40 || value.exactCode.utf8.count > 40_000 {
      let message = "this body is compared in part: additional members are accepted"
      scenario.note(line, message)
      request.remarks.append("line \(line): \(message)")
      return request.expect("json", value)
    }
    request.expect("json", value, isExact: value.hasMap)
  }
}

extension ImportedText {
  /// Returns true if an expression reads the answer of a step or one of these variables.
  fileprivate func readsSteps(or variables: Set<String>) -> Bool {
    pieces.contains { piece in
      guard case .expression(let code) = piece else { return false }
      let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
      return code.contains("steps.") || words.contains { variables.contains(String($0)) }
    }
  }
}

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
    case .bytes(let bytes): scenario.setBody(bytes: bytes, of: &request, line: line)
    }
  }
}
