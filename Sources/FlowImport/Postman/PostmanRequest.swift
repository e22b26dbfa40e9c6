internal import FlowRedaction
internal import FlowSystem

/// Requests of a collection: addresses, parameters and headers.
extension PostmanScenario {
  /// Returns a request, or nil after noting that it is left out.
  mutating func request(
    _ json: PlacedJSON, of item: PlacedJSON, _ group: PostmanGroup
  ) -> ImportedRequest? {
    let method = json["method"]?.text?.uppercased() ?? "GET"
    let isPlain = !method.isEmpty && method.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    var request = ImportedRequest(
      line: item.line, method: isPlain ? method : "GET", url: ImportedText())
    if !isPlain { scenario.leaveOut("the method of this request", of: &request, line: json.line) }
    let address = json.string == nil ? json["url"] : json
    guard let address, let written = self.address(address, of: &request) else {
      scenario.note(item.line, "a request without an address is left out")
      return nil
    }
    let (url, user) = scenario.url(written, line: address.line)
    request.url = url
    if let user { scenario.authenticate(user, of: &request, line: address.line) }
    headers(json["header"], of: &request)
    authenticate(json["auth"] ?? item["auth"] ?? group.auth, of: &request)
    behavior(item["protocolProfileBehavior"], of: &request)
    if let body = json["body"] {
      let isKept = item["protocolProfileBehavior"]?["disableBodyPruning"]?.bool == true
      self.body(body, of: &request, isKept: isKept)
    }
    connection(json, of: &request)
    return request
  }

  private mutating func behavior(_ json: PlacedJSON?, of request: inout ImportedRequest) {
    for (name, value) in (json?.members ?? []).map({ ($0.name, $0.value) }) {
      switch (name, value.bool) {
      case ("followRedirects", let follows?): request.settings.follow = follows
      case ("strictSSL", let isStrict?): request.settings.insecure = !isStrict
      case ("disableUrlEncoding", let isDisabled?): request.keepsPath = isDisabled
      case ("disableBodyPruning", _): break
      // Durations, which files of other tools have.
      case ("requestTimeout", _): request.timeout = value.text ?? ""
      case ("connectTimeout", _):
        request.settings.set("connect_timeout", ImportedText(value.text ?? ""))
      case ("maxRedirects", _) where value.text.flatMap({ Int($0) }) != nil:
        let count = value.text.flatMap { Int($0) } ?? 0
        if let note = request.settings.limitRedirects(to: count) {
          scenario.note(value.line, note)
        }
      default:
        scenario.leaveOut("the setting '\(name.onOneLine)'", of: &request, line: value.line)
      }
    }
  }

  /// Takes the proxy and the certificate of a request.
  private mutating func connection(_ json: PlacedJSON, of request: inout ImportedRequest) {
    if let proxy = json["proxy"], proxy["disabled"]?.bool != true {
      if let host = proxy["host"]?.text, !host.isEmpty {
        let port = proxy["port"]?.text.map { ":" + $0 } ?? ""
        let address = text(host + port, line: proxy.line)
        scenario.setProxy(address, user: nil, of: &request, line: proxy.line)
      } else {
        scenario.leaveOut("the proxy of this request", of: &request, line: proxy.line)
      }
    }
    guard let certificate = json["certificate"] else { return }
    let files = [("cert", "client_cert"), ("key", "client_key"), ("pfx", "client_pkcs12")]
    for (key, name) in files {
      guard let path = certificate[key]?["src"]?.text, !path.isEmpty else { continue }
      request.settings.set(name, file(path, certificate.line))
    }
    if let passphrase = certificate["passphrase"]?.text, !passphrase.isEmpty {
      let password = text(passphrase, line: certificate.line)
      scenario.setKeyPassword(password, of: &request, line: certificate.line)
    }
    if request.settings.complete.allSatisfy({ !$0.name.hasPrefix("client_") }) {
      scenario.leaveOut(
        "the certificate of this request", of: &request, line: certificate.line)
    }
  }

  // MARK: - Addresses

  private mutating func address(
    _ json: PlacedJSON, of request: inout ImportedRequest
  ) -> ImportedText? {
    var written = (json.string ?? json["raw"]?.string ?? Self.joined(json)).trimmed
    written = String(written.prefix { $0 != "#" })
    let parts = written.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, !path.isEmpty else { return nil }
    var address = self.path(String(path), json["variable"]?.elements ?? [], json.line)
    if json["query"] != nil {
      let query = self.query(json["query"]?.elements ?? [], of: &request)
      if !query.isEmpty { address += ImportedText("?") + query }
    } else if parts.count == 2 {
      address += ImportedText("?") + text(String(parts[1]), line: json.line)
    }
    return withScheme(address)
  }

