internal import FlowCore

/// Writes values as messages, always with the same bytes for equal values.
///
/// Fields are in the order of their numbers, and entries of maps in that of their keys.
struct MessageEncoder {
  private let schema: ProtobufSchema

  init(_ schema: ProtobufSchema) { self.schema = schema }

  /// Returns the bytes of a message.
  ///
  /// - Throws: `ProtobufError`.
  func bytes(
    _ type: MessageType, _ value: Value, depth: Int = ProtobufError.greatestDepth
  ) throws(ProtobufError) -> [UInt8] {
    guard depth > 0 else { throw .tooDeep }
    if type.name == WellKnownTypes.any { return try any(type, value, depth) }
    return try plain(type, try WellKnownTypes.fields(type, value) ?? value, depth)
  }

  private func plain(
    _ type: MessageType, _ value: Value, _ depth: Int
  ) throws(ProtobufError) -> [UInt8] {
    var values = [Int: Value]()
    for (name, value) in try Self.entries(value, of: type) {
      guard let field = type.field(named: name) else {
        throw .value("\(type.name) has no field '\(name)'", at: "")
      }
      guard value != .null || takesNull(field) else { continue }
      guard values.updateValue(value, forKey: field.number) == nil else {
        throw .value("the field '\(name)' is given twice", at: "")
      }
    }
    try checkOneofs(type, values)
    var writer = WireWriter()
    for field in type.fields {
      guard let value = values[field.number] else {
        if field.cardinality == .required { throw .missing("\(type.name).\(field.name)") }
        continue
      }
      do throws(ProtobufError) { try write(field, value, &writer, depth) } catch {
        throw error.inside(field.jsonName)
      }
    }
    return writer.bytes
  }

  /// The present fields, by their names.
  private static func entries(
    _ value: Value, of type: MessageType
  ) throws(ProtobufError) -> [(String, Value)] {
    switch value {
    case .map(let map): return map.entries.map { ($0.key.interpolated, $0.value) }
    case .record(let record):
      // A record has all fields, and null for an absent one.
      return zip(record.type.fields, record.values).compactMap { field, value in
        value == .null ? nil : (field.name, value)
      }
    default: throw .value("\(value.summary(limit: 60)) is not a message \(type.name)", at: "")
    }
  }

  /// True for a field for which null is a value.
  private func takesNull(_ field: MessageField) -> Bool {
    guard !field.isRepeated else { return false }
    if case .map = field.cardinality { return false }
    return field.kind == .message(WellKnownTypes.value)
      || field.kind == .enumeration(WellKnownTypes.nullValue)
  }

  private func checkOneofs(
    _ type: MessageType, _ values: [Int: Value]
  ) throws(ProtobufError) {
    var present: [String: String] = [:]
    for field in type.fields where values[field.number] != nil {
      guard let oneof = field.oneof else { continue }
      if let other = present.updateValue(field.jsonName, forKey: oneof) {
        throw .value("only one of '\(other)' and '\(field.jsonName)' can have a value", at: "")
      }
    }
  }

  private func write(
    _ field: MessageField, _ value: Value, _ writer: inout WireWriter, _ depth: Int
  ) throws(ProtobufError) {
    switch field.cardinality {
    case .map(let key): try writeMap(field, key, value, &writer, depth)
    case .repeated: try writeList(field, value, &writer, depth)
    case .implicit:
      var single = WireWriter()
      try writeOne(field, value, &single, depth)
      if try !isZero(field, value) { writer.append(single.bytes) }
    case .optional, .required: try writeOne(field, value, &writer, depth)
    }
  }

  private func isZero(_ field: MessageField, _ value: Value) throws(ProtobufError) -> Bool {
    switch field.kind {
    case .scalar(let kind) where kind.wireType == .length: try kind.content(value).isEmpty
    case .scalar(let kind): try kind.bits(value) == 0
    case .enumeration(let name): try number(name, value) == 0
    case .message: false
    }
  }

  private func writeList(
    _ field: MessageField, _ value: Value, _ writer: inout WireWriter, _ depth: Int
  ) throws(ProtobufError) {
    guard case .list(let elements) = value else {
      throw .value("\(value.summary(limit: 60)) is not a list", at: "")
    }
    if elements.isEmpty { return }
    let isPacked = field.isPacked && field.wireType != .length
    var packed = WireWriter()
    for (index, element) in elements.enumerated() {
      do throws(ProtobufError) {
        if isPacked {
          try writeNumber(field, element, &packed)
        } else {
          try writeOne(field, element, &writer, depth)
        }
      } catch { throw error.inside("[\(index)]") }
    }
    guard isPacked else { return }
    writer.tag(field.number, .length)
    writer.bytes(packed.bytes)
  }

