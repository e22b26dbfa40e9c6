/// A possible Swift type of a record's field.
///
/// Conform an enum with string cases by `enum Format: String, CaseIterable, FieldValue`, and a
/// struct with its own record by `RecordRepresentable`.
public protocol FieldValue: Sendable {
  /// The type in scenarios.
  ///
  /// Read once, when the record is built.
  static var valueType: ValueType { get }

  /// Reads a value, which the record has already converted to `valueType`.
  ///
  /// - Throws: `DecodeError` if the value has another form all the same.
  init(decoding value: Value) throws(DecodeError)

  /// The value as scenarios see it. Called for every answer, on the component's executor.
  var encoded: Value { get }
}

extension Bool: FieldValue {
  /// The type `bool`.
  public static var valueType: ValueType { .bool }
  /// The value as scenarios see it.
  public var encoded: Value { .bool(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .bool(let content) = value else { throw DecodeError(expected: .bool, value) }
    self = content
  }
}

extension Int: FieldValue {
  /// The type `int`.
  public static var valueType: ValueType { .int }
  /// The value as scenarios see it.
  public var encoded: Value { .int(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .int(let content) = value else { throw DecodeError(expected: .int, value) }
    self = content
  }
}

extension UInt: FieldValue {
  /// The type `uint`.
  public static var valueType: ValueType { .uint }
  /// The value as scenarios see it.
  public var encoded: Value { .uint(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .uint(let content) = value else { throw DecodeError(expected: .uint, value) }
    self = content
  }
}

extension Double: FieldValue {
  /// The type `double`.
  public static var valueType: ValueType { .double }
  /// The value as scenarios see it.
  public var encoded: Value { .double(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .double(let content) = value else { throw DecodeError(expected: .double, value) }
    self = content
  }
}

extension Decimal: FieldValue {
  /// The type `decimal`.
  public static var valueType: ValueType { .decimal }
  /// The value as scenarios see it.
  public var encoded: Value { .decimal(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .decimal(let content) = value else { throw DecodeError(expected: .decimal, value) }
    self = content
  }
}

extension String: FieldValue {
  /// The type `string`.
  public static var valueType: ValueType { .string }
  /// The value as scenarios see it.
  public var encoded: Value { .string(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .string(let content) = value else { throw DecodeError(expected: .string, value) }
    self = content
  }
}

extension Bytes: FieldValue {
  /// The type `bytes`.
  public static var valueType: ValueType { .bytes }
  /// The value as scenarios see it.
  public var encoded: Value { .bytes(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .bytes(let content) = value else { throw DecodeError(expected: .bytes, value) }
    self = content
  }
}

extension Timestamp: FieldValue {
  /// The type `timestamp`.
  public static var valueType: ValueType { .timestamp }
  /// The value as scenarios see it.
  public var encoded: Value { .timestamp(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .timestamp(let content) = value else {
      throw DecodeError(expected: .timestamp, value)
    }
    self = content
  }
}

extension Duration: FieldValue {
  /// The type `duration`.
  public static var valueType: ValueType { .duration }
  /// The value as scenarios see it.
  public var encoded: Value { .duration(self) }
  /// Reads a value of this type.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .duration(let content) = value else {
      throw DecodeError(expected: .duration, value)
    }
    self = content
  }
}

/// Any value at all, for components that pass data through.
extension Value: FieldValue {
  /// The type `any value`.
  public static var valueType: ValueType { .dynamic }
  /// The value as scenarios see it.
  public var encoded: Value { self }
  /// Reads a value of this type.
  public init(decoding value: Value) { self = value }
}

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

  /// The entries sorted by key, so equal dictionaries have equal encodings.
  public var encoded: FlowCore.Value {
    .map(ValueMap(sorted { $0.key < $1.key }.map { ($0.key, $0.value.encoded) }))
  }

  /// Reads a value of this type.
  ///
  /// A dictionary of Swift takes canonically equivalent keys for one, so it refuses a second one
  /// rather than lose its value.
  public init(decoding value: FlowCore.Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    self = [:]
    for entry in map.entries {
      let key = try String(decoding: entry.key)
      if self[key] != nil { throw DecodeError(.equivalentKeys, at: FieldPath([.field(key)])) }
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
