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
    case "compressed":
      if value == "true" { expectsCodings = true }
      return false
    case "repeat":
      if value == "0" { return true }
      if repetition(value, of: &request) { return false }
    case "max-redirs":
      if redirects(value, of: &request, line: line) { return false }
    case "output" where value == "-": return false
    case "location", "location-trusted":
      guard value == "true" || value == "false" else { break }
      request.settings.follow = value == "true"
      if value == "true", name == "location-trusted" {
        let message = "after a redirect to another server, secrets are not sent as in Hurl"
        scenario.note(line, message)
        request.remarks.append("line \(line): \(message)")
      }
      return false
    case "insecure":
      guard value == "true" || value == "false" else { break }
      request.settings.insecure = value == "true"
      return false
    case "retry", "retry-interval", "delay", "max-time", "connect-timeout":
      if time(name, value, of: &request, line: line) { return false }
    default: if setting(name, value, of: &request, line: line) { return false }
    }
    let isOff = value == "false"
    if !isOff { scenario.leaveOut("the option '\(name)'", of: &request, line: line) }
    return false
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
    let isLimited = !(0...1000).contains(count)
    if isLimited { scenario.note(line, "redirects are limited to 1000") }
    request.settings.mostRedirects = isLimited ? 1000 : count
    return true
  }

  private mutating func setting(
    _ name: String, _ value: String, of request: inout ImportedRequest, line: Int
  ) -> Bool {
    let text = templated(value, line)
    switch name {
    case "cacert": request.settings.set("ca_file", text)
    case "cert":
      let parts = text.split(at: [":"])
      if parts != nil {
        scenario.leaveOut("the password of the certificate", of: &request, line: line)
      }
      request.settings.set("client_cert", parts?.before ?? text)
    case "key": request.settings.set("client_key", text)
    case "proxy":
      let isWhole = text.beginning.contains("://")
      let (address, user) = scenario.url(
        isWhole ? text : ImportedText("http://") + text, line: line)
      request.settings.set("proxy", address)
      return user == nil
    case "user": scenario.authenticate(.init(text: text), of: &request, line: line)
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
