internal import FlowSystem

/// What crosses the boundary between engine and components: one value of a scenario.
///
/// The kinds are those of CEL (the Common Expression Language, its language definition's "Values"),
/// and `decimal` and `record` beside them.
public enum Value: Sendable {
  /// The absence of a value; also an optional field that is not there.
  case null
  /// True or false.
  case bool(Bool)
  /// A signed whole number of 64 bits.
  case int(Int)
  /// An unsigned whole number of 64 bits.
  case uint(UInt)
  /// A binary floating-point number of 64 bits.
  case double(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// Unicode text.
  case string(String)
  /// Raw bytes.
  case bytes(Bytes)
  /// An instant.
  case timestamp(Timestamp)
  /// A span of time.
  case duration(Duration)
  /// Values in order.
  case list([Value])
  /// Keys (bool, int, uint or string) and values, in the order they were inserted.
  case map(ValueMap)
  /// A component's record: the fields of a known type.
  case record(RecordValue)
  /// A CEL type as a value, by its name. It never crosses the component boundary.
  case type(String)
  /// A CEL optional. It never crosses the component boundary.
  indirect case optional(Value?)
}

// MARK: - Equality

extension Value: Hashable {
  /// Equality as in CEL: numbers by their value across kinds (`1 == 1.0`), NaN unequal to itself,
  /// maps without regard to order, and values of different kinds unequal rather than an error.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a.isIdentical(to: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.list(let a), .list(let b)): a.hasSameElements(as: b)
    case (.map(let a), .map(let b)): a == b
    case (.record(let a), .record(let b)): a == b
    case (.type(let a), .type(let b)): a == b
    case (.optional(let a), .optional(let b)): a == b
    default: NumericValue(left).flatMap { a in NumericValue(right).map { a == $0 } } ?? false
    }
  }

  /// Hashes consistently with `==`: equal numbers of different kinds hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null, .map, .record: hasher.combine(kindName)
    case .bool(let value): hasher.combine(value)
    case .int, .uint, .double, .decimal: NumericValue(self)?.hash(into: &hasher)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value)
    }
  }
}

extension [Value] {
  /// Equality element by element; `==` takes a shared buffer for equal, even one that holds NaN.
  func hasSameElements(as other: [Value]) -> Bool {
    count == other.count && elementsEqual(other)
  }
}

// MARK: - Kinds

extension Value {
  /// The kind's name as messages and CEL's `type()` have it: `int`, `string`, `list`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list: "list"
    case .map: "map"
    case .record: "record"
    case .type: "type"
    case .optional: "optional"
    }
  }
}
