internal import FlowSystem

/// The options of an entry.
extension HurlFile {
  /// Takes an option.
  ///
  /// Returns true if it leaves the request out.
  mutating func option(
    _ name: String, _ value: String, of request: inout ImportedRequest, line: Int
  ) throws(ImportError) -> Bool {
    // They were taken before the request.
    if name == "variable" { return false }
    guard let value = self.name(value, line) else {
      if setting(name, value, of: &request, line: line) { return false }
      scenario.leaveOut("the option '\(name)'", of: &request, line: line)
      return false
    }
    switch name {
    case "skip": if value == "true" { return true }
    case "repeat":
      if value == "0" { return true }
      if repetition(value, of: &request) { return false }
    case "max-redirs":
      if redirects(value, of: &request, line: line) { return false }
    case "output":
      if value != "-" { (request.output, login.outputLine) = (value, line) }
      return false
    case "retry", "retry-interval", "delay", "max-time", "connect-timeout":
      if time(name, value, of: &request, line: line) { return false }
    default:
      if ["true", "false"].contains(value), flag(name, value == "true", &request, line) {
        return false
      }
      if setting(name, value, of: &request, line: line) { return false }
    }
    let isOff = value == "false"
    if !isOff { scenario.leaveOut("the option '\(name)'", of: &request, line: line) }
    return false
  }

  /// Takes an option that is on or off, or returns false for another one.
  private mutating func flag(
    _ name: String, _ isOn: Bool, _ request: inout ImportedRequest, _ line: Int
  ) -> Bool {
    switch name {
    case "compressed": expectsCodings = expectsCodings || isOn
    case "path-as-is": request.keepsPath = isOn
    case "insecure": request.settings.insecure = isOn
    case "digest": if isOn { login.way = .digest }
    case "location": request.settings.follow = isOn
    case "location-trusted":
      request.settings.follow = isOn
      if isOn {
        let message = "after a redirect to another server, secrets are not sent as in Hurl"
        scenario.note(line, message)
        request.remarks.append("line \(line): \(message)")
      }
    case "ntlm", "negotiate":
      if isOn { login.way = .unknown }
      return false
    default: return false
    }
    return true
  }

  /// Takes the variables among the options of the starting entry, since the lines before the
  /// options read them, too.
  ///
  /// - Returns: True if they leave the request out.
  mutating func presetVariables() -> Bool {
    var lines = scanner
    var (isInOptions, isSkipped) = (false, false)
    lines.skipLine()
    while lines.skipEmptyLines() {
      let text = lines.restOfLine
      if Self.isResponse(text) || !Self.method(of: text).isEmpty { break }
      if text.hasPrefix("[") { isInOptions = text.hasPrefix("[Options]") }
      if isInOptions, text.hasPrefix("variable:") {
        set(String(text.dropFirst(9).prefix { $0 != "#" }).trimmed, lines.line())
      }
      if isInOptions, text.hasPrefix("skip") || text.hasPrefix("repeat") { isSkipped = true }
      lines.skipLine()
    }
    return isSkipped
  }

