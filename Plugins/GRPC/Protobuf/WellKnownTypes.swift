internal import FlowCore

/// The messages of `google.protobuf` that have forms of their own in JSON, and in scenarios.
enum WellKnownTypes {
  static let any = "google.protobuf.Any"
  static let value = "google.protobuf.Value"
  static let nullValue = "google.protobuf.NullValue"
  static let timestamp = "google.protobuf.Timestamp"
  static let duration = "google.protobuf.Duration"
  static let fieldMask = "google.protobuf.FieldMask"
  static let structure = "google.protobuf.Struct"
  static let list = "google.protobuf.ListValue"
  static let empty = "google.protobuf.Empty"

  /// The messages around one value, with its type.
  static let wrappers: [String: ScalarKind] = [
    "google.protobuf.DoubleValue": .double, "google.protobuf.FloatValue": .float,
    "google.protobuf.Int64Value": .int64, "google.protobuf.UInt64Value": .uint64,
    "google.protobuf.Int32Value": .int32, "google.protobuf.UInt32Value": .uint32,
    "google.protobuf.BoolValue": .bool, "google.protobuf.StringValue": .string,
    "google.protobuf.BytesValue": .bytes,
  ]

  /// Returns true for a message whose form is not that of its fields.
  static func isSpecial(_ name: String) -> Bool {
    [any, value, timestamp, duration, fieldMask, structure, list, empty].contains(name)
      || wrappers[name] != nil
  }

  /// The name of a message in the URL of an `Any`.
  static func typeName(_ url: String) -> String {
    url.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
  }

  // MARK: - From fields

  /// Returns the form of a message in place of its fields, or nil if it has none.
  ///
  /// - Throws: `ProtobufError.malformed` for fields without a meaning.
  static func value(_ type: MessageType, _ map: ValueMap) throws(ProtobufError) -> Value? {
    switch type.name {
    case timestamp:
      guard let time = Timestamp(seconds: seconds(map), nanoseconds: nanoseconds(map)) else {
        throw .malformed("a Timestamp is outside of the years 1 to 9999")
      }
      return .timestamp(time)
    case duration: return try span(map)
    case fieldMask: return .string((map["paths"]?.list ?? []).map(camelCase).joined(separator: ","))
    case structure: return map["fields"] ?? .map(ValueMap())
    case value: return map.entries.first?.value ?? .null
    case list: return map["values"] ?? .list([])
    case empty: return .map(ValueMap())
    default: return wrappers[type.name].map { map["value"] ?? $0.zero }
    }
  }

  private static func seconds(_ map: ValueMap) -> Int { number(map["seconds"]) }
  private static func nanoseconds(_ map: ValueMap) -> Int { number(map["nanos"]) }

  private static func number(_ value: Value?) -> Int {
    if case .int(let number)? = value { number } else { 0 }
  }

  private static let longestDuration = 315_576_000_000

  private static func span(_ map: ValueMap) throws(ProtobufError) -> Value {
    let (seconds, nanoseconds) = (seconds(map), nanoseconds(map))
    guard abs(seconds) <= longestDuration, abs(nanoseconds) < 1_000_000_000,
      seconds.signum() * nanoseconds.signum() >= 0
    else { throw .malformed("a Duration is out of its range") }
    return .duration(.seconds(seconds) + .nanoseconds(nanoseconds))
  }

  private static func camelCase(_ path: Value) -> String {
    var (text, isUpper) = ("", false)
    for character in path.string ?? "" {
      if character == "_" {
        isUpper = true
      } else {
        text += isUpper ? character.uppercased() : String(character)
        isUpper = false
      }
    }
    return text
  }

  // MARK: - To fields

  /// Returns the fields of a message with a form of its own, or nil without one.
  ///
  /// - Throws: `ProtobufError.value`.
  static func fields(_ type: MessageType, _ given: Value) throws(ProtobufError) -> Value? {
    switch type.name {
    case timestamp: return try fields(ofTimestamp: given)
    case duration: return try fields(ofDuration: given)
    case fieldMask: return try fields(ofMask: given)
    case structure: return map("fields", try checked(given, .map(.dynamic)))
    case list: return map("values", try checked(given, .list(.dynamic)))
    case value: return try fields(ofValue: given)
    case empty: return nil
    default: return wrappers[type.name].map { _ in map("value", given) }
    }
  }

  private static func map(_ name: String, _ value: Value) -> Value {
    .map(ValueMap([(name, value)]))
  }

  private static func checked(_ value: Value, _ type: ValueType) throws(ProtobufError) -> Value {
    do { return try value.converted(to: type) } catch {
      throw .value("\(value.summary(limit: 60)) is not a \(type)", at: "")
    }
  }

  private static func fields(ofTimestamp value: Value) throws(ProtobufError) -> Value {
    guard case .timestamp(let time) = try checked(value, .timestamp) else { return .null }
    return .map(
      ValueMap([("seconds", .int(time.seconds)), ("nanos", .int(time.nanoseconds))]))
  }

  private static func fields(ofDuration value: Value) throws(ProtobufError) -> Value {
    guard case .duration(let span) = try checked(value, .duration) else { return .null }
    let (seconds, attoseconds) = span.components
    guard abs(seconds) <= Int64(longestDuration) else {
      throw .value("the duration is longer than 10000 years", at: "")
    }
    return .map(
      ValueMap([
        ("seconds", .int(Int(seconds))), ("nanos", .int(Int(attoseconds / 1_000_000_000))),
      ]))
  }

  private static func fields(ofMask value: Value) throws(ProtobufError) -> Value {
    guard case .string(let text) = try checked(value, .string) else { return .null }
    let paths = text.split(separator: ",").map { path in
      Value.string(
        path.reduce(into: "") { text, character in
          text += character.isUppercase ? "_" + character.lowercased() : String(character)
        })
    }
    return map("paths", .list(paths))
  }

  private static func fields(ofValue value: Value) throws(ProtobufError) -> Value {
    switch value {
    case .null: return map("nullValue", .string("NULL_VALUE"))
    case .bool: return map("boolValue", value)
    case .string: return map("stringValue", value)
    case .list: return map("listValue", value)
    case .map: return map("structValue", value)
    case .record(let record):
      let entries = zip(record.type.fields.map(\.name), record.values).map { ($0, $1) }
      return map("structValue", .map(ValueMap(entries)))
    default: return map("numberValue", try checked(value, .double))
    }
  }
}
