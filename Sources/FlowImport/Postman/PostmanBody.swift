internal import FlowRedaction
internal import FlowSystem

/// Bodies and scripts of requests in a collection.
extension PostmanScenario {
  /// Sets the body of a request.
  ///
  /// Postman sends none with `GET` and `HEAD`, unless `isKept`.
  mutating func body(_ json: PlacedJSON, of request: inout ImportedRequest, isKept: Bool) {
    guard let mode = json["mode"]?.text, let content = json[mode], !Self.isEmpty(content) else {
      return
    }
    if json["disabled"]?.bool == true {
      return scenario.note(json.line, "the disabled body is left out")
    }
    if !isKept, ["GET", "HEAD", "COPY", "UNLOCK", "PURGE"].contains(request.method) {
      return scenario.leaveOut(
        "the body of a \(request.method) request", of: &request, line: json.line)
    }
    switch mode {
    case "raw": raw(content, json["options"]?["raw"]?["language"]?.text, of: &request)
    case "urlencoded": form(content, of: &request)
    case "formdata": multipart(content, of: &request)
    case "graphql": graphQL(content, of: &request)
    case "file": file(content, of: &request)
    default:
      scenario.leaveOut(
        "a body of the mode '\(String(mode.prefix(20)).onOneLine)'", of: &request, line: json.line)
    }
  }

  private static func isEmpty(_ content: PlacedJSON) -> Bool {
    switch content.content {
    case .scalar: content.text?.isEmpty ?? true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }

  private mutating func raw(
    _ content: PlacedJSON, _ language: String?, of request: inout ImportedRequest
  ) {
    let types = [
      "json": "application/json", "xml": "application/xml", "html": "text/html",
      "javascript": "application/javascript", "sparql": "application/sparql-query",
    ]
    let given = request.header("content-type")?.literal
    let type = given ?? language.flatMap { types[$0] } ?? "text/plain"
    var written = (content.text ?? "").replacing("\r\n", with: "\n")
    guard type.contains("json") else {
      let body = text(written, line: content.line)
      return scenario.setBody(body, type: type, of: &request, line: content.line)
    }
    // Postman sends JSON without its comments.
    written = JSONComments.removed(from: written)
    if insertsText(in: written) {
      // A variable stands for any text between other texts, such as `1, 2` in `[{{ids}}]`.
      request.body = .text(scenario.text(text(written, line: content.line), line: content.line))
      if given == nil { request.addHeader("content-type", ImportedText(type)) }
      return
    }
    let body = text(written, line: content.line, isJSON: true)
    scenario.setBody(body, type: type, of: &request, line: content.line)
  }

  /// True if a variable outside of quotes is known to be no value of JSON.
  private func insertsText(in written: String) -> Bool {
    var (rest, isInside) = (written[...], false)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      isInside = ImportedValue.endsInside(String(rest[..<start.lowerBound]), from: isInside)
      let name = String(rest[start.upperBound..<end.lowerBound]).trimmed
      if !isInside, let value = knownValue(of: name), !value.isEmpty, !value.contains("{{"),
        (try? JSONParser.parse(Array(value.utf8)[...])) == nil
      {
        return true
      }
      rest = rest[end.upperBound...]
    }
    return false
  }

  private mutating func form(_ content: PlacedJSON, of request: inout ImportedRequest) {
    var fields: [(name: String, value: ImportedText)] = []
    for field in content.elements {
      guard let name = self.name(of: field, "form field", &request, isShort: false) else {
        continue
      }
      let value = text(field["value"]?.text ?? "", line: field.line)
      fields.append((name, scenario.value(value, of: name, line: field.line)))
    }
    scenario.setForm(fields, of: &request)
  }

  /// Returns the name of an enabled field, or nil.
  private mutating func name(
    of field: PlacedJSON, _ kind: String, _ request: inout ImportedRequest, isShort: Bool = true
  ) -> String? {
    let written = field["key"]?.text ?? ""
    if isDisabled(field, kind, written) || written.isEmpty { return nil }
    guard let name = text(written, line: field.line).literal, name.isShortName || !isShort else {
      scenario.leaveOut("a \(kind) with this name", of: &request, line: field.line)
      return nil
    }
    return name
  }

