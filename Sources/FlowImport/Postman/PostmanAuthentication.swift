internal import FlowSystem

/// The authentication of a request, of its folder or of the collection.
extension PostmanScenario {
  /// The fields of one kind of authentication: a list of keys and values, or a map of them.
  private struct Fields {
    let list: PlacedJSON?
    let line: Int

    /// The text of a field, empty without it.
    subscript(name: String) -> String {
      let entry = list?.elements.first { $0["key"]?.text == name }
      return entry?["value"]?.text ?? list?[name]?.text ?? ""
    }

    /// The elements of a field that is a list, none without it.
    func elements(_ name: String) -> [PlacedJSON] {
      let entry = list?.elements.first { $0["key"]?.text == name }
      return (entry?["value"] ?? list?[name])?.elements ?? []
    }
  }

  mutating func authenticate(_ auth: PlacedJSON?, of request: inout ImportedRequest) {
    guard let auth, let type = auth["type"]?.text?.lowercased(), type != "noauth" else { return }
    if type != "apikey", request.header("authorization") != nil {
      return scenario.leaveOut(
        "the authentication beside a header 'authorization'", of: &request, line: auth.line)
    }
    let fields = Fields(list: auth[type], line: auth.line)
    switch type {
    case "basic":
      let user = text(fields["username"], line: auth.line)
      basic(user, text(fields["password"], line: auth.line), of: &request, auth.line)
    case "digest": digest(fields, of: &request)
    case "awsv4": sign(fields, of: &request)
    case "oauth2": token(fields, of: &request)
    case "bearer": bearer(text(fields["token"], line: auth.line), of: &request, auth.line)
    case "apikey": key(fields, of: &request)
    default:
      scenario.leaveOut(
        "the authentication '\(String(type.prefix(20)).onOneLine)'", of: &request, line: auth.line)
    }
  }

  private mutating func bearer(
    _ token: ImportedText, of request: inout ImportedRequest, _ line: Int
  ) {
    scenario.addHeader(
      "authorization", ImportedText("Bearer ") + token, to: &request, line: line)
  }

  private mutating func basic(
    _ user: ImportedText, _ password: ImportedText, of request: inout ImportedRequest, _ line: Int
  ) {
    let both = user + ImportedText(":") + password
    let isKnown = both.pieces.allSatisfy { piece in
      guard case .expression(let code) = piece else { return true }
      return code.hasPrefix("inputs.")
    }
    if isKnown, !user.isEmpty, user.split(at: [":"]) == nil {
      return scenario.authenticate(.init(text: both), of: &request, line: line)
    }
    let hidden = scenario.hidden(password, of: "password", line: line)
    let code = (user + ImportedText(":") + hidden).code
    request.addHeader(
      "authorization",
      ImportedText("Basic ") + ImportedText(expression: "base64.encode(bytes(\(code)))"))
  }

  private mutating func digest(_ fields: Fields, of request: inout ImportedRequest) {
    let user = text(fields["username"], line: fields.line)
    let password = text(fields["password"], line: fields.line)
    let hidden = scenario.hidden(
      password.isEmpty ? scenario.input("password") : password, of: "password", line: fields.line)
    request.identify(
      "digest",
      [.text("user", user.isEmpty ? scenario.input("user") : user), .text("password", hidden)])
  }

  private mutating func sign(_ fields: Fields, of request: inout ImportedRequest) {
    if fields["addAuthDataToQuery"] == "true" {
      return scenario.leaveOut("a signature in the query", of: &request, line: fields.line)
    }
    let host = ImportedScenario.awsScope(ofHostIn: request.url)
    func part(_ name: String, or other: ImportedText?) -> ImportedText {
      let written = text(fields[name], line: fields.line)
      return written.isEmpty ? other ?? scenario.input(name) : written
    }
    let scope = [
      part("region", or: host["region"] ?? ImportedText("us-east-1")),
      part("service", or: host["service"]),
    ]
    guard scope.allSatisfy({ $0.literal?.isScopePart ?? true }) else {
      return scenario.leaveOut(
        "a signature of this region or service", of: &request, line: fields.line)
    }
    var entries: [ImportedValue.Entry] = [
      .text("region", scope[0]), .text("service", scope[1]),
      .text("access_key", part("accessKey", or: nil)),
    ]
    for (key, name) in [("secretKey", "secret_key"), ("sessionToken", "session_token")] {
      let written = text(fields[key], line: fields.line)
      if written.isEmpty, name == "session_token" { continue }
      let value = written.isEmpty ? scenario.input(name) : written
      entries.append(.text(name, scenario.hidden(value, of: name, line: fields.line)))
    }
    request.identify("sigv4", entries)
  }