  /// Writes one value with its tag.
  private func writeOne(
    _ field: MessageField, _ value: Value, _ writer: inout WireWriter, _ depth: Int
  ) throws(ProtobufError) {
    switch field.kind {
    case .message(let name):
      let bytes = try bytes(try schema.message(name), value, depth: depth - 1)
      writer.tag(field.number, field.isDelimited ? .groupStart : .length)
      if field.isDelimited {
        writer.append(bytes)
        writer.tag(field.number, .groupEnd)
      } else {
        writer.bytes(bytes)
      }
    case .scalar(let kind) where kind.wireType == .length:
      let content = try kind.content(value)
      writer.tag(field.number, .length)
      writer.bytes(content)
    case .scalar, .enumeration:
      writer.tag(field.number, field.wireType)
      try writeNumber(field, value, &writer)
    }
  }

  private func writeNumber(
    _ field: MessageField, _ value: Value, _ writer: inout WireWriter
  ) throws(ProtobufError) {
    let bits: UInt64 =
      switch field.kind {
      case .scalar(let kind): try kind.bits(value)
      case .enumeration(let name): UInt64(bitPattern: Int64(try number(name, value)))
      case .message: 0
      }
    switch field.wireType {
    case .eightBytes: writer.fixed(bits, 8)
    case .fourBytes: writer.fixed(bits, 4)
    default: writer.varint(bits)
    }
  }

  private func number(_ name: String, _ value: Value) throws(ProtobufError) -> Int32 {
    guard let type = schema.enums[name] else { throw .unknownType(name) }
    switch value {
    case .string(let text):
      if let number = type.number(of: text) { return number }
      if !type.isClosed, let number = Int32(text) { return number }
      let known = type.members.prefix(20).map(\.name).joined(separator: ", ")
      throw .value("'\(text)' is not one of \(known)", at: "")
    case .null where name == WellKnownTypes.nullValue: return 0
    default:
      return Int32(truncatingIfNeeded: try ScalarKind.int32.bits(value))
    }
  }

  // MARK: - Maps

  private func writeMap(
    _ field: MessageField, _ key: ScalarKind, _ value: Value, _ writer: inout WireWriter,
    _ depth: Int
  ) throws(ProtobufError) {
    guard case .map(let map) = value else {
      throw .value("\(value.summary(limit: 60)) is not a map", at: "")
    }
    let (keyField, valueField) = (MessageField.key(key), MessageField.value(field.kind))
    for entry in try Self.sorted(map, key) {
      var content = WireWriter()
      do throws(ProtobufError) {
        try writeOne(keyField, entry.key, &content, depth)
        try writeOne(valueField, entry.value, &content, depth)
      } catch { throw error.inside(entry.key.interpolated) }
      writer.tag(field.number, .length)
      writer.bytes(content.bytes)
    }
  }

  private static func sorted(
    _ map: ValueMap, _ key: ScalarKind
  ) throws(ProtobufError) -> [ValueMap.Entry] {
    if key == .string {
      return map.entries.sorted {
        $0.key.interpolated.utf8.lexicographicallyPrecedes($1.key.interpolated.utf8)
      }
    }
    var keyed: [(order: Int64, entry: ValueMap.Entry)] = []
    let isUnsigned = key == .uint64 || key == .fixed64
    for entry in map.entries {
      let bits = try (isUnsigned ? ScalarKind.uint64 : key == .bool ? .bool : .int64).bits(
        entry.key)
      // The order of unsigned numbers is that of signed ones with the other first bit.
      keyed.append((Int64(bitPattern: isUnsigned ? bits ^ 1 << 63 : bits), entry))
    }
    return keyed.sorted { $0.order < $1.order }.map(\.entry)
  }

  // MARK: - Any

  private func any(
    _ type: MessageType, _ value: Value, _ depth: Int
  ) throws(ProtobufError) -> [UInt8] {
    var rest = ValueMap(try Self.entries(value, of: type))
    if rest.isEmpty { return [] }
    guard let url = rest["@type"]?.string else {
      throw .value("a value of google.protobuf.Any needs '@type'", at: "")
    }
    rest[.string("@type")] = nil
    let bytes: [UInt8]
    if let inner = schema.messages[WellKnownTypes.typeName(url)] {
      let isSpecial = WellKnownTypes.isSpecial(inner.name)
      bytes = try self.bytes(
        inner, isSpecial ? rest["value"] ?? .null : .map(rest), depth: depth - 1)
    } else if case .bytes(let content)? = rest["value"] {
      bytes = content.content
    } else {
      throw .unknownType(WellKnownTypes.typeName(url))
    }
    let fields = ValueMap([("typeUrl", .string(url)), ("value", .bytes(Bytes(bytes)))])
    return try plain(type, .map(fields), depth)
  }
}
