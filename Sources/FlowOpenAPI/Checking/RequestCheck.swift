internal import FlowCore
internal import FlowSchema
internal import FlowSystem

extension OpenAPIOperation {
  /// Returns every contradiction of a request, in the order path, query, headers, cookies, body.
  public func problems(in request: OpenAPIRequest) -> [CallProblem] {
    var check = ContractCheck(self, .request)
    check.checkPath(request.path)
    check.checkQuery(request.query)
    check.checkHeaders(request.headers)
    check.checkBody(request)
    return check.problems
  }
}

extension ContractCheck {
  // MARK: - Parameters

  fileprivate mutating func checkPath(_ path: String) {
    guard let values = operation.pathValues(path) else {
      return add(.otherPath(operation.path), in: "path", actual: .string(path))
    }
    for parameter in operation.parameters where parameter.place == .path {
      guard let text = values.first(where: { $0.name.isIdentical(to: parameter.name) })?.text
      else { continue }
      let field = "path." + parameter.name
      guard let decoded = text.percentDecoded else {
        add(.badEscape, in: field, actual: .string(text))
        continue
      }
      check(text, decoded, parameter, in: field)
    }
  }

  private mutating func check(
    _ text: String, _ decoded: String, _ parameter: OpenAPIParameter, in field: String
  ) {
    if let mediaType = parameter.mediaType {
      return check(decoded, as: mediaType, parameter.schema, in: field)
    }
    let reader = parameterText(parameter)
    let value = allowed(
      reader.value(of: text), reader.decodingFirst.value(of: text), parameter.schema)
    guard let value else {
      let fault = ContractFault.style(parameter.style.rawValue, explodes: parameter.explodes)
      return add(fault, in: field, actual: .string(decoded), at: rule(parameter.origin))
    }
    check(value, parameter.schema, in: field)
  }

  /// The first of two values, unless the schema allows the second alone.
  private func allowed(_ value: Value?, _ other: Value?, _ schema: OpenAPISchema?) -> Value? {
    if let value, value == other || isAllowed(value, schema) { return value }
    return other.flatMap { isAllowed($0, schema) ? $0 : nil } ?? value
  }

  private func isAllowed(_ value: Value, _ schema: OpenAPISchema?) -> Bool {
    var check = ContractCheck(operation, direction)
    check.check(value, schema, in: "")
    return check.problems.isEmpty
  }

  func parameterText(_ parameter: OpenAPIParameter) -> ParameterText {
    ParameterText(
      name: parameter.name, style: parameter.style, explodes: parameter.explodes,
      reader: reader(parameter.schema), place: parameter.place,
      decodesFirst: [.spaceDelimited, .pipeDelimited].contains(parameter.style))
  }

  fileprivate mutating func checkQuery(_ query: [(name: String, value: String)]) {
    let parameters = operation.parameters.filter { $0.place == .query }
    var known = Set(operation.keyNames)
    for parameter in parameters { known.formUnion(checkFields(query, parameter, parameters)) }
    for name in query.map(\.name).unique where !known.contains(where: name.isIdentical) {
      let value = query.first { $0.name == name }?.value
      add(
        .noParameter(name, parameters.map(\.name)), in: "query." + name,
        actual: value.map { .string(FormText.decoded($0)) })
    }
  }

  /// Checks a parameter in a query or in cookies, and returns the names that belong to it.
  @discardableResult
  private mutating func checkFields(
    _ fields: [(name: String, value: String)], _ parameter: OpenAPIParameter,
    _ all: [OpenAPIParameter]
  ) -> Set<String> {
    let reader = parameterText(parameter)
    let field = (parameter.place == .cookie ? "cookies." : "query.") + parameter.name
    let texts = fields.filter { $0.name.isIdentical(to: parameter.name) }
      .map { reader.decoded($0.value) }
    if let mediaType = parameter.mediaType {
      guard let text = texts.first else {
        require(parameter, in: field)
        return []
      }
      if texts.count > 1 {
        add(.repeated(texts.count), in: field, actual: .string(text), at: rule(parameter.origin))
      }
      check(text, as: mediaType, parameter.schema, in: field)
      return [parameter.name]
    }
    if parameter.allowsEmptyValue, texts == [""] { return [parameter.name] }
    let names = all.map(\.name)
    let (strict, used, isMalformed) = reader.value(in: fields, declared: names)
    let value = allowed(
      strict, reader.decodingFirst.value(in: fields, declared: names).value, parameter.schema)
    if isMalformed, value == nil {
      let fault =
        texts.count > 1
        ? ContractFault.repeated(texts.count)
        : .style(parameter.style.rawValue, explodes: parameter.explodes)
      add(fault, in: field, actual: texts.first.map { .string($0) }, at: rule(parameter.origin))
    } else if let value {
      check(value, parameter.schema, in: field)
    } else {
      require(parameter, in: field)
    }
    return used
  }

  private mutating func require(_ parameter: OpenAPIParameter, in field: String) {
    guard parameter.isRequired else { return }
    let fault = ContractFault.lacks("\(parameter.place.rawValue) parameter", parameter.name)
    add(fault, in: field, at: rule(parameter.origin))
  }