  // MARK: - Tokens

  /// Takes the credentials of a client, or else a token that somebody has to get.
  private mutating func token(_ fields: Fields, of request: inout ImportedRequest) {
    if fields["grant_type"] == "client_credentials", !fields["accessTokenUrl"].isEmpty {
      return clientCredentials(fields, of: &request)
    }
    let given = text(fields["accessToken"], line: fields.line)
    let token = given.isEmpty ? scenario.input("access_token") : given
    if given.isEmpty {
      let kind = fields["grant_type"].isEmpty ? "" : " '\(fields["grant_type"].onOneLine)'"
      scenario.note(
        fields.line,
        "a token of the grant\(kind) is not fetched; it is the input 'access_token'")
    }
    guard fields["addTokenTo"] != "queryParams" else {
      request.query.append(
        ("access_token", scenario.hidden(token, of: "access_token", line: fields.line)))
      return
    }
    let prefix = fields["headerPrefix"].trimmed
    guard prefix.isEmpty || prefix == "Bearer" else {
      return scenario.addHeader(
        "authorization", ImportedText(prefix + " ") + token, to: &request, line: fields.line)
    }
    bearer(token, of: &request, fields.line)
  }

  private mutating func clientCredentials(_ fields: Fields, of request: inout ImportedRequest) {
    let secret = text(fields["clientSecret"], line: fields.line)
    let url = text(fields["accessTokenUrl"], line: fields.line)
    let isWhole = url.literal.map { $0.contains("://") } ?? true
    var entries: [ImportedValue.Entry] = [
      .text("token_url", isWhole ? url : ImportedText("http://") + url),
      .text("client_id", text(fields["clientId"], line: fields.line)),
      .text(
        "client_secret",
        scenario.hidden(
          secret.isEmpty ? scenario.input("client_secret") : secret, of: "client_secret",
          line: fields.line)),
    ]
    let scope = text(fields["scope"], line: fields.line)
    if !scope.isEmpty { entries.append(.text("scope", scope)) }
    let more = tokenParameters(fields, of: &request)
    if !more.isEmpty { entries.append(.init(name: "parameters", value: .map(more))) }
    if fields["client_authentication"] == "body" {
      entries.append(.text("credentials", ImportedText("body")))
    }
    let prefix = fields["headerPrefix"].trimmed
    if fields["addTokenTo"] == "queryParams" || !["", "Bearer"].contains(prefix) {
      scenario.leaveOut(
        "a token elsewhere than behind 'Bearer'", of: &request, line: fields.line)
    }
    request.identify("oauth2", entries)
  }

  /// Returns the further parameters of the request for a token.
  private mutating func tokenParameters(
    _ fields: Fields, of request: inout ImportedRequest
  ) -> [ImportedValue.Entry] {
    var entries = ["audience", "resource"].compactMap { name -> ImportedValue.Entry? in
      fields[name].isEmpty ? nil : .text(name, text(fields[name], line: fields.line))
    }
    for parameter in fields.elements("tokenRequestParams") {
      let name = parameter["key"]?.text ?? ""
      if isDisabled(parameter, "parameter of a token", name) { continue }
      let place = parameter["send_as"]?.text ?? "request_body"
      let isNew = !name.isEmpty && !entries.contains { $0.name == name }
      guard isNew, place == "request_body", parameter["enabled"]?.bool != false else {
        let shown = String(name.prefix(80)).onOneLine
        scenario.leaveOut(
          "the parameter '\(shown)' of a token", of: &request, line: parameter.line)
        continue
      }
      let value = text(parameter["value"]?.text ?? "", line: parameter.line)
      entries.append(.text(name, scenario.value(value, of: name, line: parameter.line)))
    }
    return entries
  }

  private mutating func key(_ fields: Fields, of request: inout ImportedRequest) {
    let name = text(fields["key"], line: fields.line).literal ?? ""
    let value = text(fields["value"], line: fields.line)
    guard !name.isEmpty, name.isShortName else {
      return scenario.leaveOut("the authentication 'apikey'", of: &request, line: fields.line)
    }
    let hidden = scenario.hidden(value, of: name, line: fields.line)
    if fields["in"] == "query" {
      request.query.append((name, hidden))
    } else {
      scenario.addHeader(name.lowercased(), hidden, to: &request, line: fields.line)
    }
  }
}
