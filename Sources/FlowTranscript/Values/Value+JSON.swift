package import FlowCore
internal import FlowSystem

extension Value {
  /// Reads the result of `JSON(_:as:)`.
  ///
  /// - Throws: `DecodeError` with the path of the first value that does not fit the type.
  package init(_ json: JSON, as type: ValueType) throws(DecodeError) {
    switch (type, json) {
    case (.optional, .null): self = .null
    case (.optional(let wrapped), _): self = try Value(json, as: wrapped)
    case (.list(let element), .array(let values)): self = .list(try Self.list(values, element))
    case (.map(let element), .object(let members)):
      self = .map(try Self.map(try json.plainMembers(members, type), element))
    case (.record(let record), .object(let members)):
      self = try Self.record(try json.plainMembers(members, type), record)
    case (.dynamic, _): self = try Value(dynamic: json)
    default: self = try Self.scalar(json, type)
    }
  }

  private static func scalar(_ json: JSON, _ type: ValueType) throws(DecodeError) -> Value {
    let value: Value? =
      switch (type, json) {
      case (.decimal, .string(let text)): Decimal(text).map(Value.decimal)
      case (.timestamp, .string(let text)): Timestamp(text).map(Value.timestamp)
      case (.duration, .string(let text)): Duration(flowText: text).map(Value.duration)
      case (.bytes, .string(let text)): Base64.decode(text).map { .bytes(Bytes($0)) }
      case (.uint, .number(let text)): uint(text).map(Value.uint)
      case (.int, .number(let text)): Int(text).map(Value.int)
      case (.double, .number(let text)):
        double(text).map(Value.double)
      case (.bool, .bool(let value)): .bool(value)
      case (.string, .string(let text)): .string(text)
      case (.enumeration(let names), .string(let text)):
        names.contains { $0.isIdentical(to: text) } ? .string(text) : nil
      case (.double, .object(let members)) where members.count == 1:
        // What is infinite or no number is written as if its type were not known.
        (try? Value(dynamic: json)).flatMap { if case .double = $0 { $0 } else { nil } }
      default: nil
      }
    guard let value else {
      throw DecodeError(expected: type, (try? Value(dynamic: json)) ?? .null)
    }
    return value
  }

  private static func list(
    _ values: [JSON], _ element: ValueType
  ) throws(DecodeError) -> [Value] {
    var result: [Value] = []
    for (index, value) in values.enumerated() {
      do { result.append(try Value(value, as: element)) } catch {
        throw error.inside(index: index)
      }
    }
    return result
  }

  private static func map(
    _ members: [JSON.Member], _ element: ValueType
  ) throws(DecodeError) -> ValueMap {
    var map = ValueMap()
    for member in members {
      do { map[.string(member.name)] = try Value(member.value, as: element) } catch {
        throw error.inside(field: member.name)
      }
    }
    return map
  }

  /// A record with other names than those of its fields.
  private static func map(
    _ members: [JSON.Member], of type: RecordType
  ) throws(DecodeError) -> ValueMap {
    var map = ValueMap()
    for member in members {
      let part = type.field(member.name)?.type ?? type.others.type ?? .dynamic
      do { map[.string(member.name)] = try Value(member.value, as: part) } catch {
        throw error.inside(field: member.name)
      }
    }
    return map
  }

  private static func record(
    _ members: [JSON.Member], _ type: RecordType
  ) throws(DecodeError) -> Value {
    let isOpen = type.others != .none && members.contains { type.index(of: $0.name) == nil }
    if isOpen { return .map(try map(members, of: type)) }
    var values = [Value?](repeating: nil, count: type.fields.count)
    for member in members {
      guard let index = type.index(of: member.name) else {
        throw DecodeError(unknownField: member.name, of: type)
      }
      do { values[index] = try Value(member.value, as: type.fields[index].type) } catch {
        throw error.inside(field: member.name)
      }
    }
    var complete: [Value] = []
    for index in values.indices {
      // The writer leaves out nulls. A field without null must have been written.
      guard let value = values[index] ?? type.fields[index].absentValue else {
        throw DecodeError(missing: type.fields[index])
      }
      complete.append(value)
    }
    return .record(RecordValue(type, complete))
  }

