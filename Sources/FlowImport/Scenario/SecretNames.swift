/// Which values never stand in an imported scenario: by the names of what they are for.
enum SecretNames {
  private static let parts = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey",
    "authorization", "credential", "sessionid", "cookie", "signature",
  ]
  private static let words: Set<String> = [
    "auth", "pwd", "pass", "pin", "cvc", "cvv", "jwt", "otp", "session", "sid", "csrf", "xsrf",
  ]

  /// What names something about a secret: `token_type`.
  private static let harmless = [
    "type", "expires", "expiresin", "expiry", "endpoint", "name", "policy", "length", "count",
  ]

  /// Whether a header, parameter, field or variable of this name holds a secret.
  static func isSecret(_ name: String) -> Bool {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
    if harmless.contains(where: { letters.hasSuffix($0) }) { return false }
    if parts.contains(where: { letters.contains($0) }) { return true }
    return name.lowercased().split { !$0.isLetter && !$0.isNumber }
      .contains { words.contains(String($0)) }
  }

  /// The same of a value that is not a text: `max_tokens` counts them.
  static func isSecretNumber(_ name: String) -> Bool {
    isSecret(name) && !name.lowercased().hasSuffix("tokens")
  }
}

extension ImportedScenario {
  /// A value as a scenario may show it: one of a secret name becomes a secret input, and in others what looks like
  /// one loses its value.
  mutating func value(
    _ value: ImportedText, of name: String, line: Int
  ) -> ImportedText {
    guard SecretNames.isSecret(name) else { return text(value, line: line) }
    return hidden(value, of: name, line: line)
  }

  /// The value of a header: of `Authorization` the scheme stays, of `Cookie` the names.
  mutating func header(_ name: String, _ value: ImportedText, line: Int) -> ImportedText {
    switch name.lowercased() {
    case "authorization", "proxy-authorization":
      guard let (scheme, rest) = value.split(at: [" "]), !rest.isEmpty else { break }
      return scheme + ImportedText(" ") + hidden(rest.trimmed, of: name, line: line)
    case "cookie": return cookies(value, line: line)
    default: break
    }
    return self.value(value, of: name, line: line)
  }

  private mutating func cookies(_ value: ImportedText, line: Int) -> ImportedText {
    // Browsers send dozens of them, which are rather given at once.
    if value.components(separatedBy: ";").count > 3, value.literal != nil {
      return hidden(value, of: "cookie", line: line)
    }
    var result = ImportedText()
    for cookie in value.components(separatedBy: ";") {
      if !result.isEmpty { result.append("; ") }
      guard let (name, rest) = cookie.split(at: ["="]) else {
        result.append(hidden(cookie.trimmed, of: "cookie", line: line))
        continue
      }
      let label = name.literal?.trimmed ?? "cookie"
      result.append(name.trimmed + ImportedText("="))
      result.append(hidden(rest, of: "cookie \(label)", line: line))
    }
    return result
  }

  /// A URL without what is secret in it: its user is answered, values of secret parameters become inputs.
  mutating func url(
    _ url: ImportedText, line: Int
  ) -> (url: ImportedText, user: ImportedText?) {
    var (address, user) = (url, ImportedText?.none)
    if let (begin, rest) = userPart(of: url) {
      user = begin.user
      address = begin.scheme + rest
    }
    guard let (path, query) = address.split(at: ["?"]) else { return (address, user) }
    var parameters = ImportedText()
    for (index, parameter) in query.components(separatedBy: "&").enumerated() {
      parameters.append(index == 0 ? "?" : "&")
      guard let (name, rest) = parameter.split(at: ["="]) else {
        parameters.append(parameter)
        continue
      }
      parameters.append(name + ImportedText("=") + value(rest, of: name.literal ?? "", line: line))
    }
    return (path + parameters, user)
  }

  private func userPart(
    of url: ImportedText
  ) -> (begin: (scheme: ImportedText, user: ImportedText), rest: ImportedText)? {
    let scheme = url.beginning.prefix { $0 != ":" }
    guard url.beginning.hasPrefix("\(scheme)://") else { return nil }
    let all = url.template.dropFirst(scheme.utf8.count + 3).prefix { !"/?#".contains($0) }
    guard all.contains("@"), let (before, rest) = url.split(at: ["@"]) else { return nil }
    return ((ImportedText("\(scheme)://"), before.dropFirst(scheme.utf8.count + 3)), rest)
  }

  /// A value of JSON, in which the texts and numbers of secret names become secret inputs.
  mutating func json(_ value: ImportedValue, of name: String = "", line: Int) -> ImportedValue {
    switch value {
    case .text(let text):
      // An expression alone may be a number.
      let isSecret = text == text.asText || SecretNames.isSecretNumber(name)
      return .text(self.value(text, of: isSecret ? name : "", line: line))
    case .list(let elements): return .list(elements.map { json($0, of: name, line: line) })
    case .map(let entries):
      return .map(
        entries.map { .init(name: $0.name, value: json($0.value, of: $0.name, line: line)) })
    case .number(let text): return number(text, of: name, line: line).map { .text($0) } ?? value
    case .null, .bool: return value
    }
  }

  /// Any text, in which `name=value`, `"name": "value"` and `<name>value` of secret names lose their values, and
  /// addresses their passwords.
  mutating func text(_ text: ImportedText, line: Int) -> ImportedText {
    var result = ImportedText()
    for part in SecretText(text).parts {
      result.append(part.secret.map { hidden(part.text, of: $0, line: line) } ?? part.text)
    }
    return result
  }

  /// The user and the password of basic authentication, into the settings of a request.
  mutating func authenticate(
    _ user: ImportedText, of request: inout ImportedRequest, line: Int
  ) {
    let parts = user.split(at: [":"])
    if parts == nil, user.literal == nil { return authenticate(bothOf: user, of: &request, line) }
    let name = parts?.before ?? user
    guard !name.isEmpty else { return }
    let password: ImportedText
    if let parts {
      password = hidden(parts.after, of: "password", line: line)
    } else {
      password = input("password")
      let input = password.code.dropFirst("inputs.".utf8.count)
      note(line, "the user has no password; it is read from the input '\(input)'")
    }
    request.settings.set("user", name)
    request.settings.set("password", password)
  }

  /// A variable has both, as `name:password`.
  private mutating func authenticate(
    bothOf variable: ImportedText, of request: inout ImportedRequest, _ line: Int
  ) {
    let both = hidden(variable, of: "user", line: line)
    let parts = (both.pieces.count == 1 ? both.code : "(\(both.code))") + ".split(':', 2)"
    request.settings.set("user", ImportedText(expression: parts + "[0]"))
    request.settings.set("password", ImportedText(expression: parts + "[1]"))
  }
}
