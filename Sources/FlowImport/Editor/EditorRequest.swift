internal import FlowSystem

/// A request of an editor's file, with what stands around it.
struct EditorRequest {
  var line = 1
  var title = ""
  var name = ""
  var method = "GET"
  var address = ""
  var follows = true
  /// True to send the address as it is written.
  var keepsPath = false
  /// The most time for a connection, such as `5s`, or nil.
  var connectTimeout: String?
  /// The lines with files of earlier answers.
  var savedAnswers: [Int] = []
  var headers: [(name: String, value: String, line: Int)] = []
  var body: [EditorFile.Line] = []
  var scripts: [(code: String, isBefore: Bool, line: Int)] = []
  /// The parts that are not supported.
  var leftOut: [(line: Int, what: String)] = []

  /// The request in Postman's form.
  var item: PlacedJSON {
    var request = self
    if ["WEBSOCKET", "WS", "WSS", "GRPC", "RSOCKET", "MQTT", "AMQP", "SSE"].contains(method) {
      return .object(
        [
          "name": .text(shownName, line),
          "left": .text("a request of the kind '\(method)'", line),
        ], line)
    }
    let auth = request.takeAuth()
    let address = request.takeHost()
    let body = request.content()
    return .object(
      [
        "name": .text(shownName, line), "label": name.isEmpty ? nil : .text(name, line),
        "request": .object(
          [
            "method": .text(request.method, line), "url": .text(address, line),
            "header": .list(request.headers.map { .pair($0.name, $0.value, $0.line) }, line),
            "body": body, "auth": auth,
          ], line),
        "event": .list(scripts.map { .script($0.code, isBefore: $0.isBefore, $0.line) }, line),
        "protocolProfileBehavior": .object(
          [
            "disableBodyPruning": .bool(true, line),
            "followRedirects": follows ? nil : .bool(false, line),
            "disableUrlEncoding": keepsPath ? .bool(true, line) : nil,
            "connectTimeout": connectTimeout.map { .text($0, line) },
          ], line),
        "response": .list(savedAnswers.map { .text("", $0) }, line),
        "leftOut": .list(request.leftOut.map { .text($0.what, $0.line) }, line),
      ], line)
  }

  private var shownName: String { title.isEmpty ? name : title }

  private func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  private mutating func removeHeader(_ name: String) {
    headers.removeAll { $0.name.lowercased() == name }
  }

  /// Takes the header `Host` of an address that is a path alone.
  private mutating func takeHost() -> String {
    guard address.hasPrefix("/"), let host = header("host") else { return address }
    removeHeader("host")
    return host + address
  }

  /// Takes a header `Authorization` with a name and a password that the editor encodes.
  private mutating func takeAuth() -> PlacedJSON? {
    guard let value = header("authorization") else { return nil }
    let words = Self.words(of: value)
    guard let scheme = words.first?.lowercased() else { return nil }
    if scheme == "aws" || scheme == "cognito" {
      removeHeader("authorization")
      if scheme == "aws", words.count > 2 { return signature(words) }
      leftOut.append((line, "the authentication '\(scheme)'"))
      return nil
    }
    var parts: [String] = []
    if words.count == 3 { parts = Array(words.dropFirst()) }
    if words.count == 2, let colon = words[1].firstIndex(of: ":") {
      parts = [String(words[1][..<colon]), String(words[1][words[1].index(after: colon)...])]
    }
    guard scheme == "basic" || scheme == "digest", parts.count == 2 else { return nil }
    removeHeader("authorization")
    return auth(scheme, [("username", parts[0]), ("password", parts[1])])
  }

  private func auth(_ kind: String, _ fields: [(String, String)]) -> PlacedJSON {
    let list = fields.map { PlacedJSON.pair($0.0, $0.1, line) }
    return PlacedJSON(
      line: line,
      content: .object([
        .init(name: "type", value: .text(kind, line)),
        .init(name: kind, value: .list(list, line)),
      ]))
  }

  /// Returns the signature of `AWS id key token:… region:… service:…`.
  private func signature(_ words: [String]) -> PlacedJSON {
    var fields = [("accessKey", words[1]), ("secretKey", words[2])]
    for word in words.dropFirst(3) {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      fields.append((parts[0] == "token" ? "sessionToken" : parts[0], parts[1]))
    }
    return auth("awsv4", fields)
  }

