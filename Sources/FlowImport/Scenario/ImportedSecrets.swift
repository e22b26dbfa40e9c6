internal import FlowRedaction
internal import FlowSystem

/// Values without secrets, which become secret inputs of the same names everywhere.
extension ImportedScenario {
  /// Returns a secret input for the value of a secret name, or any other value without its probable
  /// secrets.
  mutating func value(
    _ value: ImportedText, of name: String, in place: CredentialNames.Place = .field, line: Int
  ) -> ImportedText {
    guard CredentialNames.isSecret(name, holding: value.written, in: place) else {
      return text(value, line: line)
    }
    return hidden(value, of: name, line: line)
  }

  /// Returns the value of a header: of `Authorization` the scheme stays, of `Cookie` the names.
  mutating func header(_ name: String, _ value: ImportedText, line: Int) -> ImportedText {
    switch name.lowercased() {
    case "authorization", "proxy-authorization":
      guard let (scheme, rest) = value.split(at: [" "]), !rest.isEmpty else { break }
      return scheme + ImportedText(" ") + hidden(rest.trimmed, of: name, line: line)
    case "cookie": return cookies(value, line: line)
    default: break
    }
    return self.value(value, of: name, in: .parameter, line: line)
  }

  /// Adds a header without its secrets to a request.
  ///
  /// A name invalid in HTTP is left out.
  mutating func addHeader(
    _ name: String, _ value: ImportedText, to request: inout ImportedRequest, line: Int
  ) {
    guard name.isHeaderName else {
      // It may have anything in it, also a secret.
      return leaveOut("a header with an invalid name", of: &request, line: line)
    }
    request.addHeader(name, header(name, value, line: line))
  }

  private mutating func cookies(_ value: ImportedText, line: Int) -> ImportedText {
    // Browsers send dozens of cookies, so one input for all of them is easier.
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
      let isPlain = rest.literal.map(CredentialNames.isPlain) ?? false
      result.append(isPlain ? rest : hidden(rest, of: "cookie \(label)", line: line))
    }
    return result
  }

  /// Returns the value of a header `Set-Cookie` with a secret input for the value of its cookie.
  mutating func setCookie(_ value: ImportedText, line: Int) -> ImportedText {
    guard let (name, rest) = value.split(at: ["="]), let label = name.literal?.trimmed else {
      return hidden(value, of: "cookie", line: line)
    }
    let (secret, attributes) = rest.split(at: [";"]) ?? (rest, ImportedText())
    let isPlain = secret.literal.map(CredentialNames.isPlain) ?? false
    let hidden = isPlain ? secret : hidden(secret, of: "cookie \(label)", line: line)
    let end = attributes.isEmpty ? attributes : ImportedText(";") + attributes
    return name + ImportedText("=") + hidden + end
  }

  /// Returns any text without the values of secret names, and without passwords in addresses.
  mutating func text(_ text: ImportedText, line: Int) -> ImportedText {
    var result = ImportedText()
    for part in SecretText(text).parts {
      result.append(part.secret.map { hidden(part.text, of: $0, line: line) } ?? part.text)
    }
    return result
  }
}

// MARK: - JSON

extension ImportedScenario {
  /// Returns a JSON value with secret inputs for the texts and numbers of secret names, at any
  /// depth below them.
  mutating func json(_ value: ImportedValue, line: Int) -> ImportedValue {
    json(value, of: "", inside: nil, line)
  }

  /// Returns a member without its secrets.
  ///
  /// `secret` is the name of a secret value around it.
  private mutating func json(
    _ value: ImportedValue, of name: String, inside secret: String?, _ line: Int
  ) -> ImportedValue {
    switch value {
    case .text(let text):
      if CredentialNames.isSecret(name, holding: text.written) {
        return .text(hidden(text, of: name, line: line))
      }
      if let secret, !CredentialNames.isHarmless(name), !CredentialNames.isPlain(text.written) {
        return .text(hidden(text, of: secret, line: line))
      }
      return .text(self.text(text, line: line))
    case .number(let text):
      return number(text, of: name, line: line).map { .text($0) } ?? value
    case .list(let elements):
      let label = elements.count == 2 ? Self.label(elements[0]) : nil
      return .list(elements.map { json($0, of: label ?? name, inside: secret, line) })
    case .map(let entries): return .map(members(entries, of: name, inside: secret, line))
    case .null, .bool: return value
    }
  }

