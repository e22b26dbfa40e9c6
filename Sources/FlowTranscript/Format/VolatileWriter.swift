internal import FlowCore

extension JSONWriter {
  /// A volatile field: its type, and the zero of that type, which a replay serves.
  ///
  /// Whether an optional one is there may vary as well, so it is always written.
  mutating func placeholder(for field: RecordType.Field) {
    name(field.name)
    beginObject()
    name("$any")
    string(ValueMatcher.Kind(field.type).rawValue)
    name("example")
    placesVolatile = false
    value(field.type.zero, as: field.type)
    placesVolatile = true
    endObject()
  }
}

extension ValueType {
  /// The value that a replay serves for a volatile field: zero, empty, or the first of some texts.
  var zero: Value {
    switch self {
    case .bool: .bool(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .decimal: .decimal(.zero)
    case .string: .string("")
    case .enumeration(let names): .string(names.first ?? "")
    case .bytes: .bytes(Bytes([]))
    case .timestamp: .timestamp(.epoch)
    case .duration: .duration(.zero)
    case .list: .list([])
    case .map: .map(ValueMap())
    case .record(let type): .record(RecordValue(type, type.fields.map(\.type.zero)))
    case .optional, .dynamic: .null
    }
  }
}

extension RecordType {
  /// Whether a field is called as a matcher is.
  var hasReservedNames: Bool { fields.contains { JSON.isReserved($0.name) } }
}