  /// Returns the words of a header, in which `{{ name }}` is one.
  private static func words(of text: String) -> [String] {
    var (words, depth) = ([""], 0)
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == " ", depth <= 0 {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  // MARK: - Bodies

  private mutating func content() -> PlacedJSON? {
    let isGraphQL = header("x-request-type")?.lowercased() == "graphql" || method == "GRAPHQL"
    if isGraphQL {
      removeHeader("x-request-type")
      method = "POST"
      return graphQL()
    }
    guard let first = body.first else { return nil }
    let type = (header("content-type") ?? "").lowercased()
    if type.hasPrefix("multipart/form-data"), let range = type.firstRange(of: "boundary=") {
      let boundary = (header("content-type") ?? "")[range.upperBound...].prefix { $0 != ";" }
      return multipart(String(boundary).replacing("\"", with: ""))
    }
    let isFile = { (text: String) in text.hasPrefix("< ") || text.hasPrefix("<@") }
    if body.count == 1, isFile(first.text) { return file(first) }
    if body.contains(where: { isFile($0.text) }) {
      leftOut.append((first.number, "a body with the content of a file in it"))
    }
    var text = body.map(\.text).joined(separator: "\n")
    if type.hasPrefix("application/x-www-form-urlencoded") {
      text = body.map(\.text.trimmed).joined()
      text = text.replacing(" = ", with: "=").replacing(" & ", with: "&").replacing("& ", with: "&")
    }
    let isJSON = type.isEmpty && (text.hasPrefix("{") || text.hasPrefix("["))
    return .object(
      [
        "mode": .text("raw", first.number), "raw": .text(text, first.number),
        "options": isJSON
          ? .object(
            ["raw": .object(["language": .text("json", line)], line)], line) : nil,
      ], first.number)
  }

  /// Returns the path behind `<` or `<@`.
  private mutating func file(_ line: EditorFile.Line) -> PlacedJSON {
    .object(
      [
        "mode": .text("file", line.number),
        "file": .object(["src": .text(path(line), line.number)], line.number),
      ], line.number)
  }

  private mutating func path(_ line: EditorFile.Line) -> String {
    guard line.text.hasPrefix("<@") else { return String(line.text.dropFirst()).trimmed }
    leftOut.append((line.number, "replacing variables in a file"))
    // An encoding may stand between the sign and the path.
    return line.text.split(separator: " ", maxSplits: 1).last.map(String.init)?.trimmed ?? ""
  }

  private mutating func graphQL() -> PlacedJSON? {
    guard let first = body.first else { return nil }
    let operation = header("x-graphql-operation")
    removeHeader("x-graphql-operation")
    let blank = body.firstIndex { $0.text.trimmed.isEmpty }
    let end = blank.flatMap { index in
      body[index...].first { !$0.text.trimmed.isEmpty }?.text.hasPrefix("{") == true ? index : nil
    }
    let query = body[..<(end ?? body.count)].map(\.text).joined(separator: "\n")
    let variables = end.map { body[$0...].map(\.text).joined(separator: "\n").trimmed }
    return .object(
      [
        "mode": .text("graphql", first.number),
        "graphql": .object(
          [
            "query": .text(query, first.number),
            "operationName": operation.map { .text($0, line) },
            "variables": variables.map { .text($0, first.number) },
          ], first.number),
      ], first.number)
  }

  /// Returns the parts of a form with files.
  private mutating func multipart(_ boundary: String) -> PlacedJSON {
    removeHeader("content-type")
    let line = body.first?.number ?? self.line
    var parts: [PlacedJSON] = []
    for part in body.split(whereSeparator: { $0.text.trimmed.hasPrefix("--" + boundary) }) {
      guard let read = self.part(part) else { continue }
      parts.append(read)
    }
    return .object(["mode": .text("formdata", line), "formdata": .list(parts, line)], line)
  }

  private mutating func part(_ lines: ArraySlice<EditorFile.Line>) -> PlacedJSON? {
    guard let first = lines.first(where: { !$0.text.trimmed.isEmpty }) else { return nil }
    let end = lines.firstIndex { $0.text.trimmed.isEmpty } ?? lines.endIndex
    let head = PartHead(lines[..<end])
    let content = lines[min(end, lines.endIndex)...].drop { $0.text.trimmed.isEmpty }
    var text = content.map(\.text).joined(separator: "\n")
    while text.hasSuffix("\n") { text.removeLast() }
    let isFile = text.hasPrefix("< ") || text.hasPrefix("<@")
    let line = content.first ?? first
    let path = isFile ? self.path(line) : ""
    // The name of the file is the one that is sent without any.
    let isOther = head.fileName.map { $0 != path.split(separator: "/").last ?? "" } ?? false
    return .object(
      [
        "key": .text(head.name, first.number),
        "value": isFile ? nil : .text(text, line.number),
        "type": .text(isFile ? "file" : "text", first.number),
        "src": isFile ? .text(path, line.number) : nil,
        "contentType": head.type.map { .text($0, first.number) },
        "fileName": isOther ? head.fileName.map { .text($0, first.number) } : nil,
        "header": .list(head.headers.map { .pair($0.name, $0.value, $0.line) }, first.number),
      ], first.number)
  }
}

/// The lines before the content of a form's part.
private struct PartHead {
  private(set) var name = ""
  private(set) var fileName: String?
  private(set) var type: String?
  private(set) var headers: [(name: String, value: String, line: Int)] = []

  init(_ lines: ArraySlice<EditorFile.Line>) {
    for line in lines {
      guard let colon = line.text.firstIndex(of: ":") else { continue }
      let header = String(line.text[..<colon]).trimmed
      let value = String(line.text[line.text.index(after: colon)...]).trimmed
      switch header.lowercased() {
      case "content-type": type = value
      case "content-disposition": readDisposition(value)
      // The boundary tells how long a part is.
      case "content-length": break
      default: headers.append((header, value, line.number))
      }
    }
  }

  private mutating func readDisposition(_ text: String) {
    for parameter in text.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2 else { continue }
      let value = parts[1].replacing("\"", with: "")
      if parts[0].lowercased() == "name" { name = value }
      if parts[0].lowercased() == "filename" { fileName = value }
    }
  }
}