  fileprivate mutating func checkHeaders(_ headers: [(name: String, value: String)]) {
    for parameter in operation.parameters where parameter.place == .header {
      let name = parameter.name.lowercased()
      let texts = headers.filter { $0.name.lowercased() == name }.map(\.value)
      if texts.isEmpty {
        require(parameter, in: "headers." + name)
      } else {
        let text = texts.joined(separator: ",")
        check(text, text, parameter, in: "headers." + name)
      }
    }
    checkCookies(headers.filter { $0.name.lowercased() == "cookie" }.map(\.value))
  }

  private mutating func checkCookies(_ headers: [String]) {
    let cookies = headers.flatMap { $0.split(separator: ";") }.map { part in
      let pair = part.trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(pair[0])
      return (name.percentDecoded ?? name, value: pair.count > 1 ? String(pair[1]) : "")
    }
    let parameters = operation.parameters.filter { $0.place == .cookie }
    for parameter in parameters { checkFields(cookies, parameter, parameters) }
  }

  // MARK: - Bodies

  fileprivate mutating func checkBody(_ request: OpenAPIRequest) {
    guard let field = request.body.field else {
      if let body = operation.body, body.isRequired {
        add(.noBody(body.contents.map(\.mediaType)), in: "body", at: rule(body.origin))
      }
      return
    }
    guard let body = operation.body else {
      return add(.undeclaredBody(operation.name), in: field, actual: request.body.value)
    }
    let mediaType =
      request.contentType ?? request.headers.contentType ?? request.body.usualMediaType
    guard let content = body.contents.content(for: mediaType) else {
      let names = body.contents.map(\.mediaType)
      return add(
        .mediaType(mediaType, names), in: "headers.content-type", actual: .string(mediaType),
        at: rule(body.origin))
    }
    check(request.body, content, mediaType, in: field)
  }

  private mutating func check(
    _ body: OpenAPIRequest.Body, _ content: OpenAPIContent, _ mediaType: String, in field: String
  ) {
    switch body {
    case .none, .bytes: return
    case .json(let value): check(value, content.schema, in: field)
    case .form(let fields): checkForm(fields, content, in: field)
    case .multipart(let names): checkParts(names, content, in: field)
    case .text(let text): checkText(text, content, mediaType, in: field)
    }
  }

  private mutating func checkForm(
    _ fields: [(name: String, value: String)], _ content: OpenAPIContent, in field: String
  ) {
    guard let schema = content.schema else { return }
    let text = ParameterText(
      name: "", style: .form, explodes: true, reader: reader(schema), place: .query)
    var (rest, encoded) = (fields, [(String, Value)]())
    if let reader = text.reader {
      for name in reader.names(of: reader.code.root) {
        guard let node = reader.member(of: reader.code.root, name),
          let encoding = operation.encoding(of: name, in: content),
          let read = encoding.value(in: fields, reader.code, node, named: name)
        else { continue }
        encoded.append((name, read.value))
        rest.removeAll { read.names.contains($0.name) }
      }
    }
    guard case .map(let plain) = text.object(rest.map { ($0.name, $0.value) }) else { return }
    var values = plain
    for (name, value) in encoded { values[.string(name)] = value }
    check(.map(values), schema, in: field)
  }

  /// Only the names of parts are known.
  private mutating func checkParts(_ names: [String], _ content: OpenAPIContent, in field: String) {
    guard let schema = content.schema, let reader = reader(schema) else { return }
    let rule = schema.store.rule(schema.location)
    let root = reader.code.root
    for name in reader.required(in: root) where !names.contains(where: name.isIdentical) {
      add(.lacks("part", name), in: field, at: rule)
    }
    let known = reader.names(of: root)
    guard !reader.allowsOthers(root) else { return }
    for name in names.unique where !known.contains(where: name.isIdentical) {
      add(.noPart(name, known), in: field, at: rule)
    }
  }

  private mutating func checkText(
    _ text: String, _ content: OpenAPIContent, _ mediaType: String, in field: String
  ) {
    let kind = MediaType(mediaType)
    if kind.isForm {
      checkForm(FormText.fields(text), content, in: field)
    } else if kind.isJSON || kind.isText {
      check(text, as: mediaType, content.schema, in: field)
    }
  }
}

extension OpenAPIRequest.Body {
  /// The name of the field with the body, or nil without one.
  var field: String? {
    switch self {
    case .none: nil
    case .json: "json"
    case .form: "form"
    case .multipart: "multipart"
    case .text: "text"
    case .bytes: "body"
    }
  }

  /// The value for a message.
  var value: Value? {
    switch self {
    case .json(let value): value
    case .text(let text): .string(text)
    case .form(let fields): .map(ValueMap(fields.map { ($0.name, .string($0.value)) }))
    case .multipart(let names): .list(names.map { .string($0) })
    case .none, .bytes: nil
    }
  }

  fileprivate var usualMediaType: String {
    switch self {
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded"
    case .multipart: "multipart/form-data"
    case .text: "text/plain"
    case .none, .bytes: "application/octet-stream"
    }
  }
}

/// The text of a form: `a=1&b=x%20y`.
enum FormText {
  /// Returns the decoded names and values.
  static func fields(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(pair[0]), pair.count > 1 ? decoded(pair[1]) : "")
    }
  }

  static func decoded(_ text: some StringProtocol) -> String {
    PercentEncoding.decodeForm(text) ?? String(text).replacing("+", with: " ")
  }
}
