internal import FlowCore
internal import FlowOpenAPI
internal import FlowRedaction
internal import FlowSystem

/// The bodies of requests, from the examples of a description or from its schemas.
extension OperationBuilder {
  /// Sets the body in the first of these forms that the operation takes: JSON, a form, a form in
  /// parts, text, a file.
  mutating func addBody(to request: inout ImportedRequest) {
    guard let body = operation.body, !body.contents.isEmpty else { return }
    let contents = body.contents.map { (content: $0, form: BodyForm($0.mediaType)) }
    guard let (content, form) = contents.min(by: { $0.form.rawValue < $1.form.rawValue }) else {
      return
    }
    let isRequired = body.isRequired
    switch form {
    case .json: json(content, isRequired, &request)
    case .form: self.form(content, isRequired, &request)
    case .parts: parts(content, isRequired, &request)
    case .text: text(content, isRequired, &request)
    case .file: if isRequired { file(content, &request) }
    }
  }

  /// Returns the first example that the schema allows, or a generated value.
  ///
  /// Nil after noting that there is none.
  private mutating func value(of content: OpenAPIContent) -> Value? {
    let examples = operation.examples(of: content)
    guard let schema = content.schema else { return examples.first ?? .string("text") }
    if let value = examples.lazy.compactMap({ schema.allowed($0) }).first { return value }
    let line = operation.line(of: content)
    if !examples.isEmpty {
      scenario.note(line, "no example of the body of '\(operation.name)' is valid for its schema")
    }
    if let value = schema.sample() { return value }
    scenario.note(line, "no valid body of '\(operation.name)' was found; write it by hand")
    return nil
  }

  private mutating func json(
    _ content: OpenAPIContent, _ isRequired: Bool, _ request: inout ImportedRequest
  ) {
    guard let value = value(of: content).flatMap({ ImportedValue($0) }) else {
      return missing(content, isRequired, &request)
    }
    request.body = .json(scenario.json(hidden(value, of: "", inside: nil), line: request.line))
    addType(content, unless: "application/json", &request)
  }

  /// Takes the body from an input, which the person who imports has to fill.
  private mutating func missing(
    _ content: OpenAPIContent, _ isRequired: Bool, _ request: inout ImportedRequest
  ) {
    guard isRequired else { return }
    if BodyForm(content.mediaType) == .json {
      request.body = .json(.text(scenario.sharedInput("body", type: "any")))
      addType(content, unless: "application/json", &request)
    } else {
      request.body = .text(scenario.sharedInput("body"))
      addType(content, unless: "", &request)
    }
  }

  /// Adds the header of a type that the form of the body does not imply.
  private func addType(
    _ content: OpenAPIContent, unless implied: String, _ request: inout ImportedRequest
  ) {
    let type = content.mediaType
    guard !type.contains("*"), type.lowercased() != implied else { return }
    request.addHeader("content-type", ImportedText(type))
  }

  // MARK: - Forms

  private mutating func form(
    _ content: OpenAPIContent, _ isRequired: Bool, _ request: inout ImportedRequest
  ) {
    guard case .map(let map)? = value(of: content), map.entries.allSatisfy({ $0.value.isFlat })
    else {
      return missing(content, isRequired, &request)
    }
    request.body = .form(
      map.entries.flatMap { entry -> [(name: String, value: ImportedText)] in
        let name = entry.key.interpolated
        let values = if case .list(let values) = entry.value { values } else { [entry.value] }
        return values.map { (name, formText($0, of: name)) }
      })
  }

  private mutating func formText(_ value: Value, of name: String) -> ImportedText {
    let text = value == .null ? "" : value.interpolated
    if CredentialNames.isSecret(name, holding: text) {
      return scenario.sharedInput("body_" + name, isSecret: true)
    }
    return scenario.text(ImportedText(text), line: operation.line)
  }

  private mutating func parts(
    _ content: OpenAPIContent, _ isRequired: Bool, _ request: inout ImportedRequest
  ) {
    guard case .map(let map)? = value(of: content), !map.isEmpty else {
      return missing(content, isRequired, &request)
    }
    var parts: [ImportedValue] = []
    for entry in map.entries {
      let name = entry.key.interpolated
      let isFile = content.schema?.isFile(name) ?? false
      let isText = if case .string = entry.value { true } else { false }
      let text = isText ? entry.value.interpolated : entry.value.json
      let value = isFile ? fileName(name, content) : formText(.string(text), of: name)
      parts.append(
        .map([
          .init(name: "name", value: .text(ImportedText(name))),
          .init(name: isFile ? "file" : "value", value: .text(value)),
        ]))
    }
    request.body = .multipart(parts)
  }

  // MARK: - Texts and files

  private mutating func text(
    _ content: OpenAPIContent, _ isRequired: Bool, _ request: inout ImportedRequest
  ) {
    guard let value = value(of: content) else { return missing(content, isRequired, &request) }
    request.body = .text(scenario.text(ImportedText(value.interpolated), line: request.line))
    addType(content, unless: "", &request)
  }

  private mutating func file(_ content: OpenAPIContent, _ request: inout ImportedRequest) {
    request.body = .file(fileName("body", content))
    addType(content, unless: "", &request)
  }

  private mutating func fileName(_ name: String, _ content: OpenAPIContent) -> ImportedText {
    let file = FileName(name, or: "file").text
    scenario.note(
      operation.line(of: content), "put the file '\(file)' into the scenario's folder")
    return ImportedText(file)
  }

  // MARK: - Secrets

  /// Returns a value with secret inputs in place of the texts of secret names.
  ///
  /// An example is no secret that occurs elsewhere, so its value is not searched for.
  private mutating func hidden(
    _ value: ImportedValue, of name: String, inside secret: String?
  ) -> ImportedValue {
    switch value {
    case .text(let text):
      let written = text.written
      if CredentialNames.isSecret(name, holding: written) {
        return .text(scenario.sharedInput("body_" + name, isSecret: true))
      }
      guard let secret, !CredentialNames.isHarmless(name), !CredentialNames.isPlain(written) else {
        return value
      }
      return .text(scenario.sharedInput("body_" + secret, isSecret: true))
    case .list(let elements):
      return .list(elements.map { hidden($0, of: name, inside: secret) })
    case .map(let entries):
      let outer = CredentialNames.isSecret(name) ? name : secret
      return .map(
        entries.map { .init(name: $0.name, value: hidden($0.value, of: $0.name, inside: outer)) })
    case .null, .bool, .number: return value
    }
  }
}

/// The forms of bodies, the preferred ones first.
private enum BodyForm: Int {
  case json
  case form
  case parts
  case text
  case file

  init(_ mediaType: String) {
    let type = mediaType.prefix { $0 != ";" }.lowercased().trimmed
    switch type {
    case "*/*", "application/*": self = .json
    case "application/x-www-form-urlencoded": self = .form
    case "multipart/form-data": self = .parts
    default:
      self =
        type.hasSuffix("/json") || type.hasSuffix("+json")
        ? .json : type.hasPrefix("text/") ? .text : .file
    }
  }
}

extension Value {
  /// True for a scalar or a list of scalars.
  fileprivate var isFlat: Bool {
    switch self {
    case .map: false
    case .list(let values):
      values.allSatisfy {
        if case .list = $0 { false } else if case .map = $0 { false } else { true }
      }
    default: true
    }
  }
}
