package import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// Reads the recording of a browser, HAR 1.2: every request over HTTP with the status of its answer.
struct HARFile {
  private var scenario = ImportedScenario()
  /// The names of the cookies set by responses, by host, since a component keeps them itself.
  private var cookies: [String: Set<String>] = [:]
  /// The answers of the requests, or nil if they are not asked for.
  private var answers: [RecordedAnswer]?
  /// The line of the first answer.
  private var firstAnswer: Int?
  /// The values of answers that requests read, or nil if requests stay as they are.
  private var repeated: RepeatedValues?
  private var skipped: (count: Int, line: Int, kinds: [String]) = (0, 0, [])

  /// Reads the requests of a file in the order in which they were made, and their answers if these
  /// are to be recorded.
  ///
  /// Secrets of answers are hidden in the requests in any case. With `readingAnswers`, requests read
  /// what earlier answers have made.
  ///
  /// - Throws: `ImportError` for invalid JSON, without `log.entries`, and for an entry without a
  ///   request.
  static func read(
    _ text: String, hidingAnswers: Bool = false, readingAnswers: Bool = false
  ) throws(ImportError) -> (ImportedScenario, [RecordedAnswer]) {
    let bytes = Array(text.utf8)
    var file = HARFile()
    if readingAnswers { file.repeated = RepeatedValues() }
    if hidingAnswers { file.answers = [] }
    var entries: [HAREntries.Entry]
    do throws(JSONError) {
      var reader = HAREntries(bytes)
      entries = try reader.read()
    } catch {
      throw ImportError(at: error.offset, in: bytes, error.message)
    }
    let times = entries.map { Timestamp($0.json["startedDateTime"]?.string ?? "") }
    if !times.contains(nil) {
      let order = entries.indices.sorted { left, right in
        guard let first = times[left], let second = times[right], first != second else {
          return left < right
        }
        return first < second
      }
      entries = order.map { entries[$0] }
    }
    for entry in entries { try file.read(entry) }
    file.noteSkipped()
    if !hidingAnswers { file.noteAnswers() }
    return (file.scenario, file.answers ?? [])
  }

  private mutating func noteSkipped() {
    guard skipped.count > 0 else { return }
    let entries =
      skipped.count == 1
      ? "1 entry that is not an HTTP request"
      : "\(skipped.count) entries that are not HTTP requests"
    let kinds = skipped.kinds.joined(separator: ", ")
    scenario.note(skipped.line, "skipped \(entries) (\(kinds))")
  }

  /// Notes the answers that only a transcript would have.
  private mutating func noteAnswers() {
    guard let line = firstAnswer else { return }
    scenario.note(
      line, "only the status of the answers is expected; '--transcript' records the rest of them")
  }

  private mutating func skip(_ kind: String, line: Int) {
    if skipped.count == 0 { skipped.line = line }
    skipped.count += 1
    if !skipped.kinds.contains(kind), skipped.kinds.count < 8 { skipped.kinds.append(kind) }
  }

