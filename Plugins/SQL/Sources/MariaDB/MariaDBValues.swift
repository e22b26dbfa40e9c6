internal import FlowCore

/// A column of a result.
struct MariaDBColumn: Equatable {
  /// The form in which a value arrives.
  enum Form {
    case integer, unsigned, float, double, text
  }

  let name: String
  /// The number of the type, as in `enum_field_types` of mysql.h.
  let type: Int
  let form: Form
  /// True for the character set `binary`.
  let isBinary: Bool
  let isUnsigned: Bool

  private static let names: [Int: String] = [
    0: "decimal", 1: "tinyint", 2: "smallint", 3: "int", 4: "float", 5: "double", 6: "null",
    7: "timestamp", 8: "bigint", 9: "mediumint", 10: "date", 11: "time", 12: "datetime",
    13: "year", 16: "bit", 245: "json", 246: "decimal", 247: "enum", 248: "set", 255: "geometry",
  ]

  /// The name of the type, such as `int unsigned`.
  var typeName: String {
    if let name = Self.names[type] {
      return isUnsigned && form == .unsigned ? name + " unsigned" : name
    }
    let isLong = 249...252 ~= type
    return isBinary ? (isLong ? "blob" : "varbinary") : (isLong ? "text" : "varchar")
  }

  /// Returns a value of the text that arrived, or the text if flow has no such value.
  func value(of bytes: [UInt8]) -> Value {
    // The character set of a type that is no text is binary, too.
    let isText = Self.names[type] != nil && type != 16 && type != 255
    guard isText || !isBinary, let text = String(validating: bytes, as: UTF8.self) else {
      return .bytes(Bytes(bytes))
    }
    switch type {
    case 0, 246: return Decimal(text).map(Value.decimal) ?? .string(text)
    // The session is in UTC.
    case 7:
      return Timestamp(text.replacing(" ", with: "T") + "Z").map(Value.timestamp) ?? .string(text)
    case 245:
      let value = try? Value(json: bytes)
      return value.flatMap { $0.excess() == nil ? $0 : nil } ?? .string(text)
    default: return .string(text)
    }
  }
}

/// The value of a placeholder.
enum MariaDBParameter: Equatable {
  case null
  case int(Int)
  case uint(UInt)
  case double(Double)
  case decimal(String)
  case text(String)
  case bytes([UInt8])

  /// Creates the value of the placeholder with a number, from 1.
  init(_ value: Value, number: Int) throws(SQLError) {
    switch value {
    case .null, .optional(nil): self = .null
    case .optional(let content?): self = try Self(content, number: number)
    case .bool(let value): self = .int(value ? 1 : 0)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .double(let value):
      guard value.isFinite else {
        throw .parameter(number, "is \(value), which MySQL cannot store")
      }
      self = .double(value)
    case .decimal: self = .decimal(value.interpolated)
    case .number(let value):
      self = try value.isLong ? .decimal(value.text) : Self(value.value, number: number)
    case .bytes(let value): self = .bytes(value.content)
    case .timestamp: self = .text(Self.time(value.interpolated))
    case .list, .map, .record:
      do { self = .text(try value.jsonText()) } catch {
        throw .parameter(number, "cannot be written as JSON: \(error)")
      }
    case .string, .duration, .type: self = .text(value.interpolated)
    }
  }

  /// The form of a moment in UTC: `2026-01-31 08:00:00` instead of `2026-01-31T08:00:00Z`.
  private static func time(_ text: String) -> String {
    text.replacing("T", with: " ").replacing("Z", with: "")
  }

  /// The bytes of a text.
  var bytes: [UInt8]? {
    switch self {
    case .decimal(let text), .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .null, .int, .uint, .double: nil
    }
  }
}
