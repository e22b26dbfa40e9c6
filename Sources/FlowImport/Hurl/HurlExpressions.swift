/// Templates, captures and asserts.
extension HurlFile {
  // MARK: - Templates

  /// A text with its templates as expressions; in JSON one outside of quotes stands for any value.
  mutating func templated(_ text: String, _ line: Int, isJSON: Bool = false) -> ImportedText {
    var (result, rest, isInside) = (ImportedText(), text[...], false)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      let before = String(rest[..<start.lowerBound])
      isInside = ImportedValue.endsInside(before, from: isInside)
      result.append(before)
      let isText = !isJSON || isInside
      result.append(template(String(rest[start.upperBound..<end.lowerBound]), line, isText: isText))
      rest = rest[end.upperBound...]
    }
    result.append(String(rest))
    return result
  }

  /// The value of what is between `{{` and `}}`.
  private mutating func template(_ content: String, _ line: Int, isText: Bool) -> ImportedText {
    let words = content.trimmed.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let name = words.first else { return ImportedText() }
    if variables[name] == nil, ["newDate", "getEnv"].contains(name) {
      scenario.note(
        line, "the function '\(name)' is not supported; its value is the input '\(name)'")
    }
    let isUUID = variables[name] == nil && name == "newUuid"
    let value = isUUID ? newUUID() : variable(name, isText: isText)
    guard words.count > 1 else { return value }
    do {
      var filters = HurlScanner(content.trimmed)
      filters.advance(name.utf8.count)
      var tokens = ([.word("variable"), .text(value)] + (try filters.tokens()))[...]
      let result = try HurlQuery(subject: "").value(&tokens)
      guard tokens.isEmpty else { throw HurlProblem.gap("a filter") }
      return ImportedText(expression: result.code)
    } catch HurlProblem.gap(let what) {
      scenario.note(line, "\(what) in a template is not supported")
    } catch {
      scenario.note(line, "the filters of a template are not supported")
    }
    return value
  }

  private mutating func newUUID() -> ImportedText {
    let id = scenario.newUUID()
    uuids.append(id)
    return ImportedText(expression: Self.uuid(id))
  }

  /// How the UUID of a step is read.
  static func uuid(_ id: String) -> String { "steps.\(id).uuid" }

  /// What a variable stands for; one that nothing has set is an input.
  mutating func variable(_ name: String, isText: Bool) -> ImportedText {
    guard let value = variables[name] else { return scenario.input(name, isText: isText) }
    if isText, let scalar = value.code.isJSONScalar ? value.code : nil {
      return ImportedText(scalar)
    }
    for piece in value.pieces {
      guard case .expression(let code) = piece else { continue }
      for part in code.split(separator: "steps.").dropFirst(code.hasPrefix("steps.") ? 0 : 1) {
        readIDs.insert(String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
      }
    }
    return value
  }

  // MARK: - Lines of captures and asserts

  /// The tokens of a line, templates in them as expressions.
  private mutating func resolved(_ tokens: [HurlToken], _ line: Int) -> ArraySlice<HurlToken> {
    var resolved: [HurlToken] = []
    for token in tokens {
      switch token {
      case .text(let text):
        let written = text.literal ?? ""
        let isName = resolved.last == .word("variable")
        resolved.append(.text(isName ? variable(written, isText: false) : templated(written, line)))
      case .template(let content):
        resolved.append(.value(template(content, line, isText: false)))
      default: resolved.append(token)
      }
    }
    return resolved[...]
  }

  mutating func assert(_ request: inout ImportedRequest, _ line: Int) throws(ImportError) {
    let start = scanner.position
    let written = try scanner.tokens()
    var tokens = resolved(written, line)
    do throws(HurlProblem) {
      let value = try HurlQuery(subject: request.subject).value(&tokens)
      let name = value.name.isEmpty ? Self.variableName(written) : value.name
      hideSecrets(in: &tokens, of: name, line)
      let condition = try HurlPredicate(value: value).condition(tokens)
      guard condition.utf8.count < 4000 else { throw .gap("an assert this long") }
      request.demand(condition)
      readIDs.insert(request.id)
    } catch {
      switch error {
      case .gap(let what): scenario.leaveOutCondition(what, of: &request, line: line)
      case .malformed(let what): throw scanner.error(what, at: start)
      }
    }
  }

  /// The name of the variable that an assert is about; empty where it is about another value.
  private static func variableName(_ tokens: [HurlToken]) -> String {
    guard tokens.count > 1, tokens[0] == .word("variable"), case .text(let name) = tokens[1],
      !tokens.contains(.word("count"))
    else { return "" }
    return name.literal ?? ""
  }

  /// Takes the values that a secret one is compared with out of the scenario; a part of one is no secret by its name.
  private mutating func hideSecrets(
    in tokens: inout ArraySlice<HurlToken>, of name: String, _ line: Int
  ) {
    let isPartial = tokens.contains { token in
      if case .word(let word) = token { HurlPredicate.partial.contains(word) } else { false }
    }
    let name = isPartial ? "" : name
    for index in tokens.indices {
      switch tokens[index] {
      case .text(let text) where !Self.isCookieAttribute(text, name):
        tokens[index] = .text(scenario.compared(text, of: name, line: line))
      case .value(let value) where SecretNames.isSecretNumber(name):
        tokens[index] = .value(scenario.compared(value, of: name, line: line))
      case .number(let text):
        if let number = scenario.number(text, of: name, line: line) {
          tokens[index] = .value(number)
        }
      case .bytes(let bytes) where SecretNames.isSecret(name):
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        tokens[index] = .text(scenario.value(ImportedText(text), of: name, line: line))
      default: continue
      }
    }
  }

  /// Whether a text is compared with what a cookie has besides its value, such as `Path=/`.
  private static func isCookieAttribute(_ text: ImportedText, _ name: String) -> Bool {
    guard name == "set-cookie" else { return false }
    let harmless = ["path=", "max-age=", "domain=", "expires=", "samesite="]
    let written = text.template.trimmed.lowercased()
    return !written.contains("=") || written.hasSuffix("=")
      || harmless.contains { written.hasPrefix($0) || written.hasPrefix("; " + $0) }
  }

  mutating func capture(_ request: inout ImportedRequest, _ line: Int) throws(ImportError) {
    let start = scanner.position
    let name = try scanner.escaped(until: ":#\n").trimmed
    guard scanner.take(":"), !name.isEmpty else {
      throw scanner.error("expected 'name: query'", at: start)
    }
    var tokens = resolved(try scanner.tokens(), line)
    do throws(HurlProblem) {
      let isSecret = tokens.last == .word("redact")
      if isSecret { tokens.removeLast() }
      // A capture is judged by what the answer was in the end.
      let value = try HurlQuery(subject: "steps.\(request.id)").value(&tokens)
      guard tokens.isEmpty else { throw .malformed("unexpected text after the query") }
      if value.kind == .bytes { throw .gap("the query 'bytes' in a capture") }
      variables[name] = ImportedText(expression: value.code)
      if isSecret { noteRedaction(name, line) }
    } catch {
      variables[name] = nil
      switch error {
      case .gap(let what):
        scenario.leaveOut("\(what) for '\(name)'", of: &request, line: line)
      case .malformed(let what): throw scanner.error(what, at: start)
      }
    }
  }

  private mutating func noteRedaction(_ name: String, _ line: Int) {
    scenario.note(
      line, "'\(name)' is recorded as it is; hide it by a pattern under 'redact' in flow.yaml")
  }
}