  private mutating func read(_ entry: HAREntries.Entry) throws(ImportError) {
    let json = entry.json["request"]
    guard let json, let method = json["method"]?.string, let address = json["url"]?.string else {
      throw ImportError(
        line: entry.line, column: 1, message: "the entry has no request with 'method' and 'url'")
    }
    let scheme = address.prefix { $0 != ":" }.lowercased()
    let kind = entry.json["_resourceType"]?.string
    guard scheme == "http" || scheme == "https" else {
      return skip("\(scheme.prefix(20)):", line: entry.line)
    }
    guard kind != "websocket", kind != "preflight" else {
      return skip(kind ?? "", line: entry.line)
    }
    let plainAddress = String(address.prefix { $0 != "#" })
    let answer = HARAnswer(entry, url: plainAddress)
    if answers != nil, answer == nil {
      return scenario.note(entry.line, "the request has no response, so it is left out")
    }
    let isPlain = !method.isEmpty && method.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    var request = ImportedRequest(
      line: entry.line, method: isPlain ? method : "GET", url: ImportedText())
    request.settings.follow = false
    if !isPlain { scenario.leaveOut("the method of this request", of: &request, line: entry.line) }
    let sent = repeated?.address(plainAddress) ?? ImportedText(plainAddress)
    let (url, user) = scenario.url(sent, line: entry.line)
    request.url = url
    if let user { scenario.authenticate(user, of: &request, line: entry.line) }
    let host = String(address.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) })
    headers(json, of: &request, host: host)
    if !address.contains("?") { query(json, of: &request) }
    if let data = json["postData"] { body(data, of: &request) }
    status(entry.json["response"], of: &request, host: host)
    request.id = scenario.newID(of: request)
    if let answer { add(answer, to: &request) }
    try scenario.append(request)
    for id in repeated?.takeRead() ?? [] { scenario.keepID(id) }
    if let answer { repeated?.learn(answer.recorded.value, of: request.id) }
  }

  private mutating func add(_ answer: HARAnswer, to request: inout ImportedRequest) {
    // A later request may send one of them.
    for secret in answer.secrets {
      scenario.know(secret: secret.value, named: secret.name, line: request.line)
    }
    guard answers != nil else { return }
    answers?.append(answer.recorded)
    for note in answer.notes { scenario.note(request.line, note) }
    for place in answer.places { request.hide(place) }
  }

  private mutating func query(_ json: JSON, of request: inout ImportedRequest) {
    for (name, value) in Self.pairs(json["queryString"]) {
      guard name.isShortName else {
        scenario.leaveOut("a name of more than 200 bytes", of: &request, line: request.line)
        continue
      }
      let text = scenario.value(
        ImportedText(value), of: name, in: .parameter, line: request.line)
      request.query.append((name, text))
    }
  }

  // MARK: - Headers

  private static let ownHeaders: Set<String> = [
    "host", "content-length", "connection", "accept-encoding", "keep-alive", "te", "priority",
    "transfer-encoding", "upgrade-insecure-requests", "proxy-connection",
  ]

  static func pairs(_ json: JSON?) -> [(name: String, value: String)] {
    guard case .array(let elements)? = json else { return [] }
    return elements.compactMap { element in
      guard let name = element["name"]?.string, !name.isEmpty else { return nil }
      return (name, element["value"]?.string ?? "")
    }
  }

  private mutating func headers(
    _ json: JSON, of request: inout ImportedRequest, host: String
  ) {
    for (name, value) in Self.pairs(json["headers"]) {
      let lower = name.lowercased()
      if lower.hasPrefix(":") || lower.hasPrefix("sec-") || lower == "cookie" { continue }
      if Self.ownHeaders.contains(lower) { continue }
      let text = repeated?.header(value.onOneLine) ?? ImportedText(value.onOneLine)
      scenario.addHeader(lower, text, to: &request, line: request.line)
    }
    let given = Self.pairs(json["headers"]).filter { $0.name.lowercased() == "cookie" }
    var pairs = Self.pairs(json["cookies"])
    if pairs.isEmpty {
      pairs = given.flatMap { $0.value.split(separator: ";") }.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]).trimmed, parts.count == 2 ? String(parts[1]).trimmed : "")
      }
    }
    let known = cookies[host] ?? []
    let sent = pairs.filter { !known.contains($0.name) }.map { "\($0.name)=\($0.value)" }
    if sent.isEmpty { return }
    let cookie = ImportedText(sent.joined(separator: "; ").onOneLine)
    request.addHeader("cookie", scenario.header("cookie", cookie, line: request.line))
  }

  private mutating func status(
    _ json: JSON?, of request: inout ImportedRequest, host: String
  ) {
    for (name, value) in Self.pairs(json?["headers"]) where name.lowercased() == "set-cookie" {
      for line in value.split(whereSeparator: \.isNewline) {
        cookies[host, default: []].insert(String(line.prefix { $0 != "=" }).trimmed)
      }
    }
    guard case .number(let text)? = json?["status"], let status = Int(text), 100...999 ~= status
    else {
      return scenario.note(request.line, "the request has no response, so no status is expected")
    }
    request.expect("status", .number(String(status)))
    if firstAnswer == nil { firstAnswer = request.line }
  }

  // MARK: - Bodies

  private mutating func body(_ data: JSON, of request: inout ImportedRequest) {
    let type = data["mimeType"]?.string ?? request.header("content-type")?.literal ?? ""
    let media = type.prefix { $0 != ";" }.lowercased()
    let text: String
    switch Self.content(of: data) {
    case .text(let content): text = content
    case .bytes(let bytes):
      return scenario.setBody(bytes: bytes, of: &request, line: request.line)
    case nil: return scenario.leaveOut("a body of bytes", of: &request, line: request.line)
    }
    if media == "multipart/form-data" {
      multipart(data, text, type, of: &request)
    } else if !text.isEmpty {
      scenario.setBody(
        repeated?.body(text, media: media) ?? ImportedText(text), type: type.isEmpty ? nil : type,
        of: &request, line: request.line)
    } else {
      let fields = Self.pairs(data["params"]).map { name, value in
        let decoded = value.formDecoded ?? value
        return (
          name: name.formDecoded ?? name,
          value: scenario.value(ImportedText(decoded), of: name, line: request.line)
        )
      }
      scenario.setForm(fields, of: &request)
    }
    if case .form = request.body { request.removeHeader("content-type") }
  }

  private enum Content {
    case text(String)
    case bytes([UInt8])
  }

  /// Returns the text of a body, or its bytes if they are not text.
  ///
  /// Nil for a body that is broken, or that the browser has not kept as bytes.
  private static func content(of data: JSON) -> Content? {
    let text = data["text"]?.string ?? ""
    func isBinary(_ text: String) -> Bool {
      text.utf8.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
    }
    guard data["encoding"]?.string == "base64" else {
      return isBinary(text) ? nil : .text(text)
    }
    guard let bytes = Base64.decodeLeniently(text.filter { !$0.isWhitespace }) else { return nil }
    guard let decoded = String(validating: bytes, as: UTF8.self), !isBinary(decoded) else {
      return .bytes(bytes)
    }
    return .text(decoded)
  }

  private mutating func multipart(
    _ data: JSON, _ text: String, _ type: String, of request: inout ImportedRequest
  ) {
    var parts: [JSON] = []
    if case .array(let params)? = data["params"] { parts = params }
    if parts.isEmpty { parts = MultipartText(text, type: type).parts }
    request.body = .multipart(
      parts.compactMap { part in
        guard let name = part["name"]?.string else { return nil }
        return .map(self.part(part, name, request.line))
      })
    // The boundary is another one whenever it is sent.
    request.removeHeader("content-type")
    if parts.isEmpty {
      request.body = .none
      scenario.leaveOut("a form with files", of: &request, line: request.line)
    }
  }

  private mutating func part(_ part: JSON, _ name: String, _ line: Int) -> [ImportedValue.Entry] {
    var entries: [ImportedValue.Entry] = [.init(name: "name", value: .text(ImportedText(name)))]
    if let file = part["fileName"]?.string, !file.isEmpty {
      // The name for the server may have folders of another machine.
      let own = String(file.split { $0 == "/" || $0 == "\\" }.last ?? "file").onOneLine
      if repeated != nil, let content = part["value"]?.string {
        if let other = scenario.files.updateValue(content, forKey: own), other != content {
          scenario.note(line, "several files are called '\(own)'; the last one is kept")
        }
      } else {
        scenario.note(
          line, "put the file '\(own)' into the scenario's folder; its content is not copied")
      }
      entries.append(.init(name: "file", value: .text(ImportedText(own))))
      if own != file {
        entries.append(.init(name: "filename", value: .text(ImportedText(file))))
      }
    } else {
      let value = ImportedText(part["value"]?.string ?? "")
      entries.append(
        .init(name: "value", value: .text(scenario.value(value, of: name, line: line))))
    }
    if let type = part["contentType"]?.string, !type.isEmpty {
      entries.append(.init(name: "type", value: .text(ImportedText(type))))
    }
    return entries
  }
}

