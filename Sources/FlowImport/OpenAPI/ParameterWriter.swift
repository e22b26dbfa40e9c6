internal import FlowCore
internal import FlowOpenAPI
internal import FlowRedaction
internal import FlowSystem

/// Writes values of a parameter as texts in its style (OpenAPI 3.1.1, section 4.8.12.4).
struct ParameterWriter {
  private let parameter: OpenAPIParameter

  init(_ parameter: OpenAPIParameter) { self.parameter = parameter }

  /// The text of a value in a path, or nil for an empty one, which no path can have.
  func pathText(_ value: Value) -> String? {
    let (name, explodes) = (parameter.name, parameter.explodes)
    let text: String
    switch parameter.style {
    case .label: text = "." + joined(value, explodes ? "." : ",", Self.encoded)
    case .matrix:
      if explodes, case .list(let values) = value {
        text = values.map { ";\(name)=" + Self.encoded(Self.scalar($0)) }.joined()
      } else if explodes, case .map = value {
        text = ";" + joined(value, ";", Self.encoded)
      } else {
        text = ";\(name)=" + joined(value, ",", Self.encoded)
      }
    default: text = parameter.mediaType == nil ? joined(value, ",", Self.encoded) : value.json
    }
    return text.isEmpty ? nil : text
  }

  /// The fields of a query, a header or a cookie, or nil for a value that they cannot have.
  func fields(_ value: Value) -> [(name: String, text: String)]? {
    let name = parameter.name
    if parameter.mediaType != nil { return [(name, value.json)] }
    if parameter.place == .query || parameter.place == .cookie {
      switch value {
      case .list(let values) where parameter.explodes && parameter.style == .form:
        return values.map { (name, Self.scalar($0)) }
      case .map(let map) where parameter.style == .deepObject:
        return map.entries.map { ("\(name)[\($0.key.interpolated)]", Self.scalar($0.value)) }
      case .map(let map) where parameter.explodes && parameter.style == .form:
        return map.entries.map { ($0.key.interpolated, Self.scalar($0.value)) }
      default: break
      }
    }
    return [(name, joined(value, separator) { $0 })]
  }

  private var separator: String {
    switch parameter.style {
    case .spaceDelimited: " "
    case .pipeDelimited: "|"
    default: ","
    }
  }

  private func joined(
    _ value: Value, _ separator: String, _ encode: (String) -> String
  ) -> String {
    switch value {
    case .list(let values):
      return values.map { encode(Self.scalar($0)) }.joined(separator: separator)
    case .map(let map):
      let pairs = map.entries.map { (encode($0.key.interpolated), encode(Self.scalar($0.value))) }
      let sign = parameter.explodes ? "=" : ","
      return pairs.map { $0.0 + sign + $0.1 }.joined(separator: separator)
    default: return encode(Self.scalar(value))
    }
  }

  private static func scalar(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .list, .map: value.json
    default: value.interpolated
    }
  }

  private static func encoded(_ text: String) -> String {
    Array(text.utf8).percentEncodedText(keeping: "!$'()*:@")
  }

  // MARK: - Inputs

  /// Returns true for a text under a secret name, which is never written.
  static func isSecret(_ parameter: OpenAPIParameter, _ value: Value) -> Bool {
    CredentialNames.isSecret(parameter.name, holding: value.interpolated, in: .parameter)
  }

  /// True for a list or an object.
  static func isCollection(_ parameter: OpenAPIParameter) -> Bool {
    switch parameter.type.unwrapped {
    case .list, .map, .record: true
    default: false
    }
  }

  /// The type of an input with the parameter's text.
  static func inputType(_ parameter: OpenAPIParameter) -> String {
    switch parameter.type.unwrapped {
    case .int, .uint: "int"
    case .bool: "bool"
    case .decimal, .double: "decimal"
    default: "string"
    }
  }
}

extension ImportedValue {
  /// Creates a plain value, or returns nil for one that a scenario cannot have.
  init?(_ value: Value, depth: Int = 60) {
    guard depth > 0 else { return nil }
    switch value {
    case .null: self = .null
    case .bool(let isTrue): self = .bool(isTrue)
    case .int, .uint, .decimal:
      let text = value.interpolated
      guard text.utf8.count < 40 else { return nil }
      self = .number(text)
    case .number(let number) where !number.isLong: self.init(number.value)
    case .string(let text): self = .text(ImportedText(text))
    case .list(let values):
      let elements = values.compactMap { ImportedValue($0, depth: depth - 1) }
      guard elements.count == values.count else { return nil }
      self = .list(elements)
    case .map(let map):
      let entries = map.entries.compactMap { entry -> Entry? in
        let name = entry.key.interpolated
        guard name.isShortName else { return nil }
        return ImportedValue(entry.value, depth: depth - 1).map { Entry(name: name, value: $0) }
      }
      guard entries.count == map.count else { return nil }
      self = .map(entries)
    default: return nil
    }
  }
}
