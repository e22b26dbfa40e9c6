internal import FlowSystem
internal import FlowYAML

/// Parts from a file of the format OpenCollection, Bruno's YAML.
extension BrunoParts {
  /// Creates the parts of a file with `offset` lines of other files before it.
  init(_ node: Node, offset: Int) {
    let info = node["info"]
    line = node.span.start.line + offset
    name = info?["name"]?.text ?? ""
    kind = info?["type"]?.text ?? "http"
    sequence = info?["seq"].flatMap { Int($0.text) }
    // What a folder and a collection hand down has the same form as that of a request.
    if let request = node["http"] ?? node["graphql"] ?? node["request"] { read(request, offset) }
    if node["graphql"] != nil { kind = "graphql" }
    if let runtime = node["runtime"] { readRuntime(runtime, offset) }
    if let request = node["request"] { readRuntime(request, offset) }
    examples = Self.items(node["examples"]).map { $0.span.start.line + offset }
    defer { noteSettings() }
    settings = (node["settings"].map { Array($0.entries) } ?? []).map {
      Pair(name: $0.key.text, value: $0.value.text, line: $0.value.span.start.line + offset)
    }
  }

  private static func items(_ node: Node?) -> [Node] { node.map { Array($0.items) } ?? [] }

  private static func pairs(_ node: Node?, _ offset: Int) -> [Pair] {
    Self.items(node).map { item in
      let value = item["value"]
      // A value may have a type, or several variants of which one is selected.
      let text = value?["data"]?.text ?? value?.text ?? ""
      return Pair(
        name: item["name"]?.text ?? "", value: text,
        isDisabled: item["disabled"]?.text == "true" || item["enabled"]?.text == "false",
        line: item.span.start.line + offset)
    }
  }

  private mutating func read(_ node: Node, _ offset: Int) {
    line = node.span.start.line + offset
    method = node["method"]?.text ?? "GET"
    address = node["url"]?.text ?? ""
    headers = Self.pairs(node["headers"], offset)
    for (item, pair) in zip(Self.items(node["params"]), Self.pairs(node["params"], offset)) {
      if item["type"]?.text == "path" { path.append(pair) } else { query.append(pair) }
    }
    if let auth = node["auth"] { readAuth(auth, offset) }
    if let body = node["body"] { readBody(body, offset) }
  }

  private mutating func readAuth(_ node: Node, _ offset: Int) {
    guard node.kind == .mapping else { return authentication = node.text }
    authentication = node["type"]?.text ?? ""
    credentials = Self.credentials(node, offset)
    let token = node["additionalParameters"]?["accessTokenRequest"]
    for (item, pair) in zip(Self.items(token), Self.pairs(token, offset)) {
      tokenParameters.append((pair, item["placement"]?.text ?? "body"))
    }
  }

  /// Returns the fields of an authentication, with those of the groups in it.
  private static func credentials(_ node: Node, _ offset: Int) -> [Pair] {
    node.entries.filter { $0.key.text != "additionalParameters" }.flatMap { entry -> [Pair] in
      if entry.value.kind == .mapping { return credentials(entry.value, offset) }
      return [
        Pair(
          name: entry.key.text, value: entry.value.text,
          line: entry.value.span.start.line + offset)
      ]
    }
  }

  private mutating func readBody(_ node: Node, _ offset: Int) {
    // Of several bodies one is selected.
    if node.kind == .sequence {
      let selected = node.items.first { $0["selected"]?.text == "true" } ?? node.items.first
      if let body = selected?["body"] { readBody(body, offset) }
      return
    }
    let line = (node["data"] ?? node).span.start.line + offset
    let text = node["data"]?.text ?? ""
    if let query = node["query"] {
      let variables = node["variables"]?.text ?? ""
      body = .graphQL(query.text, variables: variables, line: query.span.start.line + offset)
      return
    }
    switch node["type"]?.text {
    case "json": body = .text(text, language: "json", line: line)
    case "xml": body = .text(text, language: "xml", line: line)
    case "text", "sparql": body = .text(text, language: "text", line: line)
    case "form-urlencoded": body = .form(Self.pairs(node["data"], offset), line: line)
    case "multipart-form":
      body = .multipart(Self.items(node["data"]).flatMap { Self.parts($0, offset) }, line: line)
    case "file":
      let items = Self.items(node["data"])
      let file = items.first { $0["selected"]?.text == "true" } ?? items.first
      if let file, let path = file["filePath"]?.text {
        let part = Part(
          name: "", value: path, isFile: true, type: file["contentType"]?.text, isDisabled: false,
          line: line)
        setBody(part, line)
      }
    case nil, "none": break
    case let kind?:
      leftOut.append((line, "a body of the kind '\(String(kind.prefix(40)).onOneLine)'"))
    }
  }

  /// Returns a field, or one for each of its files.
  private static func parts(_ node: Node, _ offset: Int) -> [Part] {
    let isFile = node["type"]?.text == "file"
    let values = node["value"]?.kind == .sequence ? node["value"]?.items.map(\.text) ?? [] : nil
    return (values ?? [node["value"]?.text ?? ""]).map { value in
      Part(
        name: node["name"]?.text ?? "", value: value, isFile: isFile,
        type: node["contentType"]?.text, isDisabled: node["disabled"]?.text == "true",
        line: node.span.start.line + offset)
    }
  }

  private mutating func readRuntime(_ node: Node, _ offset: Int) {
    variables += Self.pairs(node["variables"], offset)
    for script in Self.items(node["scripts"]) {
      guard let code = script["code"] else { continue }
      // The text of a block starts in the line after its sign.
      let line = code.span.start.line + offset + (code.isBlock ? 1 : 0)
      if script["type"]?.text == "before-request" {
        before.append((code.text, line))
      } else {
        after.append((code.text, line))
      }
    }
    for item in Self.items(node["assertions"]) where item["disabled"]?.text != "true" {
      let (name, value) = (item["operator"]?.text ?? "eq", item["value"]?.text ?? "")
      let line = item.span.start.line + offset
      demand(item["expression"]?.text ?? "", "\(name) \(value)".trimmed, line)
    }
    for action in Self.items(node["actions"]) { readAction(action, offset) }
  }

  /// Reads a variable that is set from the answer.
  private mutating func readAction(_ node: Node, _ offset: Int) {
    let line = node.span.start.line + offset
    guard node["type"]?.text == "set-variable",
      let expression = node["selector"]?["expression"]?.text,
      let name = node["variable"]?["name"]?.text, node["phase"]?.text != "before-request"
    else { return leftOut.append((line, "an action")) }
    if node["disabled"]?.text != "true" { capture(name, expression, line) }
  }
}