/// The answer to a request in a recording, as the plugin `http` would have returned it.
package struct RecordedAnswer: Sendable {
  /// The line of its entry, from 1.
  package let line: Int
  /// The fields of the answer by their names.
  package let value: Value
  /// The secrets in it that no step can name, with a name for each.
  package let secrets: [(name: String, value: String)]
}

/// Reads the answer of an entry in a HAR file, and finds its secrets.
struct HARAnswer {
  /// The most parts of one answer that a step names as secret.
  private static let mostPlaces = 40

  /// The parts of the answer to hide, as `secret` of a step names them.
  private(set) var places: [String] = []
  private(set) var notes: [String] = []
  /// All secrets in the answer.
  private(set) var secrets: [(name: String, value: String)] = []
  /// The secrets that no place names.
  private var unplaced: [(name: String, value: String)] = []
  private var fields: [(String, Value)] = []
  private let line: Int

  /// Nil for an entry without a response.
  init?(_ entry: HAREntries.Entry, url: String) {
    line = entry.line
    let response = entry.json["response"]
    guard case .number(let text)? = response?["status"], let status = Int(text),
      100...999 ~= status
    else { return nil }
    fields = [("status", .int(status)), ("url", .string(url))]
    let date = headers(HARFile.pairs(response?["headers"]))
    fields.append(("date", .string(date)))
    fields.append(("elapsed", .duration(Self.time(entry.json["time"]))))
    fields += [("trailers", .null), ("problem", .null)]
    let isHead = entry.json["request"]?["method"]?.string?.uppercased() == "HEAD"
    let isEmpty = isHead || status < 200 || status == 204 || status == 304
    body(response?["content"], isEmpty: isEmpty)
  }

  var recorded: RecordedAnswer {
    RecordedAnswer(line: line, value: .map(ValueMap(fields)), secrets: unplaced)
  }

  private static func time(_ json: JSON?) -> Duration {
    guard case .number(let text)? = json, let time = Double(text), 0...86_400_000 ~= time else {
      return .zero
    }
    return .milliseconds(Int(time))
  }

  // MARK: - Headers

