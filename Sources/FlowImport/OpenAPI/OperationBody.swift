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
    let part = content.schema.flatMap { SchemaPart($0) }
    let hidden = hidden(value, of: "", inside: nil, part)
    request.body = .json(scenario.json(hidden, line: request.line))
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
    guard case .map(let map)? = value(of: content) else {
      return missing(content, isRequired, &request)
    }
    let whole = content.schema.flatMap { SchemaPart($0) }
    var fields: [(name: String, value: ImportedText)] = []
    for entry in map.entries {
      let name = entry.key.interpolated
      let encoding = operation.encoding(of: name, in: content)
      guard let own = self.fields(name, entry.value, encoding, whole?.member(name)) else {
        return missing(content, isRequired, &request)
      }
      fields += own
    }
    scenario.setForm(fields, of: &request)
  }

  /// Returns the fields of a property, or nil for a value that a form cannot have.
  private mutating func fields(
    _ name: String, _ value: Value, _ encoding: OpenAPIEncoding?, _ part: SchemaPart?
  ) -> [(name: String, value: ImportedText)]? {
    if part?.isPassword == true { return [(name, formText(value, of: name, part))] }
    if let written = try? encoding?.fields(value) {
      return written.map { field in
        let text = field.text.percentDecoded ?? field.text
        return (field.name, formText(.string(text), of: field.name, nil))
      }
    }
    if let type = encoding?.mediaType, type.hasSuffix("json") {
      return [(name, formText(.string(value.json), of: name, part))]
    }
    guard value.isFlat else { return nil }
    let values = if case .list(let values) = value { values } else { [value] }
    return values.enumerated().map { index, element in
      let isList = if case .list = value { true } else { false }
      return (name, formText(element, of: name, isList ? part?.element(index) : part))
    }
  }

  private mutating func formText(
    _ value: Value, of name: String, _ part: SchemaPart?
  ) -> ImportedText {
    let text = value == .null ? "" : value.interpolated
    if CredentialNames.isSecret(name, holding: text) || part?.isPassword == true {
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
    let whole = content.schema.flatMap { SchemaPart($0) }
    var parts: [ImportedValue] = []
    for entry in map.entries {
      let name = entry.key.interpolated
      let part = whole?.member(name)
      guard case .list(let values) = entry.value else {
        parts.append(self.part(name, entry.value, part, 0, content))
        continue
      }
      // A list is several parts of one name.
      for (index, value) in values.enumerated() {
        parts.append(self.part(name, value, part?.element(index), index, content))
      }
    }
    request.body = .multipart(parts)
  }

  /// Returns the part of a form: an object is JSON unless the description says otherwise.
  private mutating func part(
    _ name: String, _ value: Value, _ part: SchemaPart?, _ index: Int, _ content: OpenAPIContent
  ) -> ImportedValue {
    let encoding = operation.encoding(of: name, in: content)
    let isFile = part?.isFile ?? false
    var (isText, type) = (false, encoding?.mediaType)
    switch value {
    case .string: isText = true
    case .map, .list: type = type ?? "application/json"
    default: break
    }
    let text = isText ? value.interpolated : value.json
    let file = index == 0 ? name : "\(name) \(index + 1)"
    var entries: [ImportedValue.Entry] = [
      .init(name: "name", value: .text(ImportedText(name))),
      .init(
        name: isFile ? "file" : "value",
        value: .text(
          isFile ? fileName(file, content) : formText(.string(text), of: name, part))),
    ]
    if let type { entries.append(.init(name: "type", value: .text(ImportedText(type)))) }
    for header in encoding?.headers ?? [] where header.name.isHeaderName {
      guard let example = header.examples.first else {
        scenario.note(
          operation.line(of: content),
          "the header '\(header.name)' of the part '\(name.onOneLine)' has no example")
        continue
      }
      let text = scenario.header(
        header.name, ImportedText(example.interpolated), line: operation.line)
      entries.add(header: .init(name: header.name, value: .text(text)))
    }
    return .map(entries)
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

  /// Returns a value with secret inputs in place of the texts of secret names, and of those that
  /// the schema calls passwords.
  ///
  /// An example is no secret that occurs elsewhere, so its value is not searched for.
  private mutating func hidden(
    _ value: ImportedValue, of name: String, inside secret: String?, _ part: SchemaPart?
  ) -> ImportedValue {
    switch value {
    case .text(let text):
      let written = text.written
      if CredentialNames.isSecret(name, holding: written) || part?.isPassword == true {
        let name = name.isEmpty ? "password" : name
        return .text(scenario.sharedInput("body_" + name, isSecret: true))
      }
      guard let secret, !CredentialNames.isHarmless(name), !CredentialNames.isPlain(written) else {
        return value
      }
      return .text(scenario.sharedInput("body_" + secret, isSecret: true))
    case .list(let elements):
      return .list(
        elements.enumerated().map {
          hidden($1, of: name, inside: secret, part?.element($0))
        })
    case .map(let entries):
      let outer = CredentialNames.isSecret(name) ? name : secret
      return .map(
        entries.map {
          let value = hidden($0.value, of: $0.name, inside: outer, part?.member($0.name))
          return .init(name: $0.name, value: value)
        })
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
