internal import FlowCore

/// Reads messages into values.
///
/// A message is a map of the fields that it has, by their names in JSON.
struct MessageDecoder {
  private let schema: ProtobufSchema
  /// The number of fields that the schema does not have, and that the value has lost.
  private(set) var unknownCount = 0
  private var valueCount = 0
  private var entryTypes: [MessageField: MessageType] = [:]

  init(_ schema: ProtobufSchema) { self.schema = schema }

  /// A part of a message that is not yet complete.
  private enum Part {
    case value(Value)
    /// The bytes of a message, whose parts may come one after the other.
    case message([UInt8])
    case list([Value])
    case map(ValueMap)
  }

  /// Reads a message.
  ///
  /// - Throws: `ProtobufError`.
  mutating func value(
    _ type: MessageType, _ bytes: ArraySlice<UInt8>, depth: Int = ProtobufError.greatestDepth
  ) throws(ProtobufError) -> Value {
    guard depth > 0 else { throw .tooDeep }
    var parts = [Part?](repeating: nil, count: type.fields.count)
    var reader = WireReader(bytes)
    while !reader.isAtEnd {
      let tag = try reader.tag()
      guard let position = type.position(tag.number) else {
        try skip(tag, &reader, depth)
        continue
      }
      let field = type.fields[position]
      let isRead = try read(field, tag, &parts[position], &reader, depth)
      guard isRead else { continue }
      if let oneof = field.oneof { Self.clear(oneof, except: position, type, &parts) }
    }
    let map = try map(type, parts, depth)
    return try wellKnown(type, map, depth) ?? .map(map)
  }

  private mutating func skip(
    _ tag: WireTag, _ reader: inout WireReader, _ depth: Int
  ) throws(ProtobufError) {
    unknownCount += 1
    try reader.skip(tag, depth: depth)
  }

  private static func clear(
    _ oneof: String, except kept: Int, _ type: MessageType, _ parts: inout [Part?]
  ) {
    for (position, field) in type.fields.enumerated()
    where field.oneof == oneof && position != kept { parts[position] = nil }
  }

  private mutating func count() throws(ProtobufError) {
    valueCount += 1
    guard valueCount <= Value.greatestCount else {
      throw .tooLarge("more than \(Value.greatestCount) values")
    }
  }

  /// Reads a field behind its tag, and returns false for an unknown one.
  private mutating func read(
    _ field: MessageField, _ tag: WireTag, _ part: inout Part?, _ reader: inout WireReader,
    _ depth: Int
  ) throws(ProtobufError) -> Bool {
    try count()
    if case .map(let key) = field.cardinality, tag.type == .length {
      let entry = try reader.bytes()
      return try addEntry(field, key, entry, &part, depth)
    }
    switch field.kind {
    case .message(let name):
      guard let bytes = try content(tag, &reader, depth) else { return false }
      return try add(name, field, bytes, &part, depth)
    case .scalar(let kind) where kind.wireType == .length:
      guard tag.type == .length else { break }
      add(try text(kind, field, reader.bytes()), field, &part)
      return true
    case .scalar, .enumeration:
      let own = field.wireType
      if tag.type == own { return try addNumber(field, try reader.number(own), &part) }
      guard tag.type == .length, field.isRepeated else { break }
      var packed = WireReader(try reader.bytes())
      while !packed.isAtEnd {
        try count()
        _ = try addNumber(field, try packed.number(own), &part)
      }
      if part == nil { part = .list([]) }
      return true
    }
    try skip(tag, &reader, depth)
    return false
  }

  /// Returns the bytes of a message in one of both forms, or nil for a field of another type.
  private mutating func content(
    _ tag: WireTag, _ reader: inout WireReader, _ depth: Int
  ) throws(ProtobufError) -> ArraySlice<UInt8>? {
    switch tag.type {
    case .length: return try reader.bytes()
    case .groupStart: return try reader.group(tag.number, depth: depth)
    default:
      try skip(tag, &reader, depth)
      return nil
    }
  }

  private mutating func add(
    _ name: String, _ field: MessageField, _ bytes: ArraySlice<UInt8>, _ part: inout Part?,
    _ depth: Int
  ) throws(ProtobufError) -> Bool {
    if field.isRepeated {
      add(try value(try schema.message(name), bytes, depth: depth - 1), field, &part)
    } else if case .message(let first)? = part {
      // The next part of a message is merged with it, and bytes behind bytes are just that.
      part = .message(first + bytes)
    } else {
      part = .message(Array(bytes))
    }
    return true
  }

  private func add(_ value: Value, _ field: MessageField, _ part: inout Part?) {
    guard field.isRepeated else {
      part = .value(value)
      return
    }
    var values: [Value] = []
    if case .list(let list)? = part { values = list }
    // Otherwise both would share the list, and each element would copy it.
    part = nil
    values.append(value)
    part = .list(values)
  }

  private mutating func addNumber(
    _ field: MessageField, _ bits: UInt64, _ part: inout Part?
  ) throws(ProtobufError) -> Bool {
    guard let value = try number(field.kind, bits) else {
      unknownCount += 1
      return false
    }
    add(value, field, &part)
    return true
  }

  /// Returns the value of a number, or nil for one that its enum does not have.
  private func number(_ kind: FieldKind, _ bits: UInt64) throws(ProtobufError) -> Value? {
    switch kind {
    case .scalar(let kind): return kind.value(bits)
    case .enumeration(WellKnownTypes.nullValue): return .null
    case .enumeration(let name):
      guard let type = schema.enums[name] else { throw .unknownType(name) }
      let number = Int32(truncatingIfNeeded: bits)
      if let name = type.name(of: number) { return .string(name) }
      return type.isClosed ? nil : .string("\(number)")
    case .message: return nil
    }
  }

