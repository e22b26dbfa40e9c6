internal import FlowCore
internal import FlowPostgreSQL

/// The types of PostgreSQL by number, and the conversion of their texts into values.
struct PostgreSQLTypes {
  // A database's own types have other numbers in each database.
  private var added: [UInt32: String] = [:]

  // https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat
  private static let names: [UInt32: String] = [
    16: "bool", 17: "bytea", 19: "name", 20: "int8", 21: "int2", 23: "int4", 25: "text",
    26: "oid", 114: "json", 700: "float4", 701: "float8", 1042: "bpchar", 1043: "varchar",
    1082: "date", 1083: "time", 1114: "timestamp", 1184: "timestamptz", 1186: "interval",
    1700: "numeric", 2278: "void", 2950: "uuid", 3802: "jsonb",
  ]

  /// Returns the type to send a parameter as, or 0 to let the server infer it.
  ///
  /// A decimal is `numeric`, like a number with a point in a statement. Otherwise the server would
  /// expect a whole number in `$1 / 4` for 10.00.
  static func declared(_ value: Value) -> UInt32 {
    switch value {
    case .decimal: 1700
    case .number(let number): number.isLong ? 1700 : declared(number.value)
    case .optional(let content?): declared(content)
    default: 0
    }
  }

  /// The types of arrays with the types of their elements.
  private static let elements: [UInt32: UInt32] = [
    199: 114, 1000: 16, 1001: 17, 1003: 19, 1005: 21, 1007: 23, 1009: 25, 1014: 1042, 1015: 1043,
    1016: 20, 1021: 700, 1022: 701, 1028: 26, 1115: 1114, 1182: 1082, 1183: 1083, 1185: 1184,
    1187: 1186, 1231: 1700, 2951: 2950, 3807: 3802,
  ]

  /// Returns the name of a type in PostgreSQL's catalogue, or nil before asking the server.
  func name(of type: UInt32) -> String? {
    if let element = Self.elements[type] { return Self.names[element].map { "_" + $0 } }
    return Self.names[type] ?? added[type]
  }

  /// Adds the name of a type received from the server.
  mutating func add(_ name: String, of type: UInt32) { added[type] = name }

  /// Returns true for a type that holds no list.
  static func isScalar(_ type: UInt32) -> Bool {
    names[type] != nil && ![114, 3802].contains(type)
  }

  /// Returns true if a list is written as JSON for this type.
  static func takesJSON(_ type: UInt32?) -> Bool {
    guard let type else { return true }
    return [25, 114, 1043, 3802].contains(type)
  }

  /// Parses a text of a type, or returns it as a string if flow has no such value.
  static func value(_ text: String, _ type: UInt32) -> Value {
    if let element = elements[type] { return list(text, of: element) ?? .string(text) }
    return scalar(text, type) ?? .string(text)
  }

  private static func scalar(_ text: String, _ type: UInt32) -> Value? {
    switch type {
    case 16: .bool(text == "t")
    case 17: bytes(text).map(Value.bytes)
    case 20, 21, 23, 26: Int(text).map(Value.int)
    case 700, 701: Double(text).map(Value.double)
    case 1700: Decimal(text).map(Value.decimal)
    case 1184: instant(text).map(Value.timestamp)
    case 114, 3802: json(text)
    default: nil
    }
  }

  private static func json(_ text: String) -> Value? {
    guard let value = try? Value(json: Array(text.utf8)), value.excess() == nil else { return nil }
    return value
  }

  /// Parses `\x01ff`.
  private static func bytes(_ text: String) -> Bytes? {
    let digits = Array(text.utf8.dropFirst(2))
    guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return Bytes(bytes)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Parses `2026-01-31 08:00:00.5+01`, or returns nil for `infinity`, a year BC, and zones with
  /// seconds.
  private static func instant(_ text: String) -> Timestamp? {
    guard let blank = text.firstIndex(of: " ") else { return nil }
    let time = text[text.index(after: blank)...]
    let zone = time.drop { $0 != "+" && $0 != "-" }
    return Timestamp(text[..<blank] + "T" + time + (zone.contains(":") ? "" : ":00"))
  }

  /// Parses `{1,NULL,"a b"}`, or returns nil for arrays with several dimensions or explicit bounds.
  private static func list(_ text: String, of element: UInt32) -> Value? {
    var rest = Array(text.unicodeScalars)[...]
    guard rest.popFirst() == "{" else { return nil }
    if rest.elementsEqual("}".unicodeScalars) { return .list([]) }
    var values: [Value] = []
    while let (text, isQuoted) = takeElement(&rest) {
      let isNull = !isQuoted && text == "NULL"
      values.append(isNull ? .null : value(text, element))
      switch rest.popFirst() {
      case ",": continue
      case "}": return rest.isEmpty ? .list(values) : nil
      default: return nil
      }
    }
    return nil
  }

  private static func takeElement(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) -> (String, isQuoted: Bool)? {
    var text = String.UnicodeScalarView()
    guard rest.first == "\"" else {
      let plain = rest.prefix { $0 != "," && $0 != "}" && $0 != "{" }
      rest = rest.dropFirst(plain.count)
      text.append(contentsOf: plain)
      return plain.isEmpty ? nil : (String(text), false)
    }
    rest.removeFirst()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard let next = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
      text.append(next)
    }
    return (String(text), true)
  }
}

/// The values of a statement's placeholders as texts, with some of their types.
struct PostgreSQLParameters {
  private(set) var values: [PostgreSQLValue] = []

  /// Adds the next value with the type to send, and a list in the form that its type needs.
  mutating func append(
    _ value: Value, as type: UInt32?, declared: UInt32
  ) throws(SQLError) {
    guard values.count < Self.greatestCount else {
      throw .parameter(values.count + 1, "is one more than PostgreSQL accepts")
    }
    let text: String?
    do { text = try Self.text(value, as: type) } catch {
      throw .parameter(values.count + 1, "cannot be written as JSON: \(error)")
    }
    guard text?.utf8.contains(0) != true else {
      throw .parameter(values.count + 1, "contains a zero byte, which PostgreSQL cannot store")
    }
    values.append(PostgreSQLValue(text, type: declared))
  }

  private static let greatestCount = 65_535

  private static func text(_ value: Value, as type: UInt32?) throws(JSONNumberError) -> String? {
    switch value {
    case .null, .optional(nil): nil
    case .optional(let content?): try text(content, as: type)
    case .bytes(let bytes): "\\x\(bytes)"
    case .list(let elements) where !PostgreSQLTypes.takesJSON(type): try array(elements)
    case .list, .map, .record: try value.jsonText()
    case .number(let number): number.isLong ? number.text : number.value.interpolated
    case .bool, .int, .uint, .double, .decimal, .string, .timestamp, .duration, .type:
      value.interpolated
    }
  }

  /// Returns a list as `{"1",NULL,"a \"b\""}`.
  private static func array(_ elements: [Value]) throws(JSONNumberError) -> String {
    let texts = try elements.map { element throws(JSONNumberError) in
      if case .list(let inner) = element { return try array(inner) }
      guard let text = try text(element, as: nil) else { return "NULL" }
      // Scalar by scalar, since a combining mark after a quote or backslash would join it into
      // another character.
      let scalars = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
      return "\"" + scalars.joined() + "\""
    }
    return "{" + texts.joined(separator: ",") + "}"
  }
}
