internal import FlowCore

extension ValueType {
  /// Whether a value of `actual` may stand where this type is asked for.
  ///
  /// Whole numbers widen as `Value.converted(to:)` widens them; what is dynamic is checked when the
  /// step runs.
  func accepts(_ actual: ValueType) -> Bool {
    switch (self, actual) {
    case (.dynamic, _), (_, .dynamic): return true
    case (.optional(let wrapped), .optional(let other)): return wrapped.accepts(other)
    case (.optional(let wrapped), _): return wrapped.accepts(actual)
    case (_, .optional(let other)): return accepts(other)
    case (.decimal, .int), (.decimal, .uint), (.double, .int), (.double, .decimal), (.uint, .int),
      (.int, .uint):
      return true
    case (.enumeration, .string), (.string, .enumeration), (.enumeration, .enumeration):
      return true
    case (.list(let element), .list(let other)): return element.accepts(other)
    case (.map(let element), .map(let other)): return element.accepts(other)
    case (.record, .map): return true
    case (.record(let type), .record(let other)): return type.accepts(other)
    default: return self == actual
    }
  }

  /// The narrowest type that holds the value.
  init(of value: Value) {
    switch value {
    case .null, .type, .optional: self = .dynamic
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .list(let values): self = .list(Self.common(values))
    case .map(let map): self = .map(Self.common(map.entries.map(\.value)))
    case .record(let record): self = .record(record.type)
    }
  }

  private static func common(_ values: [Value]) -> ValueType {
    guard let first = values.first.map({ ValueType(of: $0) }) else { return .dynamic }
    return values.allSatisfy { ValueType(of: $0) == first } ? first : .dynamic
  }
}

extension RecordType {
  fileprivate func accepts(_ other: RecordType) -> Bool {
    if self === other { return true }
    return other.fields.allSatisfy { field in
      self.field(field.name).map { $0.type.accepts(field.type) } ?? false
    }
      && fields.allSatisfy { !$0.isRequired || other.index(of: $0.name) != nil }
  }
}
