internal import FlowSystem

extension Value {
  /// The value in the form of a type: maps laid out as records with their defaults filled in, whole
  /// numbers widened to decimals, doubles and unsigned numbers where nothing is lost.
  ///
  /// Text never becomes a number and a number never becomes text. A number that keeps its text
  /// becomes a double even if it has more digits. A map with other names than those of the fields, if
  /// the type allows them, stays a map.
  ///
  /// - Throws: `DecodeError` with the path, the expected type and the value.
  public func converted(to type: ValueType) throws(DecodeError) -> Value {
    switch (type, self) {
    case (.dynamic, _), (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double),
      (.decimal, .decimal), (.string, .string), (.bytes, .bytes), (.timestamp, .timestamp),
      (.duration, .duration):
      return self
    case (.enumeration(let names), .string(let text))
    where names.contains { $0.isIdentical(to: text) }:
      return self
    case (.optional, .null): return self
    case (.optional(let wrapped), _): return try converted(to: wrapped)
    case (.list(let element), .list(let values)):
      return try Self.converted(values, to: element)
    case (.map(let element), .map(let map)): return try Self.converted(map, to: element)
    case (.record(let type), .record(let record)): return try Self.converted(record, to: type)
    case (.record(let type), .map(let map)):
      return try Self.record(type, from: map.entries) { $0.key.interpolated }
    case (_, .number(let number)): return try number.value.converted(to: type)
    default:
      guard let number = widened(to: type) else { throw DecodeError(expected: type, self) }
      return number
    }
  }

  private func widened(to type: ValueType) -> Value? {
    switch (type, self) {
    case (.decimal, .int(let number)): .decimal(Decimal(number))
    case (.decimal, .uint(let number)): .decimal(Decimal(significand: Int128(number), scale: 0))
    case (.double, .int(let number)): Double(exactly: number).map(Value.double)
    case (.double, .uint(let number)): Double(exactly: number).map(Value.double)
    case (.double, .decimal(let number)): .double(number.double)
    case (.uint, .int(let number)): UInt(exactly: number).map(Value.uint)
    case (.int, .uint(let number)): Int(exactly: number).map(Value.int)
    case (.timestamp, .string(let text)): Timestamp(text).map(Value.timestamp)
    case (.duration, .string(let text)): Duration(flowText: text).map(Value.duration)
    default: nil
    }
  }

  private static func converted(
    _ values: [Value], to type: ValueType
  ) throws(DecodeError) -> Value {
    var result: [Value] = []
    result.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do { result.append(try value.converted(to: type)) } catch {
        throw error.inside(index: index)
      }
    }
    return .list(result)
  }

  private static func converted(_ map: ValueMap, to type: ValueType) throws(DecodeError) -> Value {
    var result = ValueMap()
    for entry in map.entries {
      guard case .string(let key) = entry.key else {
        throw DecodeError(expected: .string, entry.key)
      }
      do { result[entry.key] = try entry.value.converted(to: type) } catch {
        throw error.inside(field: key)
      }
    }
    return .map(result)
  }

  private static func converted(
    _ record: RecordValue, to type: RecordType
  ) throws(DecodeError) -> Value {
    if record.type === type { return .record(record) }
    // Nearly always true of values between components.
    if record.type.hasFieldNames(of: type) { return try converted(byPosition: record, to: type) }
    let entries = zip(record.type.fields, record.values).map {
      ValueMap.Entry(key: .string($0.name), value: $1)
    }
    return try self.record(type, from: entries) { $0.key.interpolated }
  }

  private static func converted(
    byPosition record: RecordValue, to type: RecordType
  ) throws(DecodeError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(record.values.count)
    for (value, field) in zip(record.values, type.fields) {
      do { values.append(try value.converted(to: field.type)) } catch {
        throw error.inside(field: field.name)
      }
    }
    return .record(RecordValue(type, values))
  }

  private static func record(
    _ type: RecordType, from entries: [ValueMap.Entry], name: (ValueMap.Entry) -> String
  ) throws(DecodeError) -> Value {
    var values = [Value?](repeating: nil, count: type.fields.count)
    var others: [(String, Value)] = []
    for entry in entries {
      let name = name(entry)
      let index = type.index(of: name)
      guard let part = index.map({ type.fields[$0].type }) ?? type.others.type else {
        throw DecodeError(unknownField: name, of: type)
      }
      do {
        let value = try entry.value.converted(to: part)
        if let index { values[index] = value } else { others.append((name, value)) }
      } catch {
        throw error.inside(field: name)
      }
    }
    if others.isEmpty { return .record(RecordValue(type, try filled(values, type))) }
    return .map(ValueMap(try given(values, type) + others))
  }

  /// The given fields of a record that is a map.
  private static func given(
    _ values: [Value?], _ type: RecordType
  ) throws(DecodeError) -> [(String, Value)] {
    var entries: [(String, Value)] = []
    for (value, field) in zip(values, type.fields) {
      if let value {
        entries.append((field.name, value))
      } else if field.isRequired {
        throw DecodeError(missing: field)
      }
    }
    return entries
  }

  private static func filled(
    _ values: [Value?], _ type: RecordType
  ) throws(DecodeError) -> [Value] {
    var result: [Value] = []
    for (value, field) in zip(values, type.fields) {
      guard let value = value ?? field.defaultValue else {
        throw DecodeError(missing: field)
      }
      result.append(value)
    }
    return result
  }
}