  /// Adds the headers, and returns the date.
  private mutating func headers(_ pairs: [(name: String, value: String)]) -> String {
    var (date, names, values) = ("", [String](), [String: String]())
    for (name, value) in pairs where name.isHeaderName {
      let key = name.lowercased()
      if key == "date" {
        date = value
        continue
      }
      let separator = key == "set-cookie" ? "\n" : ", "
      if let known = values[key] {
        values[key] = known + separator + value
      } else {
        names.append(key)
        values[key] = value
      }
    }
    for name in names { hide(header: name, values[name] ?? "") }
    let headers = names.map { ($0, Value.string(values[$0] ?? "")) }
    fields.append(("headers", .map(ValueMap(headers))))
    return date
  }

  private mutating func hide(header name: String, _ value: String) {
    let isSecret =
      name == "set-cookie" || CredentialNames.isSecret(name, holding: value, in: .parameter)
    guard isSecret || Self.hasSecret(value) else { return }
    let isName = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }
    hide(value, named: name, at: isName ? "headers.\(name)" : nil)
  }

  private static func hasSecret(_ text: String) -> Bool {
    SecretText(ImportedText(text)).parts.contains {
      $0.secret != nil && $0.text.written.canBeHidden
    }
  }

  private mutating func hide(_ value: String, named name: String, at place: String?) {
    guard value.canBeHidden else { return }
    let secret = (name: name.lowercased().scenarioName(or: "secret"), value: value)
    secrets.append(secret)
    if let place, places.count < Self.mostPlaces {
      places.append(place)
    } else {
      unplaced.append(secret)
    }
  }

  // MARK: - Bodies

  private mutating func body(_ content: JSON?, isEmpty: Bool) {
    let bytes = bytes(of: content) ?? []
    if bytes.isEmpty, !isEmpty, case .number(let size)? = content?["size"], (Int(size) ?? 0) > 0 {
      notes.append("the body of the answer is not in the file, so it is recorded as empty")
    }
    let text = String(validating: bytes, as: UTF8.self)
    let isText = !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    var json = Value.null
    if let text, isText, !bytes.isEmpty {
      fields.append(("text", .string(text)))
      if let value = try? Value(json: bytes), let tree = try? JSONParser.parse(bytes[...]) {
        json = value
        hide(in: tree, of: "", inside: nil, at: "json")
      } else {
        hide(in: text)
      }
    } else {
      fields.append(("text", .string("")))
    }
    fields.append(("json", json))
    fields.append(("bytes", text == nil || !isText ? .bytes(Bytes(bytes)) : .null))
    fields.append(("size", .int(bytes.count)))
  }

  private mutating func bytes(of content: JSON?) -> [UInt8]? {
    guard let text = content?["text"]?.string else { return nil }
    guard content?["encoding"]?.string == "base64" else { return Array(text.utf8) }
    if let bytes = Base64.decodeLeniently(text.filter { !$0.isWhitespace }) { return bytes }
    notes.append("the body of the answer is no base 64, so it is recorded as empty")
    return []
  }

  /// Hides the secrets in a text that is no JSON.
  private mutating func hide(in text: String) {
    for part in SecretText(ImportedText(text)).parts {
      if let name = part.secret { hide(part.text.written, named: name, at: nil) }
    }
  }

  /// Hides the secrets in a value, which are known by the names of members.
  ///
  /// `secret` is the name of a secret value around it.
  private mutating func hide(
    in json: JSON, of name: String, inside secret: String?, at place: String?
  ) {
    switch json {
    case .string(let text):
      let isInside =
        secret != nil && !CredentialNames.isHarmless(name) && !CredentialNames.isPlain(text)
      if CredentialNames.isSecret(name, holding: text) || isInside || Self.hasSecret(text) {
        hide(text, named: isInside ? secret ?? name : name, at: place)
      }
    case .number(let text):
      if CredentialNames.isSecretNumber(name) { hide(text, named: name, at: place) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        hide(in: element, of: name, inside: secret, at: place.map { "\($0)[\(index)]" })
      }
    case .object(let members): hide(in: members, of: name, inside: secret, at: place)
    case .null, .bool: break
    }
  }

  private mutating func hide(
    in members: [JSON.Member], of name: String, inside secret: String?, at place: String?
  ) {
    let secret = CredentialNames.isSecret(name) ? name : secret
    // What a member is may be said by another one: `{"name": "token", "value": "…"}`.
    let label = members.lazy.filter { SecretFinder.labels.contains($0.name.lowercased()) }
      .compactMap(\.value.string)
      .first { $0.utf8.count <= SecretFinder.longestLabel && CredentialNames.isSecret($0) }
    for member in members {
      let isLabelled = SecretFinder.values.contains(member.name.lowercased())
      let owner = isLabelled ? label ?? member.name : member.name
      let path = member.name.isName ? place.map { "\($0).\(member.name)" } : nil
      hide(in: member.value, of: owner, inside: secret, at: path)
    }
  }
}
