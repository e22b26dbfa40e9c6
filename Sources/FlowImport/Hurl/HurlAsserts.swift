internal import FlowRedaction
internal import FlowSystem

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
      case .file(let path):
        resolved.append(.fileBytes(file(templated(path.literal ?? "", line))))
      case .template(let content):
        resolved.append(.value(template(content, line, isText: false)))
      default: resolved.append(token)
      }
    }
    return resolved[...]
  }

  /// Returns the value of a variable, as set by a capture.
  private mutating func known(_ name: String) -> HurlValue {
    known(name, variable(name, isText: false))
  }

  /// The kinds of the variables that steps set.
  private var kinds: [String: HurlValue.Kind] {
    Dictionary(captured.values.map { ($0.code, $0.kind) }) { first, _ in first }
  }

  /// Returns the expression for the bytes of a file, which a step reads before the request.
  mutating func file(_ path: ImportedText) -> String {
    let known = preparations.first { $0.kind == .file(path) }
    let id = known?.id ?? scenario.newID(like: "file")
    if known == nil { preparations.append(.init(id: id, kind: .file(path))) }
    return "steps.\(id).bytes"
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
      judgeHeader(in: written)
      let value = try HurlQuery(subject: request.subject).value(&tokens)
      let name = value.name.isEmpty ? Self.variableName(written) : value.name
      noteSplit(value, tokens, line)
      noteBytes(value, tokens, line)
      // A date is no secret, and its format has to be known.
      hideSecrets(in: &tokens, of: value.dateFormat == nil ? name : "", line)
      let condition = try HurlPredicate(value: value, kinds: kinds).condition(tokens)
      guard condition.utf8.count < 4000 else { throw .gap("an assert this long") }
      // The step expects something before it sets its own variables.
      let readsItself = request.captures.contains { capture in
        tokens.contains { $0.reads(capture.name) }
      }
      let equality = readsItself ? nil : Self.equality(of: value, tokens)
      request.demand(condition, assuming: value.guards, equality: equality)
    } catch {
      switch error {
      case .gap(let what): scenario.leaveOutCondition(what, of: &request, line: line)
      case .malformed(let what): throw scanner.error(what, at: start)
      }
    }
  }

  private mutating func judgeHeader(in tokens: [HurlToken]) {
    guard tokens.count > 2, tokens[0] == .word("header"), case .text(let name) = tokens[1] else {
      return
    }
    let isNegated = tokens.contains(.word("not")) || tokens.contains(.word("!="))
    judge(header: name.literal?.lowercased() ?? "", isExpected: !isNegated)
  }

  /// Keeps in mind that a compressed answer is expected.
  mutating func judge(header name: String, isExpected: Bool) {
    if name == "content-encoding", isExpected { expectsCodings = true }
  }

  /// Returns the field and its value for a comparison of a field with a plain value.
  private static func equality(
    of value: HurlValue, _ tokens: ArraySlice<HurlToken>
  ) -> (place: [String], value: ImportedValue)? {
    guard let place = value.place, tokens.count == 2,
      tokens.first == .word("==") || tokens.first == .word("equals"), let operand = tokens.last
    else { return nil }
    switch operand {
    case .text(let text) where !text.isEmpty: return (place, .text(text.asText))
    case .number(let text) where text.isJSONScalar && text.utf8.count < 16:
      return value.kind == .text ? nil : (place, .number(text))
    case .word("true"): return value.kind == .any ? (place, .bool(true)) : nil
    case .word("false"): return value.kind == .any ? (place, .bool(false)) : nil
    default: return nil
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

  /// Notes that the bytes of a text in another charset than UTF-8 are not known.
  private mutating func noteBytes(
    _ value: HurlValue, _ tokens: ArraySlice<HurlToken>, _ line: Int
  ) {
    guard value.kind == .bytes, value.bytes?.text != nil else { return }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isOther = tokens.contains { token in
      guard case .bytes(let bytes) = token else { return false }
      return String(validating: bytes, as: UTF8.self) == nil || bytes.starts(with: mark)
    }
    guard isOther else { return }
    scenario.note(
      line,
      "if the answer names another charset than UTF-8, or begins with its mark, its bytes are not"
        + " known and this fails")
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
        let isCookie = name == "set-cookie" && text.split(at: ["="]) != nil
        tokens[index] = .text(
          isCookie
            ? scenario.setCookie(text, line: line) : scenario.compared(text, of: name, line: line))
      case .value(let value) where CredentialNames.isSecret(name):
        tokens[index] = .value(scenario.compared(value, of: name, line: line))
      case .number(let text):
        if let number = scenario.number(text, of: name, line: line) {
          tokens[index] = .value(number)
        }
      case .bytes(let bytes) where CredentialNames.isSecret(name):
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
      // A capture is made of the final response.
      let value = try HurlQuery(subject: "steps.\(request.id)").value(&tokens)
      guard tokens.isEmpty else { throw .malformed("unexpected text after the query") }
      let present = try HurlQuery(subject: request.subject).value(&judged)
      // Setting a variable fails without a value, unless it is an empty list.
      let isList = present.kind == .list || !present.requirements.isEmpty
      if request.retry != nil || isList, let condition = present.captured {
        request.demand(condition, assuming: present.guards)
      }
      set(name, to: value, in: &request)
      hide(value, named: name, isRedacted: isSecret, in: &request, line)
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

  /// Has a step set a variable, which keeps the type of its first value.
  private mutating func set(
    _ name: String, to value: HurlValue, in request: inout ImportedRequest
  ) {
    let isKnown = captured[name].map { $0.kind == value.kind } ?? false
    let variable = isKnown ? captured[name]?.code ?? name : newVariable(name)
    request.capture(variable, value.code)
    readIDs.insert(request.id)
    variables[name] = ImportedText(expression: variable)
    if value.kind == .text || value.isDigest { scenario.textVariables.insert(variable) }
    var known = HurlValue(variable, value.kind)
    known.separator = value.separator
    known.isDigest = value.isDigest
    if value.kind == .bytes, !value.isDigest { known.bytes = .init(code: variable) }
    captured[name] = known
    unreadable.remove(name)
  }

  /// Returns a new name for a variable of a scenario.
  private mutating func newVariable(_ name: String) -> String {
    var variable = name.isName ? name : name.scenarioName(or: "value")
    // One letter is the name of an element in a condition.
    if variable.utf8.count == 1 || Self.reserved.contains(variable) { variable += "_value" }
    let base = variable
    var number = 2
    while !variableNames.insert(variable).inserted {
      variable = "\(base)_\(number)"
      number += 1
    }
    return variable
  }

  /// The names with another meaning in expressions.
  private static let reserved: Set<String> = [
    "inputs", "steps", "loop", "repetition", "it", "true", "false", "null", "in", "as", "break",
    "const",
    "continue", "else", "for", "function", "if", "import", "let", "package", "namespace", "return",
    "var", "void", "while", "bool", "int", "uint", "double", "decimal", "string", "bytes", "list",
    "map", "type", "null_type", "google", "optional_type",
  ]

  /// Hides a captured part of an answer with a secret name, and one that the file wants redacted.
  private mutating func hide(
    _ value: HurlValue, named name: String, isRedacted: Bool, in request: inout ImportedRequest,
    _ line: Int
  ) {
    let names = [name] + [value.place?.last].compactMap(\.self)
    guard isRedacted || names.contains(where: { CredentialNames.isSecret($0) }) else { return }
    if let place = value.place { return request.hide("\(FieldPath(place.map { .field($0) }))") }
    guard isRedacted else { return }
    scenario.note(
      line, "'\(name)' is recorded unhidden; hide it with a pattern under 'redact' in flow.yaml")
  }
}

extension HurlToken {
  /// Returns true if the value reads a variable.
  fileprivate func reads(_ name: String) -> Bool {
    switch self {
    case .text(let text), .value(let text):
      text.pieces.contains { piece in
        guard case .expression(let code) = piece else { return false }
        return code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
      }
    default: false
    }
  }
}
