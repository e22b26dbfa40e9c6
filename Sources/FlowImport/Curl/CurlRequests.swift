/// The ways in which curl shows a user to a server.
enum CurlLogin {
  case basic
  case digest
  /// The value of `--aws-sigv4`: `provider1:provider2:region:service`, the last parts optional.
  case signature(ImportedText)
  /// A way that no component has.
  case unknown
}

/// The requests of a command of curl, one for each address.
extension CurlCommand {
  mutating func finish() throws(ImportError) {
    if current.urls.isEmpty {
      return scenario.note(current.line, "a command without an address is not supported")
    }
    setConnection()
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
      route(&request)
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
    if let user = given ?? user { identify(user, &request, line) }
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

/// Certificates, proxies and users, whose options may stand in any order.
extension CurlCommand {
  private mutating func setConnection() {
    let line = current.line
    if let certificate = current.certificate {
      let file = scenario.certificateFile(certificate, of: &current.request, line: line)
      setFile(current.isPKCS12 ? "client_pkcs12" : "client_cert", file, line)
    }
    if let proxy = current.proxy {
      scenario.setProxy(proxy, user: current.proxyUser, of: &current.request, line: line)
    }
  }

  /// Leads a request to the server of an option.
  private mutating func route(_ request: inout ImportedRequest) {
    for (route, option, line) in current.routes {
      switch route.lead(&request) {
      case .other: continue
      case .led: return
      case .impossible: scenario.leaveOut("the option '--\(option)'", of: &request, line: line)
      }
    }
  }

  private mutating func identify(
    _ user: ImportedScenario.User, _ request: inout ImportedRequest, _ line: Int
  ) {
    switch current.login {
    case .basic: scenario.authenticate(user, of: &request, line: line)
    case .digest: scenario.authenticate(user, by: .digest, of: &request, line: line)
    case .unknown: break
    case .signature(let scope): scenario.sign(scope, user, of: &request, line: line)
    }
  }
}
