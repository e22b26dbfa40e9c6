/// The requests of a command of curl, one for each address.
extension CurlCommand {
  mutating func finish() throws(ImportError) {
    if current.urls.isEmpty {
      return scenario.note(current.line, "a command without an address is not supported")
    }
    var outputs = current.outputs[...]
    for (url, line) in current.urls {
      let scheme = url.beginning.split(separator: ":").first.map { $0.lowercased() } ?? ""
      guard !url.beginning.contains("://") || scheme == "http" || scheme == "https" else {
        scenario.note(line, "an address of '\(scheme.prefix(20)):' is not supported")
        continue
      }
      var request = current.request
      request.line = line
      request.output = outputs.popFirst() ?? nil
      try address(url, &request, line)
      request.id = scenario.newID(of: request)
      try scenario.append(request)
    }
  }

  private mutating func address(
    _ text: ImportedText, _ request: inout ImportedRequest, _ line: Int
  ) throws(ImportError) {
    let isWhole = text.beginning.contains("://") || text.beginning.isEmpty
    let (url, user) = scenario.url(isWhole ? text : ImportedText("http://") + text, line: line)
    request.url = url.split(at: ["#"])?.before ?? url
    let given = current.user.map { ImportedScenario.User(text: $0) }
    if let user = given ?? user { scenario.authenticate(user, of: &request, line: line) }
    if current.isGlobbing, CurlOptions.hasPattern(text) {
      scenario.note(line, "URL globbing is not expanded")
      request.remarks.append("line \(line): URL globbing is not expanded")
    }
    request.query = current.query
    for name in ["authorization", "range", "referer", "user-agent"] {
      guard request.header(name) == nil, let value = current.implied[name], !value.isEmpty else {
        continue
      }
      request.addHeader(name, scenario.header(name, value, line: line))
    }
    if let backoff = request.retry.map({ _ in current.backoff }) {
      request.retry?.backoff = backoff
    }
    body(of: &request, line)
    if current.failsOnError {
      request.expect("status", .text(ImportedText(expression: "it < 400")))
    }
    if let output = request.output, output.isEmpty {
      let path = request.url.beginning.prefix { $0 != "?" }.split(separator: "/").dropFirst(2)
      request.output = path.last.map(String.init) ?? "index.html"
    }
  }
}
