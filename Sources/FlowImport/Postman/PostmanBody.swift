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
      "javascript": "application/javascript",
    ]
    let given = request.header("content-type")?.literal
    let type = given ?? language.flatMap { types[$0] } ?? "text/plain"
    let written = (content.text ?? "").replacing("\r\n", with: "\n")
    let body = text(written, line: content.line, isJSON: type.contains("json"))
    scenario.setBody(body, type: type, of: &request, line: content.line)
  }

  private mutating func form(_ content: PlacedJSON, of request: inout ImportedRequest) {
    var fields: [(name: String, value: ImportedText)] = []
    for field in content.elements {
      guard let name = self.name(of: field, "form field", &request) else { continue }
      let value = text(field["value"]?.text ?? "", line: field.line)
      fields.append((name, scenario.value(value, of: name, line: field.line)))
    }
    guard !fields.isEmpty else { return }
    request.body = .form(fields)
    request.removeHeader("content-type")
  }

  /// Returns the name of an enabled field, or nil.
  private mutating func name(
    of field: PlacedJSON, _ kind: String, _ request: inout ImportedRequest
  ) -> String? {
    let written = field["key"]?.text ?? ""
    if isDisabled(field, kind, written) || written.isEmpty { return nil }
    guard let name = text(written, line: field.line).literal, name.isShortName else {
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

  private func add(
    _ file: ImportedText?, to entries: [ImportedValue.Entry], _ part: PlacedJSON,
    _ request: inout ImportedRequest
  ) {
    var entries = entries
    if let file { entries.append(.init(name: "file", value: .text(file))) }
    if let type = part["contentType"]?.text, !type.isEmpty {
      entries.append(.init(name: "type", value: .text(ImportedText(type))))
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
  private mutating func file(_ path: String, _ line: Int) -> ImportedText {
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

  // MARK: - Scripts

  /// Translates the scripts of a request, and notes their other statements.
  mutating func run(_ events: [PlacedJSON], of request: inout ImportedRequest) {
    for event in events {
      guard let script = event["script"], let exec = script["exec"] else { continue }
      let lines =
        exec.string.map { [(text: $0, line: exec.line)] }
        ?? exec.elements.map { (text: $0.string ?? "", line: $0.line) }
      let written = lines.map(\.text).joined(separator: "\n")
      let parsed = PostmanScript(written)
      if event["disabled"]?.bool == true {
        if !parsed.statements.isEmpty { scenario.note(event.line, "a disabled script is left out") }
        continue
      }
      let isTest = event["listen"]?.text == "test"
      let places = Self.lines(of: lines)
      for (index, statement) in parsed.statements {
        let line = index < places.count ? places[index] : exec.line
        if !isTest || !apply(statement, to: &request, line) {
          leaveOut(statement, of: &request, line)
        }
      }
    }
  }

  /// The lines of the file for the lines of a script: an element may have several.
  private static func lines(of elements: [(text: String, line: Int)]) -> [Int] {
    elements.flatMap { element in
      let count = element.text.unicodeScalars.count { $0 == "\n" } + 1
      return Array(repeating: element.line, count: count)
    }
  }

  private mutating func leaveOut(
    _ statement: PostmanScript.Statement, of request: inout ImportedRequest, _ line: Int
  ) {
    let name =
      switch statement {
      case .other(let name): "'\(name)'"
      case .set(let name, _): "setting the variable '\(String(name.prefix(80)).onOneLine)'"
      case .equal: "a comparison"
      }
    scenario.leaveOut("\(name) in a script", of: &request, line: line)
  }

  /// Adds a statement to a request.
  ///
  /// False for an unsupported one.
  private mutating func apply(
    _ statement: PostmanScript.Statement, to request: inout ImportedRequest, _ line: Int
  ) -> Bool {
    let subject = request.subject
    switch statement {
    case .other: return false
    case .set(let name, let answer):
      if CredentialNames.isSecret(name) || CredentialNames.isSecret(answer.name),
        let place = answer.place
      {
        request.hide(place)
      }
      request.capture(newVariable(name), answer.code(subject))
      return true
    case .equal(.status, .number(let status)):
      guard let code = Int(status), 100...999 ~= code else { return false }
      request.expect("status", .number(status))
      return true
    case .equal(let answer, let operand):
      let value = self.value(operand, of: answer.name, line)
      request.demand("\(answer.code(subject)) == \(value.exactCode)")
      return true
    }
  }

  private mutating func value(
    _ operand: PostmanOperand, of name: String, _ line: Int
  ) -> ImportedValue {
    switch operand {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): .number(text)
    case .text(let text):
      .text(scenario.compared(ImportedText(text), of: name, line: line))
    case .variable(let name): .text(variable(name, line: line, isText: false))
    }
  }
}