  private func text(
    _ kind: ScalarKind, _ field: MessageField, _ bytes: ArraySlice<UInt8>
  ) throws(ProtobufError) -> Value {
    if kind == .bytes { return .bytes(Bytes(Array(bytes))) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalidText(field.name)
    }
    return .string(text)
  }

  // MARK: - Maps

  private mutating func addEntry(
    _ field: MessageField, _ key: ScalarKind, _ bytes: ArraySlice<UInt8>, _ part: inout Part?,
    _ depth: Int
  ) throws(ProtobufError) -> Bool {
    let entry = try entryType(of: field, key)
    let before = unknownCount
    let content = try value(entry, bytes, depth: depth).map ?? ValueMap()
    let value = if let value = content["value"] { value } else { try zero(field.kind, depth - 1) }
    // An entry with an unknown number of a closed enum is unknown as a whole.
    if content["value"] == nil, unknownCount > before, field.isOfClosedEnum(schema) { return false }
    var map = ValueMap()
    if case .map(let earlier)? = part { map = earlier }
    part = nil
    map[.string(key.keyText(content["key"] ?? key.zero))] = value
    part = .map(map)
    return true
  }

  private mutating func entryType(
    of field: MessageField, _ key: ScalarKind
  ) throws(ProtobufError) -> MessageType {
    if let type = entryTypes[field] { return type }
    let type = try MessageType(field.name, [.key(key), .value(field.kind)])
    entryTypes[field] = type
    return type
  }

  /// Returns the value of an absent field.
  private mutating func zero(_ kind: FieldKind, _ depth: Int) throws(ProtobufError) -> Value {
    switch kind {
    case .scalar(let kind): return kind.zero
    case .message(let name): return try value(try schema.message(name), [], depth: depth)
    case .enumeration(let name):
      guard let type = schema.enums[name] else { throw .unknownType(name) }
      return try number(kind, UInt64(bitPattern: Int64(type.first))) ?? .null
    }
  }

  // MARK: - The whole

  private mutating func map(
    _ type: MessageType, _ parts: [Part?], _ depth: Int
  ) throws(ProtobufError) -> ValueMap {
    var map = ValueMap()
    for (field, part) in zip(type.fields, parts) {
      let value: Value
      switch part {
      case nil:
        if field.cardinality == .required { throw .missing("\(type.name).\(field.name)") }
        continue
      case .value(let single)?: value = single
      case .list(let list)?: value = .list(list)
      case .map(let entries)?: value = .map(entries)
      case .message(let bytes)?:
        guard case .message(let name) = field.kind else { continue }
        value = try self.value(try schema.message(name), bytes[...], depth: depth - 1)
      }
      if field.isOmitted(value, schema) { continue }
      map[.string(field.jsonName)] = value
    }
    return map
  }

  private mutating func wellKnown(
    _ type: MessageType, _ map: ValueMap, _ depth: Int
  ) throws(ProtobufError) -> Value? {
    guard type.name == WellKnownTypes.any else { return try WellKnownTypes.value(type, map) }
    let url = map["typeUrl"]?.string ?? ""
    var result = ValueMap([("@type", .string(url))])
    guard case .bytes(let bytes)? = map["value"] ?? .bytes(Bytes([])) else { return nil }
    guard let type = schema.messages[WellKnownTypes.typeName(url)] else {
      // Nothing is known about it, so its bytes stay as they are.
      result[.string("value")] = .bytes(bytes)
      return .map(bytes.content.isEmpty && url.isEmpty ? ValueMap() : result)
    }
    let value = try value(type, bytes.content[...], depth: depth - 1)
    if WellKnownTypes.isSpecial(type.name) {
      result[.string("value")] = value
    } else {
      for entry in value.map?.entries ?? [] { result[entry.key] = entry.value }
    }
    return .map(result)
  }
}

extension MessageField {
  /// The first field of a map's entry.
  static func key(_ kind: ScalarKind) -> MessageField {
    MessageField(
      name: "key", jsonName: "key", number: 1, kind: .scalar(kind), cardinality: .optional)
  }

  /// The second field of a map's entry.
  static func value(_ kind: FieldKind) -> MessageField {
    MessageField(
      name: "value", jsonName: "value", number: 2, kind: kind, cardinality: .optional)
  }

  /// The form of a single number.
  var wireType: WireType {
    switch kind {
    case .scalar(let kind): kind.wireType
    case .enumeration: .varint
    case .message: .length
    }
  }

  fileprivate func isOfClosedEnum(_ schema: ProtobufSchema) -> Bool {
    if case .enumeration(let name) = kind { schema.enums[name]?.isClosed ?? false } else { false }
  }

  /// True for the default of a field that is absent with it.
  func isOmitted(_ value: Value, _ schema: ProtobufSchema) -> Bool {
    guard cardinality == .implicit else {
      if case .list(let list) = value, isRepeated { return list.isEmpty }
      if case .map = cardinality, case .map(let map) = value { return map.isEmpty }
      return false
    }
    switch kind {
    case .scalar(.double), .scalar(.float):
      return (try? ScalarKind.double.bits(value)) == 0
    case .scalar(let kind): return value == kind.zero
    case .enumeration(let name):
      return schema.enums[name].flatMap { $0.name(of: 0) } == value.string || value == .null
    case .message: return false
    }
  }
}
