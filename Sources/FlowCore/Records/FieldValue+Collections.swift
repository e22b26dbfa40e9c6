extension Optional: FieldValue where Wrapped: FieldValue {
  /// The type `optional(Wrapped.valueType)`.
  public static var valueType: ValueType { .optional(Wrapped.valueType) }
  /// The value as scenarios see it.
  public var encoded: Value { self?.encoded ?? .null }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    if case .null = value { self = nil } else { self = try Wrapped(decoding: value) }
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// The type `list(Element.valueType)`.
  public static var valueType: ValueType { .list(Element.valueType) }
  /// The value as scenarios see it.
  public var encoded: Value { .list(map(\.encoded)) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .list(let values) = value else {
      throw DecodeError(expected: Self.valueType, value)
    }
    self = []
    reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do { append(try Element(decoding: value)) } catch { throw error.inside(index: index) }
    }
  }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
  /// The type `map(Value.valueType)`.
  public static var valueType: ValueType { .map(Value.valueType) }

  /// The entries sorted by key, so that equal dictionaries encode alike.
  public var encoded: FlowCore.Value {
    .map(ValueMap(sorted { $0.key < $1.key }.map { ($0.key, $0.value.encoded) }))
  }

  /// Reads a value of this type.
  public init(decoding value: FlowCore.Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    self = [:]
    for entry in map.entries {
      let key = try String(decoding: entry.key)
      do { self[key] = try Value(decoding: entry.value) } catch { throw error.inside(field: key) }
    }
  }
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// The raw values of all cases.
  public static var valueType: ValueType { .enumeration(allCases.map(\.rawValue)) }

  /// The raw value.
  public var encoded: Value { .string(rawValue) }

  /// The case with this raw value.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .string(let text) = value, let this = Self(rawValue: text) else {
      throw DecodeError(expected: Self.valueType, value)
    }
    self = this
  }
}
