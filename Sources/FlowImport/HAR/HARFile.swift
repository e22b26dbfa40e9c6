internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// Reads the recording of a browser, HAR 1.2: every request over HTTP with the status of its answer.
struct HARFile {
  private var scenario = ImportedScenario()
  /// The names of the cookies set by responses, by host, since a component keeps them itself.
  private var cookies: [String: Set<String>] = [:]
  /// The answers of the requests, or nil if they are not asked for.
  private var answers: [RecordedAnswer]?
  private var skipped: (count: Int, line: Int, kinds: [String]) = (0, 0, [])

  /// Reads the requests of a file in the order in which they were made, and their answers if these
  /// are to be recorded.
  ///
  /// Secrets of answers are hidden in the requests in any case.
  ///
  /// - Throws: `ImportError` for invalid JSON, without `log.entries`, and for an entry without a
  ///   request.
  static func read(
    _ text: String, hidingAnswers: Bool = false
  ) throws(ImportError) -> (ImportedScenario, [RecordedAnswer]) {
    let bytes = Array(text.utf8)
    var file = HARFile()
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
    let (url, user) = scenario.url(ImportedText(plainAddress), line: entry.line)
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
      let text = ImportedText(value.onOneLine)
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
  }

  // MARK: - Bodies

  private mutating func body(_ data: JSON, of request: inout ImportedRequest) {
    let type = data["mimeType"]?.string ?? request.header("content-type")?.literal ?? ""
    let media = type.prefix { $0 != ";" }.lowercased()
    guard let text = Self.text(of: data) else {
      return scenario.leaveOut("a body of bytes", of: &request, line: request.line)
    }
    if media == "multipart/form-data" {
      multipart(data, text, type, of: &request)
    } else if !text.isEmpty {
      scenario.setBody(
        ImportedText(text), type: type.isEmpty ? nil : type, of: &request, line: request.line)
    } else {
      let fields = Self.pairs(data["params"]).map { name, value in
        let decoded = value.formDecoded ?? value
        return (
          name: name.formDecoded ?? name,
          value: scenario.value(ImportedText(decoded), of: name, line: request.line)
        )
      }
      if fields.contains(where: { !$0.name.isShortName }) {
        scenario.leaveOut(
          "a form with a name of more than 200 bytes", of: &request, line: request.line)
      } else if !fields.isEmpty {
        request.body = .form(fields)
      }
    }
    if case .form = request.body { request.removeHeader("content-type") }
  }

  /// Returns the text of a body, or nil for bytes that are not text.
  private static func text(of data: JSON) -> String? {
    var text = data["text"]?.string ?? ""
    if data["encoding"]?.string == "base64" {
      let digits = text.filter { !$0.isWhitespace }
      guard let bytes = Base64.decodeLeniently(digits),
        let decoded = String(validating: bytes, as: UTF8.self)
      else { return nil }
      text = decoded
    }
    let isBinary = text.utf8.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
    return isBinary ? nil : text
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
      scenario.note(
        line, "put the file '\(file)' into the scenario's folder; its content is not copied")
      entries.append(.init(name: "file", value: .text(ImportedText(file))))
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