  /// Takes `name=value`.
  private mutating func set(_ definition: String, _ line: Int) {
    let parts = definition.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0]).trimmed
    var text = parts.count == 2 ? String(parts[1]).trimmed : ""
    let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    if isQuoted { text = String(text.dropFirst().dropLast()) }
    let value = templated(text, line)
    captured[name] = nil
    if !isQuoted, text.isJSONScalar {
      let isNumber = !["true", "false", "null"].contains(text)
      let secret = isNumber ? scenario.number(text, of: name, line: line) : nil
      variables[name] = secret ?? ImportedText(expression: text)
    } else {
      variables[name] = scenario.value(value, of: name, line: line)
    }
  }

  /// Returns a time in Hurl's form.
  ///
  /// Without a unit it is in seconds or milliseconds, by the option.
  private static func duration(_ text: String, unit: String) -> String? {
    let number = text.prefix { "0"..."9" ~= $0 }
    guard !number.isEmpty, number.utf8.count < 10, let value = Int(number) else { return nil }
    let given = text.dropFirst(number.count)
    guard ["", "ms", "s", "m", "h"].contains(given) else { return nil }
    return "\(value)\(given.isEmpty ? unit : String(given))"
  }

  private mutating func time(
    _ name: String, _ value: String, of request: inout ImportedRequest, line: Int
  ) -> Bool {
    if name == "retry" {
      guard let count = Int(value) else { return false }
      if count < 0 || count > 100 {
        scenario.note(line, "retries are limited to 100")
      }
      request.retry = ((0...100).contains(count) ? count + 1 : 101, request.retry?.backoff ?? "1s")
      return true
    }
    let isMilliseconds = name == "retry-interval" || name == "delay"
    guard let time = Self.duration(value, unit: isMilliseconds ? "ms" : "s"),
      time.contains(where: { "1"..."9" ~= $0 })
    else { return value == "0" }
    switch name {
    case "retry-interval": request.retry = (request.retry?.attempts ?? 1, time)
    case "delay": request.delay = time
    case "max-time": request.timeout = time
    default: request.settings.set("connect_timeout", ImportedText(time))
    }
    return true
  }

  /// Has a loop repeat the request.
  private mutating func repetition(_ value: String, of request: inout ImportedRequest) -> Bool {
    guard let count = Int(value), (1...1000).contains(count) else { return false }
    if count > 1 { request.repetition = (count, scenario.newStep("repeated")) }
    return true
  }

  /// Leaves out a repetition that would hide a step from the requests after it.
  mutating func leaveOutRepetition(of request: inout ImportedRequest) {
    let known = variables.values.map(\.code)
    let isRead = preparations.contains { preparation in
      known.contains { $0.contains("steps.\(preparation.id).") }
    }
    guard request.repetition != nil, isRead else { return }
    request.repetition = nil
    scenario.leaveOut("the option 'repeat' here", of: &request, line: request.line)
  }

  private mutating func redirects(
    _ value: String, of request: inout ImportedRequest, line: Int
  ) -> Bool {
    guard let count = Int(value) else { return false }
    if let note = request.settings.limitRedirects(to: count) { scenario.note(line, note) }
    return true
  }

  private mutating func setting(
    _ name: String, _ value: String, of request: inout ImportedRequest, line: Int
  ) -> Bool {
    let text = templated(value, line)
    switch name {
    case "cacert": request.settings.set("ca_file", text)
    case "cert":
      let file = scenario.certificateFile(text, of: &request, line: line)
      let isPKCS12 = file.written.hasSuffix(".p12")
      request.settings.set(isPKCS12 ? "client_pkcs12" : "client_cert", file)
    case "key": request.settings.set("client_key", text)
    case "proxy": scenario.setProxy(text, user: nil, of: &request, line: line)
    case "unix-socket": request.settings.set("unix_socket", text)
    case "user": login.user = (text, line)
    case "aws-sigv4": login.way = .signature(text)
    case "resolve", "connect-to":
      let route = text.literal.flatMap {
        name == "resolve" ? ImportedRoute(resolving: $0) : ImportedRoute(connecting: $0)
      }
      guard let route else { return false }
      login.routes.append((route, name, line))
    case "user-agent":
      if request.header("user-agent") == nil {
        scenario.addHeader("User-Agent", text, to: &request, line: line)
      }
    case "header":
      guard let (key, rest) = text.split(at: [":"]), let key = key.literal?.trimmed else {
        return false
      }
      scenario.addHeader(key, rest.trimmed, to: &request, line: line)
    default:
      return ["compressed", "verbose", "very-verbose", "verbosity"].contains(name)
    }
    return true
  }
}

/// The user and the server of an entry, as several options say it.
struct HurlLogin {
  enum Way {
    case basic
    case digest
    /// The value of `aws-sigv4`: `aws:amz:region:service`.
    case signature(ImportedText)
    /// A way that no component has.
    case unknown
  }

  var user: (text: ImportedText, line: Int)?
  var way = Way.basic
  /// The line of the option `output`.
  var outputLine = 0
  /// The servers in the place of others, with their options.
  var routes: [(route: ImportedRoute, option: String, line: Int)] = []
}

extension HurlFile {
  /// Adds the user of the options.
  mutating func identify(_ request: inout ImportedRequest) {
    guard let (text, line) = login.user else { return }
    let user = ImportedScenario.User(text: text)
    switch login.way {
    case .basic: scenario.authenticate(user, of: &request, line: line)
    case .digest: scenario.authenticate(user, by: .digest, of: &request, line: line)
    case .unknown: break
    case .signature(let scope): scenario.sign(scope, user, of: &request, line: line)
    }
  }

  /// Leads the request to the server of an option.
  mutating func route(_ request: inout ImportedRequest) {
    for (route, option, line) in login.routes {
      switch route.lead(&request) {
      case .other: continue
      case .led: return
      case .impossible: scenario.leaveOut("the option '\(option)'", of: &request, line: line)
      }
    }
  }

  /// Leaves the file of an answer out if the answer itself is judged, which is in the file alone.
  mutating func leaveOutOutput(of request: inout ImportedRequest) {
    guard request.output != nil else { return }
    let fields = ["text", "json", "bytes"]
    let codes = (request.conditions.map(\.code) + request.captures.map(\.code))
    let isRead =
      request.expected.contains { fields.contains($0.name) }
      || codes.contains { code in
        fields.contains { code.contains("\(request.id).\($0)") || code.contains("it.\($0)") }
      }
    guard isRead else { return }
    request.output = nil
    scenario.leaveOut(
      "the option 'output' of an answer that is judged", of: &request, line: login.outputLine)
  }
}

extension String {
  /// True for a number, a bool or null in JSON.
  var isJSONScalar: Bool {
    if ["true", "false", "null"].contains(self) { return true }
    let digits = hasPrefix("-") ? dropFirst() : self[...]
    return isNumber && digits.utf8.count < 18
      && (digits.count == 1 || !digits.hasPrefix("0") || digits.contains("."))
  }

  /// True for digits with an optional point between two of them and an optional `-` before them.
  var isNumber: Bool {
    let parts = (hasPrefix("-") ? dropFirst() : self[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
  }
}
