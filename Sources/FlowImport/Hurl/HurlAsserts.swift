/// Lines of captures and asserts.
extension HurlFile {
  /// Returns the tokens of a line, with templates as expressions.
  private mutating func resolved(_ tokens: [HurlToken], _ line: Int) -> ArraySlice<HurlToken> {
    var resolved: [HurlToken] = []
    for token in tokens {
      switch token {
      case .text(let text):
        let written = text.literal ?? ""
        let isName = resolved.last == .word("variable")
        resolved.append(isName ? .variable(known(written)) : .text(templated(written, line)))
      case .template(let content):
        resolved.append(.value(template(content, line, isText: false)))
      default: resolved.append(token)
      }
    }
    return resolved[...]
  }

  /// Returns the value of a variable, as set by a capture.
  private mutating func known(_ name: String) -> HurlValue {
    let value = variable(name, isText: false)
    if let captured = captured[name] { return captured }
    return HurlValue(Self.ofAnyType(value), .any)
  }

  // MARK: - Asserts

  mutating func assert(_ request: inout ImportedRequest, _ line: Int) throws(ImportError) {
    let start = scanner.position
    let written = try scanner.tokens()
    do throws(HurlProblem) {
      if let condition = try existence(ofVariableIn: written, line) {
        return request.demand(condition)
      }
      var tokens = resolved(written, line)
      let value = try HurlQuery(subject: request.subject).value(&tokens)
      let name = value.name.isEmpty ? Self.variableName(written) : value.name
      noteSplit(value, tokens, line)
      hideSecrets(in: &tokens, of: name, line)
      let condition = try HurlPredicate(value: value).condition(tokens)
      guard condition.utf8.count < 4000 else { throw .gap("an assert this long") }
      request.demand(value.guards)
      request.demand(condition)
      readIDs.insert(request.id)
    } catch {
      switch error {
      case .gap(let what): scenario.leaveOutCondition(what, of: &request, line: line)
      case .malformed(let what): throw scanner.error(what, at: start)
      }
    }
  }

  /// Returns the condition that a variable exists.
  ///
  /// The answer is known at import: a capture or an option has set it, or nothing has.
  private mutating func existence(
    ofVariableIn tokens: [HurlToken], _ line: Int
  ) throws(HurlProblem) -> String? {
    guard tokens.count > 2, tokens[0] == .word("variable"), case .text(let text) = tokens[1],
      let name = text.literal
    else { return nil }
    let isNegated = tokens[2] == .word("not")
    guard tokens.count == (isNegated ? 4 : 3),
      let last = tokens.last, last == .word("exists") || last == .word("exist")
    else { return nil }
    if unreadable.contains(name) { throw .gap("the predicate 'exists' of '\(name)'") }
    let isKnown = variables[name] != nil || scenario.hasInput(name)
    if !isKnown {
      scenario.note(
        line, "nothing in this file sets the variable '\(name)', so 'exists' is false for it")
    }
    return isKnown != isNegated ? "true" : "false"
  }

  /// Notes a header treated as several headers of its name.
  private mutating func noteSplit(
    _ value: HurlValue, _ tokens: ArraySlice<HurlToken>, _ line: Int
  ) {
    let asksForList = tokens.contains(.word("isCollection")) || tokens.contains(.word("isList"))
    guard value.isSplit || value.separator == HurlValue.comma && asksForList else { return }
    scenario.note(
      line, "a header with ', ' in its value is treated as a header that is sent several times")
  }

  /// Returns the name of the asserted variable, or an empty string for another value.
  private static func variableName(_ tokens: [HurlToken]) -> String {
    guard tokens.count > 1, tokens[0] == .word("variable"), case .text(let name) = tokens[1],
      !tokens.contains(.word("count"))
    else { return "" }
    return name.literal ?? ""
  }

  /// Replaces the values compared with a secret by inputs.
  ///
  /// A part of a secret is not a secret by its name.
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
      case .value(let value) where SecretNames.isSecret(name):
        tokens[index] = .value(scenario.compared(value, of: name, line: line))
      case .number(let text):
        if let number = scenario.number(text, of: name, line: line) {
          tokens[index] = .value(number)
        }
      case .bytes(let bytes) where SecretNames.isSecret(name):
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        let hidden = scenario.value(ImportedText(text), of: name, line: line)
        if hidden.literal == nil {
          tokens[index] = .value(ImportedText(expression: "bytes(\(hidden.code))"))
        }
      default: continue
      }
    }
  }

  /// Returns true for a text compared with a cookie's attribute, such as `Path=/`, instead of its
  /// value.
  private static func isCookieAttribute(_ text: ImportedText, _ name: String) -> Bool {
    guard name == "set-cookie" else { return false }
    let harmless = ["path=", "max-age=", "domain=", "expires=", "samesite="]
    let written = text.template.trimmed.lowercased()
    return !written.contains("=") || written.hasSuffix("=")
      || harmless.contains { written.hasPrefix($0) || written.hasPrefix("; " + $0) }
  }

  // MARK: - Captures

  mutating func capture(_ request: inout ImportedRequest, _ line: Int) throws(ImportError) {
    let start = scanner.position
    let written = try scanner.escaped(until: ":#\n").trimmed
    guard scanner.take(":"), !written.isEmpty else {
      throw scanner.error("expected 'name: query'", at: start)
    }
    var tokens = resolved(try scanner.tokens(), line)
    guard let name = name(written, line) else {
      return scenario.leaveOut("a capture whose name is a template", of: &request, line: line)
    }
    do throws(HurlProblem) {
      let isSecret = tokens.last == .word("redact")
      if isSecret { tokens.removeLast() }
      var judged = tokens
      // A capture is judged by the final response.
      let value = try HurlQuery(subject: "steps.\(request.id)").value(&tokens)
      guard tokens.isEmpty else { throw .malformed("unexpected text after the query") }
      if value.kind == .bytes { throw .gap("the query 'bytes' in a capture") }
      let present = try HurlQuery(subject: request.subject).value(&judged)
      request.demand(present.guards)
      if let condition = present.captured { request.demand(condition) }
      if !request.conditions.isEmpty { readIDs.insert(request.id) }
      set(name, to: value)
      if isSecret { noteRedaction(name, line) }
    } catch {
      (variables[name], captured[name]) = (nil, nil)
      unreadable.insert(name)
      switch error {
      case .gap(let what):
        scenario.leaveOut("\(what) for '\(name)'", of: &request, line: line)
      case .malformed(let what): throw scanner.error(what, at: start)
      }
    }
  }

  private mutating func set(_ name: String, to value: HurlValue) {
    variables[name] = ImportedText(expression: value.code)
    var known = HurlValue(value.code, value.kind)
    known.separator = value.separator
    captured[name] = known
    unreadable.remove(name)
  }

  private mutating func noteRedaction(_ name: String, _ line: Int) {
    scenario.note(
      line, "'\(name)' is recorded unhidden; hide it with a pattern under 'redact' in flow.yaml")
  }
}