  /// Reads the result of `ValueEncoder.dynamic`.
  package init(dynamic json: JSON) throws(DecodeError) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text): self = try Self.number(text)
    case .array(let values): self = .list(try Self.list(values, .dynamic))
    case .object(let members):
      if let tag = json.tag {
        self = try Self.tagged(tag)
      } else {
        self = .map(try Self.map(try json.plainMembers(members, .dynamic), .dynamic))
      }
    }
  }

  private static func number(_ text: String) throws(DecodeError) -> Value {
    if let integer = Int(text) { return .int(integer) }
    guard let double = double(text) else {
      throw DecodeError(expected: .double, .string(text))
    }
    return .double(double)
  }

  /// A number with a point or an exponent within the range of a double.
  private static func double(_ text: String) -> Double? {
    guard text.utf8.contains(where: { ".eE".utf8.contains($0) }), let double = Double(text),
      double.isFinite
    else { return nil }
    return double
  }

  /// A double without a JSON number: infinite, or NaN.
  private static func infiniteDouble(_ text: String) -> Double? {
    switch text {
    case "nan": .nan
    case "inf": .infinity
    case "-inf": -.infinity
    default: nil
    }
  }

  /// Digits alone: `UInt.init` also takes signs, even `-0`.
  private static func uint(_ text: String) -> UInt? {
    text.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } == true ? UInt(text) : nil
  }

  private static func tagged(_ member: JSON.Member) throws(DecodeError) -> Value {
    if case ("$map", .array(let pairs)) = (member.name, member.value) { return try map(pairs) }
    guard let text = member.value.string else {
      throw DecodeError(expected: .dynamic, .string(member.name))
    }
    let value: Value? =
      switch member.name {
      case "$uint": uint(text).map(Value.uint)
      case "$double": infiniteDouble(text).map(Value.double)
      case "$decimal": Decimal(text).map(Value.decimal)
      case "$number": WrittenNumber(text).map(Value.number)
      case "$bytes": Base64.decode(text).map { .bytes(Bytes($0)) }
      case "$timestamp": Timestamp(text).map(Value.timestamp)
      case "$duration": Duration(flowText: text).map(Value.duration)
      case "$type": text.isEmpty ? nil : .type(text)
      default: nil
      }
    guard let value else { throw DecodeError(expected: .dynamic, .string(member.name)) }
    return value
  }

  private static func map(_ pairs: [JSON]) throws(DecodeError) -> Value {
    var map = ValueMap()
    for pair in pairs {
      guard case .array(let parts) = pair, parts.count == 2 else {
        throw DecodeError(expected: .map(.dynamic), .null)
      }
      let key = try Value(dynamic: parts[0])
      guard key.isMapKey, map[key] == nil else {
        throw DecodeError(expected: .map(.dynamic), key)
      }
      map[key] = try Value(dynamic: parts[1])
    }
    return .map(map)
  }

  /// True if CEL allows it as a key.
  private var isMapKey: Bool {
    switch self {
    case .bool, .int, .uint, .string: true
    default: false
    }
  }
}

extension JSON {
  /// The member with the type of a dynamic value as its name, or nil.
  var tag: Member? {
    guard case .object(let members) = self, members.count == 1,
      members[0].name.utf8.first == UInt8(ascii: "$"), members[0].name != Self.literalName
    else { return nil }
    return members[0]
  }

  /// The members of a map or record.
  ///
  /// - Throws: `DecodeError` for a pattern, which can only replace a value.
  fileprivate func plainMembers(
    _ members: [Member], _ type: ValueType
  ) throws(DecodeError) -> [Member] {
    switch form {
    case .plain: return members
    case .literal(let inner): return inner
    case .pattern:
      let name = members.first { Self.isReserved($0.name) }?.name ?? ""
      throw DecodeError(expected: type, .string(name))
    }
  }
}

extension RecordType.Field {
  /// The value of an absent field: null if the type allows it.
  fileprivate var absentValue: Value? {
    switch type {
    case .optional, .dynamic: .null
    default: nil
    }
  }
}

extension ValueType {
  /// The type of the elements, if it is known.
  var element: ValueType {
    if case .list(let element) = unwrapped { return element }
    return .dynamic
  }

  /// The type of a member, if it is known.
  func member(_ name: String) -> ValueType {
    switch unwrapped {
    case .map(let element): element
    case .record(let record): record.index(of: name).map { record.fields[$0].type } ?? .dynamic
    default: .dynamic
    }
  }
}