  private mutating func multipart(_ content: PlacedJSON, of request: inout ImportedRequest) {
    for part in content.elements {
      guard let name = self.name(of: part, "part of a form", &request) else { continue }
      var entries: [ImportedValue.Entry] = [.init(name: "name", value: .text(ImportedText(name)))]
      if part["type"]?.text == "file" {
        let paths =
          part["src"]?.text.map { [$0] } ?? (part["src"]?.elements ?? []).compactMap(\.text)
        if paths.isEmpty {
          scenario.leaveOut("a part without a file", of: &request, line: part.line)
        }
        for path in paths { add(file(path, part.line), to: entries, part, &request) }
        continue
      }
      let value = text(part["value"]?.text ?? "", line: part.line)
      let text = scenario.value(value, of: name, line: part.line)
      entries.append(.init(name: "value", value: .text(text)))
      add(nil, to: entries, part, &request)
    }
    // The boundary is another one whenever it is sent.
    if case .multipart = request.body { request.removeHeader("content-type") }
  }

  private mutating func add(
    _ file: ImportedText?, to entries: [ImportedValue.Entry], _ part: PlacedJSON,
    _ request: inout ImportedRequest
  ) {
    var entries = entries
    if let file { entries.append(.init(name: "file", value: .text(file))) }
    for (key, name) in [("contentType", "type"), ("fileName", "filename")] {
      guard let text = part[key]?.text, !text.isEmpty else { continue }
      entries.append(.init(name: name, value: .text(self.text(text, line: part.line))))
    }
    for header in part["header"]?.elements ?? [] {
      guard let name = header["key"]?.text, name.isHeaderName else {
        scenario.leaveOut("a header of a part", of: &request, line: header.line)
        continue
      }
      let value = text(header["value"]?.text ?? "", line: header.line)
      let hidden = scenario.header(name, value, line: header.line)
      entries.add(header: .init(name: name, value: .text(hidden)))
    }
    request.body.add(part: .map(entries))
  }

  private mutating func file(_ content: PlacedJSON, of request: inout ImportedRequest) {
    if let written = content["content"]?.text {
      let body = text(written, line: content.line)
      return scenario.setBody(
        body, type: request.header("content-type")?.literal ?? "text/plain", of: &request,
        line: content.line)
    }
    guard let path = content["src"]?.text else {
      return scenario.leaveOut("a body without a file", of: &request, line: content.line)
    }
    request.body = .file(file(path, content.line))
  }

  /// Returns the name of a file in the scenario's folder, since paths of another machine are of no
  /// use.
  mutating func file(_ path: String, _ line: Int) -> ImportedText {
    let name = String(path.split { $0 == "/" || $0 == "\\" }.last ?? "file").onOneLine
    scenario.note(
      line, "put the file '\(name)' into the scenario's folder; its content is not copied")
    return text(name, line: line)
  }

  private mutating func graphQL(_ content: PlacedJSON, of request: inout ImportedRequest) {
    let query = text(content["query"]?.text ?? "", line: content.line)
    var entries: [ImportedValue.Entry] = [
      .init(name: "query", value: .text(scenario.text(query, line: content.line).asText))
    ]
    if let name = content["operationName"]?.text, !name.isEmpty {
      entries.append(.init(name: "operationName", value: .text(ImportedText(name))))
    }
    let written = content["variables"]?.text ?? ""
    if !written.trimmed.isEmpty {
      let variables = text(written, line: content.line, isJSON: true)
      if let value = ImportedValue(parsing: variables) {
        let json = scenario.json(value, line: content.line)
        entries.append(.init(name: "variables", value: json))
      } else {
        scenario.leaveOut(
          "variables of GraphQL that are no JSON", of: &request, line: content.line)
      }
    }
    request.body = .json(.map(entries))
    if request.header("content-type")?.literal?.lowercased() == "application/json" {
      request.removeHeader("content-type")
    }
  }
}
