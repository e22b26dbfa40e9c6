package import FlowCore

/// Values as their JSON text has them, so that schemas and instances are compared alike.
///
/// Lists, maps with text keys, text, booleans, null and numbers remain. A number is a whole number,
/// a decimal, a number that keeps its text, or a double beyond the range of decimals.
package enum PlainValue {
  /// The greatest depth of a schema or an instance.
  package static let greatestDepth = 256

  /// Returns the plain form of a value, or nil if it is too deep.
  package static func of(_ value: Value) -> Value? {
    switch isPlain(value, greatestDepth) {
    case true?: value
    case false?: plain(value)
    case nil: nil
    }
  }

  /// True for a plain value, nil for one that is too deep.
  private static func isPlain(_ value: Value, _ levels: Int) -> Bool? {
    switch value {
    case .null, .bool, .int, .uint, .decimal, .number, .string: return true
    case .double(let number): return number.isFinite && Decimal(number) == nil
    case .bytes, .timestamp, .duration, .type: return false
    case .list(let values):
      guard levels > 0 else { return nil }
      var isPlain = true
      for value in values {
        guard let part = self.isPlain(value, levels - 1) else { return nil }
        isPlain = isPlain && part
      }
      return isPlain
    case .map(let map): return areEntriesPlain(map, levels)
    case .record(let record):
      return self.isPlain(.list(record.values), levels).map { _ in false }
    case .optional(let value):
      guard levels > 0 else { return nil }
      return value.map { self.isPlain($0, levels - 1).map { _ in false } } ?? false
    }
  }

  private static func areEntriesPlain(_ map: ValueMap, _ levels: Int) -> Bool? {
    guard levels > 0 else { return nil }
    var isPlain = true
    for entry in map.entries {
      if case .string = entry.key {} else { isPlain = false }
      guard let part = self.isPlain(entry.value, levels - 1) else { return nil }
      isPlain = isPlain && part
    }
    return isPlain
  }

  private static func plain(_ value: Value) -> Value {
    switch value {
    case .null, .bool, .int, .uint, .decimal, .number, .string: value
    case .double(let number):
      // JSON has no infinite numbers, and `Value.json` writes null for them.
      number.isFinite ? Decimal(number).map(Value.decimal) ?? value : .null
    case .bytes(let bytes): .string(bytes.base64)
    case .timestamp(let time): .string(time.description)
    case .duration, .type: .string(value.interpolated)
    case .list(let values): .list(values.map(plain))
    case .map(let map):
      .map(ValueMap(map.entries.map { ($0.key.interpolated, plain($0.value)) }))
    case .record(let record):
      .map(ValueMap(zip(record.type.fields, record.values).map { ($0.name, plain($1)) }))
    case .optional(let value): value.map(plain) ?? .null
    }
  }
}
