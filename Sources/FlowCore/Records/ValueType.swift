/// What kind of value a field, an input or an answer holds.
public indirect enum ValueType: Sendable, Hashable {
  /// True or false.
  case bool
  /// A signed whole number of 64 bits.
  case int
  /// An unsigned whole number of 64 bits.
  case uint
  /// A binary floating-point number.
  case double
  /// An exact decimal number.
  case decimal
  /// Unicode text.
  case string
  /// One of a few texts, in the order they were declared.
  case enumeration([String])
  /// Raw bytes.
  case bytes
  /// An instant.
  case timestamp
  /// A span of time.
  case duration
  /// Values of one type in order.
  case list(ValueType)
  /// Values of one type by text keys.
  case map(ValueType)
  /// Named fields, each with its own type.
  case record(RecordType)
  /// A value of the type, or null.
  case optional(ValueType)
  /// Any value; what it is shows only at run time.
  case dynamic
}

extension ValueType: CustomStringConvertible {
  /// The name messages use: `decimal`, `list(string)`, `optional(int)`.
  public var description: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .enumeration(let names): names.map { "'\($0)'" }.joined(separator: " or ")
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list(\(element))"
    case .map(let element): "map(\(element))"
    case .record: "record"
    case .optional(let wrapped): "optional(\(wrapped))"
    case .dynamic: "any value"
    }
  }
}

extension ValueType {
  /// Whether a record in it has a field that is secret.
  var hasSecrets: Bool {
    switch self {
    case .record(let record): record.hasSecrets
    case .list(let element), .map(let element), .optional(let element): element.hasSecrets
    default: false
    }
  }
}