  private mutating func members(
    _ entries: [ImportedValue.Entry], of name: String, inside secret: String?, _ line: Int
  ) -> [ImportedValue.Entry] {
    let secret = CredentialNames.isSecret(name) ? name : secret
    // What a member is may be said by another one: `{"name": "token", "value": "…"}`.
    let label = entries.lazy.filter { SecretFinder.labels.contains($0.name.lowercased()) }
      .compactMap { Self.label($0.value) }.first
    return entries.map { entry in
      let isLabelled = label != nil && SecretFinder.values.contains(entry.name.lowercased())
      let owner = isLabelled ? label ?? entry.name : entry.name
      var copy = entry
      copy.value = json(entry.value, of: owner, inside: secret, line)
      return copy
    }
  }

  /// Returns the text, if it is the name of a secret.
  private static func label(_ value: ImportedValue) -> String? {
    guard case .text(let text) = value, let literal = text.literal,
      literal.utf8.count <= SecretFinder.longestLabel, CredentialNames.isSecret(literal)
    else { return nil }
    return literal
  }
}

// MARK: - Addresses

extension ImportedScenario {
  /// Returns a URL with inputs for the values of secret parameters, and its user separately.
  mutating func url(_ url: ImportedText, line: Int) -> (url: ImportedText, user: User?) {
    var (address, user) = (url, User?.none)
    if let (begin, rest) = userPart(of: url) {
      user = User(text: begin.user, isInAddress: true)
      address = begin.scheme + rest
    }
    let (whole, fragment) = address.split(at: ["#"]) ?? (address, nil)
    var (path, query) = (whole, ImportedText())
    if let parts = whole.split(at: ["?"]) {
      path = parts.before
      query = ImportedText("?") + parameters(parts.after, line)
    }
    let end = fragment.map { ImportedText("#") + text($0, line: line) } ?? ImportedText()
    return (self.text(path, line: line) + query + end, user)
  }

  private mutating func parameters(_ query: ImportedText, _ line: Int) -> ImportedText {
    var parameters = ImportedText()
    for (index, parameter) in query.components(separatedBy: "&").enumerated() {
      if index > 0 { parameters.append("&") }
      guard let (name, value) = parameter.split(at: ["="]) else {
        parameters.append(parameter)
        continue
      }
      parameters.append(name + ImportedText("=") + self.parameter(name, value, line))
    }
    return parameters
  }

  private mutating func parameter(
    _ name: ImportedText, _ value: ImportedText, _ line: Int
  ) -> ImportedText {
    let written = name.literal ?? ""
    // An address inside of an address: as a whole, since only its decoded text says what is in it.
    if let literal = value.literal, literal.contains("%"), let text = literal.formDecoded,
      let secret = SecretText(ImportedText(text)).parts.lazy.compactMap(\.secret).first
    {
      return hidden(value, of: secret, line: line)
    }
    return self.value(value, of: written.formDecoded ?? written, in: .parameter, line: line)
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
}

extension ImportedText {
  /// The literals, with a character absent from every text for each expression.
  var written: String {
    pieces.map { piece in
      if case .literal(let text) = piece { text } else { "\u{F8FF}" }
    }.joined()
  }

  /// The text with the escapes of an address decoded, and invalid escapes unchanged.
  var percentDecoded: ImportedText {
    mapLiterals { ImportedText(PercentEncoding.decode($0) ?? $0) }
  }
}

extension String {
  /// True for a token (RFC 9110, section 5.6.2) that fits into a key of YAML.
  var isHeaderName: Bool {
    !isEmpty && isShortName
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  /// True for a name that fits into a key of YAML, which has at most 1,024 bytes with its escapes.
  var isShortName: Bool { utf8.count <= 200 }
}
