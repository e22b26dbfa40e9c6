internal import FlowSystem

/// Parts from a file of Bruno's own language.
extension BrunoParts {
  private static let methods: Set<String> = [
    "get", "post", "put", "patch", "delete", "head", "options", "trace", "connect", "http",
  ]

  /// Creates the parts of a file with `offset` lines of other files before it.
  init(_ file: BruFile, offset: Int) {
    let request = file.blocks.first { Self.methods.contains($0.name) }
    let body = request?.pairs.first { $0.name == "body" }?.value ?? ""
    for block in file.blocks where Self.isSelected(block.name, body) { read(block, offset) }
    noteSettings()
  }

  /// Returns true for a block that counts: of several bodies the request names one.
  private static func isSelected(_ name: String, _ body: String) -> Bool {
    guard name.hasPrefix("body"), !body.isEmpty else { return true }
    let kinds = ["formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form"]
    let selected = "body:" + (kinds[body] ?? body)
    return name == selected || name == selected + ":vars" || name == "body" && body == "json"
  }

  private static func pair(_ pair: BruFile.Pair, _ offset: Int) -> Pair {
    Pair(
      name: pair.name, value: pair.value, isDisabled: pair.isDisabled, line: pair.line + offset)
  }

  private mutating func read(_ block: BruFile.Block, _ offset: Int) {
    let line = block.line + offset
    let pairs = block.pairs.map { Self.pair($0, offset) }
    func value(_ name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }
    switch block.name {
    case "meta":
      name = value("name")
      sequence = Int(value("seq"))
      if !value("type").isEmpty { kind = value("type") }
      self.line = line
    case let method where Self.methods.contains(method):
      self.line = line - 1
      self.method = method == "http" ? value("method") : method
      address = value("url")
      if authentication.isEmpty { authentication = value("auth") }
    case "auth": authentication = value("mode")
    case let name where name.hasPrefix(Self.tokenRequest):
      let place = String(name.dropFirst(Self.tokenRequest.count))
      tokenParameters += pairs.map { ($0, place) }
    // Other grants have a token from outside.
    case let name where name.hasPrefix("auth:oauth2:additional_params:"): break
    case let name where name.hasPrefix("auth:"):
      if authentication.isEmpty { authentication = String(name.dropFirst(5)) }
      if name == "auth:" + authentication { credentials = pairs }
    case "params:query", "query": query = pairs
    case "params:path": path = pairs
    case "headers": headers += pairs
    case "vars:pre-request", "vars": variables += pairs.map(Self.withoutMark)
    case "vars:post-response":
      for pair in pairs where !pair.isDisabled && !pair.value.isEmpty {
        capture(Self.withoutMark(pair).name, pair.value, pair.line)
      }
    case "assert":
      for pair in pairs where !pair.isDisabled { demand(pair.name, pair.value, pair.line) }
    case "script:pre-request": before.append((block.text, line))
    case "script:post-response", "tests": after.append((block.text, line))
    case "settings": settings = pairs
    case "example": examples.append(line - 1)
    case "docs", "metadata", "options", "vars:secret": break
    case let name where name.hasPrefix("body"): readBody(block, pairs, line)
    default: leftOut.append((line, "the block '\(String(block.name.prefix(40)).onOneLine)'"))
    }
  }

  private static let tokenRequest = "auth:oauth2:additional_params:access_token_req:"

  /// Variables that belong to their request alone have a mark before their names.
  private static func withoutMark(_ pair: Pair) -> Pair {
    var copy = pair
    if copy.name.hasPrefix("@") { copy.name.removeFirst() }
    return copy
  }

  private mutating func readBody(_ block: BruFile.Block, _ pairs: [Pair], _ line: Int) {
    switch block.name {
    case "body", "body:json": body = .text(block.text, language: "json", line: line)
    case "body:xml": body = .text(block.text, language: "xml", line: line)
    case "body:text", "body:sparql": body = .text(block.text, language: "text", line: line)
    case "body:form-urlencoded": body = .form(pairs, line: line)
    case "body:multipart-form": body = .multipart(pairs.flatMap(Self.parts), line: line)
    case "body:file":
      let file = pairs.first { !$0.isDisabled }
      if let file, let part = Self.parts(file).first { setBody(part, line) }
    case "body:graphql":
      if case .graphQL(_, let variables, _) = body {
        body = .graphQL(block.text, variables: variables, line: line)
      } else {
        body = .graphQL(block.text, variables: "", line: line)
      }
    case "body:graphql:vars":
      if case .graphQL(let query, _, let line) = body {
        body = .graphQL(query, variables: block.text, line: line)
      } else {
        body = .graphQL("", variables: block.text, line: line)
      }
    default: leftOut.append((line, "a body of the kind '\(block.name.dropFirst(5))'"))
    }
  }

  /// Returns a field, whose value may be `@file(path) @contentType(type)`, or one for each of its
  /// files.
  private static func parts(_ pair: Pair) -> [Part] {
    func argument(_ name: String) -> String? {
      guard let start = pair.value.firstRange(of: "@\(name)(") else { return nil }
      return String(pair.value[start.upperBound...].prefix { $0 != ")" })
    }
    let files = argument("file")?.split(separator: "|").map(String.init)
    var value = pair.value
    if let type = value.firstRange(of: "@contentType(") {
      value = String(value[..<type.lowerBound]).trimmed
    }
    return (files ?? [value]).map {
      Part(
        name: pair.name, value: $0, isFile: files != nil, type: argument("contentType"),
        isDisabled: pair.isDisabled, line: pair.line)
    }
  }
}
