package import FlowCore
internal import FlowSystem

extension JSON {
  /// A value as a transcript has it, whatever its length.
  package init(_ value: Value, as type: ValueType) {
    var encoder = ValueEncoder()
    self = encoder.json(value, as: type)
  }
}

/// Turns values into the JSON of a transcript.
struct ValueEncoder {
  /// Whether long bodies stand in files of their own.
  var separatesBodies = false
  /// Whether a placeholder stands for what a component declares volatile.
  var placesVolatile = false
  /// The bodies that were left out since they were taken last.
  private var bodies: [(blob: Blob, content: [UInt8])] = []

  init(separatesBodies: Bool = false, placesVolatile: Bool = false) {
    self.separatesBodies = separatesBodies
    self.placesVolatile = placesVolatile
  }

  /// Takes the bodies that have to be kept in files.
  mutating func takeBodies() -> [(blob: Blob, content: [UInt8])] {
    if bodies.isEmpty { return [] }
    defer { bodies = [] }
    return bodies
  }

  /// A value where its type is known: decimals, instants, durations and bytes are plain strings.
  mutating func json(_ value: Value, as type: ValueType) -> JSON {
    switch (type, value) {
    case (.optional(let wrapped), _): json(value, as: wrapped)
    case (.list(let element), .list(let values)): .array(values.map { json($0, as: element) })
    case (.map(let element), .map(let map)): plainMap(map, element)
    case (.record, .record(let record)): self.record(record)
    case (.decimal, .decimal(let number)): .string(number.description)
    case (.timestamp, .timestamp(let instant)): .string(instant.description)
    case (.duration, .duration(let span)): .string(span.flowText)
    case (.bytes, .bytes(let bytes)): body(bytes.content)
    case (.uint, .uint(let number)): .number(String(number))
    default: dynamic(value)
    }
  }

  /// The outputs of a scenario as an object.
  mutating func outputs(_ outputs: [(name: String, value: Value)]) -> JSON {
    .object(outputs.map { JSON.Member($0.name, dynamic($0.value)) })
  }

  /// A value whose type only shows here: what JSON cannot tell apart is an object with a `$` name.
  mutating func dynamic(_ value: Value) -> JSON {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let number): .number(String(number))
    case .uint(let number): Self.tagged("$uint", String(number))
    // Always with a point or an exponent, so that it does not read back as an integer.
    case .double(let number) where number.isFinite: .number("\(number)")
    // No expression can see whether it signals, and what else it holds.
    case .double(let number): Self.tagged("$double", number.isNaN ? "nan" : "\(number)")
    case .decimal(let number): Self.tagged("$decimal", number.description)
    case .string(let text): body(text)
    case .bytes(let bytes): .object([JSON.Member("$bytes", body(bytes.content))])
    case .timestamp(let instant): Self.tagged("$timestamp", instant.description)
    case .duration(let span): Self.tagged("$duration", span.flowText)
    case .list(let values): .array(values.map { dynamic($0) })
    case .map(let map): dynamicMap(map)
    case .record(let record): self.record(record)
    case .type(let name): Self.tagged("$type", name)
    case .optional(let value): dynamic(value ?? .null)
    }
  }

  private static func tagged(_ name: String, _ text: String) -> JSON {
    .object([JSON.Member(name, .string(text))])
  }

  // MARK: - Records and maps

  /// The fields of a record that are not null, in the type's order.
  private mutating func record(_ record: RecordValue) -> JSON {
    var members: [JSON.Member] = []
    members.reserveCapacity(record.values.count)
    for (field, value) in zip(record.type.fields, record.values) {
      if field.isVolatile, placesVolatile {
        members.append(placeholder(for: field))
        continue
      }
      // An absent field of any type reads back as null, so it need not be written.
      if case .null = value { continue }
      members.append(JSON.Member(field.name, json(value, as: field.type)))
    }
    let isEscaped = record.type.fields.contains { JSON.isReserved($0.name) }
    return Self.object(members, isEscaped: isEscaped)
  }

  /// A volatile field: its type, and the zero of that type, which a replay serves.
  ///
  /// Whether an optional one is there may vary as well, so it is always written.
  private func placeholder(for field: RecordType.Field) -> JSON.Member {
    let kind = RecordedPattern.Kind(field.type).rawValue
    let example = JSON(field.type.zero, as: field.type)
    return JSON.Member(
      field.name, .object([.init("$any", .string(kind)), .init("example", example)]))
  }

  /// Members sorted by the bytes of their names: equal maps give equal bytes.
  private mutating func plainMap(_ map: ValueMap, _ element: ValueType) -> JSON {
    let members = Self.sorted(map, by: \.interpolated).map {
      JSON.Member($0.key.interpolated, json($0.value, as: element))
    }
    return Self.object(members, isEscaped: members.contains { JSON.isReserved($0.name) })
  }

  /// An object that is what its names say, even if they are those of a pattern.
  private static func object(_ members: [JSON.Member], isEscaped: Bool) -> JSON {
    isEscaped ? .object([JSON.Member(JSON.literalName, .object(members))]) : .object(members)
  }

  private mutating func dynamicMap(_ map: ValueMap) -> JSON {
    let isPlain = map.entries.allSatisfy { entry in
      if case .string(let key) = entry.key { return key.utf8.first != UInt8(ascii: "$") }
      return false
    }
    if isPlain { return plainMap(map, .dynamic) }
    let pairs = Self.sorted(map, by: \.description).map {
      JSON.array([dynamic($0.key), dynamic($0.value)])
    }
    return .object([JSON.Member("$map", .array(pairs))])
  }

  /// By bytes: `<` of strings takes two forms of one accented letter for one, and leaves them as they come.
  private static func sorted(
    _ map: ValueMap, by text: (Value) -> String
  ) -> [(key: Value, value: Value)] {
    let pairs = map.entries.map { (text: text($0.key), key: $0.key, value: $0.value) }
    return pairs.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      .map { ($0.key, $0.value) }
  }

  // MARK: - Bodies

  /// Text that may be long.
  private mutating func body(_ text: String) -> JSON {
    guard separatesBodies, text.utf8.count > Blob.longestInLine else { return .string(text) }
    return separate(Array(text.utf8), isEncoded: false)
  }

  /// Bytes in base 64, which may be long.
  private mutating func body(_ content: [UInt8]) -> JSON {
    guard separatesBodies, content.count > Blob.longestInLine else {
      return .string(Base64.encode(content))
    }
    return separate(content, isEncoded: true)
  }

  private mutating func separate(_ content: [UInt8], isEncoded: Bool) -> JSON {
    let blob = Blob(of: content, isEncoded: isEncoded)
    bodies.append((blob, content))
    return blob.json
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