  /// Returns an address of its parts.
  private static func joined(_ json: PlacedJSON) -> String {
    let host = parts(json["host"], separator: ".")
    if host.isEmpty { return "" }
    let scheme = json["protocol"]?.text.map { $0 + "://" } ?? ""
    let port = json["port"]?.text.map { ":" + $0 } ?? ""
    let path = parts(json["path"], separator: "/")
    return scheme + host + port + (path.isEmpty ? "" : "/" + path)
  }

  private static func parts(_ json: PlacedJSON?, separator: String) -> String {
    json?.text
      ?? (json?.elements ?? []).map { $0.text ?? $0["value"]?.text ?? "" }
      .joined(separator: separator)
  }

  /// Returns the address up to the query, with the values of parts such as `:id`.
  private mutating func path(
    _ written: String, _ variables: [PlacedJSON], _ line: Int
  ) -> ImportedText {
    var result = ImportedText()
    for (index, part) in written.split(separator: "/", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { result.append("/") }
      let name = part.dropFirst()
      let variable = variables.first { $0["key"]?.text.map { $0[...] == name } ?? false }
      guard part.hasPrefix(":"), let variable else {
        result.append(text(String(part), line: line))
        continue
      }
      let value = variable["value"]?.text ?? ""
      if value.isEmpty {
        result.append(self.variable(String(name), line: variable.line))
      } else {
        let value = text(value, line: variable.line).mapLiterals { ImportedText($0.pathEncoded) }
        result.append(scenario.value(value, of: String(name), in: .parameter, line: variable.line))
      }
    }
    return result
  }

  private mutating func query(
    _ list: [PlacedJSON], of request: inout ImportedRequest
  ) -> ImportedText {
    var query = ImportedText()
    for parameter in list {
      let name = parameter["key"]?.text ?? ""
      if isDisabled(parameter, "query parameter", name) { continue }
      let value = parameter["value"]?.text
      if name.isEmpty, value ?? "" == "" { continue }
      if !query.isEmpty { query.append("&") }
      query.append(text(name, line: parameter.line).mapLiterals { ImportedText($0.queryEncoded) })
      guard let value else { continue }
      query.append("=")
      query.append(text(value, line: parameter.line).mapLiterals { ImportedText($0.queryEncoded) })
    }
    return query
  }

  /// Returns an address with the scheme that Postman assumes.
  private func withScheme(_ address: ImportedText) -> ImportedText {
    let start = address.beginning
    if !start.isEmpty {
      return start.contains("://") ? address : ImportedText("http://") + address
    }
    guard let known = known(address), !known.contains("://") else { return address }
    let rest = ImportedText(pieces: address.pieces.dropFirst()).beginning
    return rest.hasPrefix("://") ? address : ImportedText("http://") + address
  }

  // MARK: - Headers

  private mutating func headers(_ json: PlacedJSON?, of request: inout ImportedRequest) {
    for header in json?.elements ?? [] {
      let name = (header["key"]?.text ?? "").trimmed
      if name.isEmpty || isDisabled(header, "header", name) { continue }
      if name.lowercased() == "content-length" {
        scenario.leaveOut("the header 'content-length'", of: &request, line: header.line)
        continue
      }
      let value = text((header["value"]?.text ?? "").onOneLine, line: header.line)
      scenario.addHeader(name.lowercased(), value, to: &request, line: header.line)
    }
    if let text = json?.string, !text.trimmed.isEmpty {
      scenario.leaveOut("headers in one text", of: &request, line: json?.line ?? request.line)
    }
  }

  /// Notes a disabled part.
  mutating func isDisabled(_ part: PlacedJSON, _ kind: String, _ name: String) -> Bool {
    guard part["disabled"]?.bool == true else { return false }
    let shown = String(name.prefix(80)).onOneLine
    scenario.note(part.line, "the disabled \(kind) '\(shown)' is left out")
    return true
  }
}

extension String {
  /// The text with escapes for what would end a part of a path.
  fileprivate var pathEncoded: String {
    replacing("%", with: "%25").replacing("/", with: "%2F").replacing("?", with: "%3F")
      .replacing("#", with: "%23")
  }

  /// The text with escapes for what would end a parameter.
  fileprivate var queryEncoded: String {
    replacing("#", with: "%23").replacing("&", with: "%26")
  }
}

func += (left: inout ImportedText, right: ImportedText) { left.append(right) }
