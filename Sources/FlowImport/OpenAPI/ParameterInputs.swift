internal import FlowCore
internal import FlowOpenAPI
internal import FlowRedaction

/// What a scenario needs to know of a parameter.
extension OpenAPIParameter {
  /// Returns true for a text under a secret name, which is never written.
  func isSecret(_ value: Value) -> Bool {
    isPassword || CredentialNames.isSecret(name, holding: value.interpolated, in: .parameter)
  }

  /// True for a text of the format `password`, which users do not see either.
  var isPassword: Bool { schema.flatMap { SchemaPart($0) }?.isPassword ?? false }

  /// True for a list or an object.
  var isCollection: Bool {
    switch type.unwrapped {
    case .list, .map, .record: true
    default: false
    }
  }

  /// The type of an input with the parameter's text.
  var inputType: String {
    switch type.unwrapped {
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
