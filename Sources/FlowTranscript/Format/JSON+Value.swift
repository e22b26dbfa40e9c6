package import FlowCore

extension JSONWriter {
  /// A value where its type is known: decimals, instants, durations and bytes are plain strings.
  package mutating func value(_ value: Value, as type: ValueType) {
    switch (type, value) {
    case (.optional(let wrapped), _): self.value(value, as: wrapped)
    case (.list(let element), .list(let values)):
      beginArray()
      for value in values { self.value(value, as: element) }
      endArray()
    case (.map(let element), .map(let map)): members(map, element)
    case (.record, .record(let record)): self.record(record)
    case (.decimal, .decimal(let number)): string(number.description)
    case (.timestamp, .timestamp(let instant)): string(instant.description)
    case (.duration, .duration(let span)): string(span.flowText)
    case (.bytes, .bytes(let bytes)): body(bytes.content)
    case (.uint, .uint(let number)): integer(number)
    default: dynamic(value)
    }
  }

  /// The fields of a record that are not null, in the type's order.
  package mutating func record(_ record: RecordValue) {
    let isEscaped = record.type.hasReservedNames
    if isEscaped { beginLiteral() }
    beginObject()
    for (field, value) in zip(record.type.fields, record.values) {
      if field.isVolatile, placesVolatile {
        placeholder(for: field)
        continue
      }
      // An absent field of any type reads back as null, so it need not be written.
      if case .null = value { continue }
      name(field.name)
      self.value(value, as: field.type)
    }
    endObject()
    if isEscaped { endObject() }
  }

  /// Begins an object that is what its names say, even if they are those of a matcher.
  private mutating func beginLiteral() {
    beginObject()
    name(JSON.literalName)
  }

  /// A value whose type only shows here: what JSON cannot tell apart is an object with a `$` name.
  package mutating func dynamic(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .int(let number): integer(number)
    case .uint(let number): tagged("$uint", String(number))
    case .double(let number): double(number)
    case .decimal(let number): tagged("$decimal", number.description)
    case .string(let text): body(text)
    case .bytes(let bytes):
      beginObject()
      name("$bytes")
      body(bytes.content)
      endObject()
    case .timestamp(let instant): tagged("$timestamp", instant.description)
    case .duration(let span): tagged("$duration", span.flowText)
    case .list(let values):
      beginArray()
      for value in values { dynamic(value) }
      endArray()
    case .map(let map): dynamicMap(map)
    case .record(let record): self.record(record)
    case .type(let name): tagged("$type", name)
    case .optional(let value): dynamic(value ?? .null)
    }
  }

  private mutating func tagged(_ name: String, _ text: String) {
    beginObject()
    self.name(name)
    string(text)
    endObject()
  }

  /// Always with a point or an exponent, so that it does not read back as an integer.
  private mutating func double(_ value: Double) {
    if value.isFinite { return number("\(value)") }
    // Whether it signals, and what else it holds, no expression can tell.
    tagged("$double", value.isNaN ? "nan" : "\(value)")
  }

  /// Members sorted by the bytes of their names: equal maps give equal bytes.
  private mutating func members(_ map: ValueMap, _ element: ValueType) {
    let isEscaped = map.entries.contains { JSON.isReserved($0.key.interpolated) }
    if isEscaped { beginLiteral() }
    beginObject()
    for (key, value) in Self.sorted(map, by: \.interpolated) {
      name(key.interpolated)
      self.value(value, as: element)
    }
    endObject()
    if isEscaped { endObject() }
  }

  private mutating func dynamicMap(_ map: ValueMap) {
    let isPlain = map.entries.allSatisfy { entry in
      if case .string(let key) = entry.key { return key.utf8.first != UInt8(ascii: "$") }
      return false
    }
    if isPlain { return members(map, .dynamic) }
    beginObject()
    name("$map")
    beginArray()
    for (key, value) in Self.sorted(map, by: \.description) {
      beginArray()
      dynamic(key)
      dynamic(value)
      endArray()
    }
    endArray()
    endObject()
  }

  /// By bytes: `<` of strings takes two forms of one accented letter for one, and leaves them as they come.
  private static func sorted(
    _ map: ValueMap, by text: (Value) -> String
  ) -> [(key: Value, value: Value)] {
    let pairs = map.entries.map { (text: text($0.key), key: $0.key, value: $0.value) }
    return pairs.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      .map { ($0.key, $0.value) }
  }
}

extension JSONWriter {
  /// A volatile field: its type, and the zero of that type, which a replay serves.
  ///
  /// Whether an optional one is there may vary as well, so it is always written.
  mutating func placeholder(for field: RecordType.Field) {
    name(field.name)
    beginObject()
    name("$any")
    string(RecordedPattern.Kind(field.type).rawValue)
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
