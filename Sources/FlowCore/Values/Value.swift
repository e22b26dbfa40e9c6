internal import FlowSystem

/// One value of a scenario, which can cross the boundary between engine and components.
///
/// The kinds are those of CEL (the Common Expression Language, its language definition's "Values"),
/// with `decimal` and `record` in addition.
public enum Value: Sendable {
  /// No value, or an absent optional field.
  case null
  /// True or false.
  case bool(Bool)
  /// A signed whole number of 64 bits.
  case int(Int)
  /// An unsigned whole number of 64 bits.
  case uint(UInt)
  /// A binary floating-point number of 64 bits.
  case double(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// A number of JSON or YAML that none of the other kinds would print as it was written.
  case number(WrittenNumber)
  /// Unicode text.
  case string(String)
  /// Raw bytes.
  case bytes(Bytes)
  /// An instant.
  case timestamp(Timestamp)
  /// A span of time.
  case duration(Duration)
  /// Values in order.
  case list([Value])
  /// Keys (bool, int, uint or string) and values, in the order they were inserted.
  case map(ValueMap)
  /// A component's record: the fields of a known type.
  case record(RecordValue)
  /// A CEL type as a value, by its name. It never crosses the component boundary.
  case type(String)
  /// A CEL optional. It never crosses the component boundary.
  indirect case optional(Value?)
}

// MARK: - Equality

extension Value: Hashable {
  /// Equality as in CEL: numbers by their value across kinds (`1 == 1.0`), NaN unequal to itself,
  /// maps without regard to order, and values of different kinds unequal rather than an error.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a.isIdentical(to: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.list(let a), .list(let b)): a.hasSameElements(as: b)
    case (.map(let a), .map(let b)): a == b
    case (.record(let a), .record(let b)): a == b
    case (.type(let a), .type(let b)): a == b
    case (.optional(let a), .optional(let b)): a == b
    // Most numbers are compared with their own kind.
    case (.int(let a), .int(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.number, _), (_, .number): NumericValue.compare(left, right) == 0
    default: NumericValue(left).flatMap { a in NumericValue(right).map { a == $0 } } ?? false
    }
  }

  /// Hashes consistently with `==`: equal numbers of different kinds hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null, .map, .record: hasher.combine(kindName)
    case .bool(let value): hasher.combine(value)
    case .int, .uint, .double, .decimal, .number: NumericValue(self)?.hash(into: &hasher)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value)
    }
  }
}

extension [Value] {
  /// Equality element by element.
  ///
  /// `==` takes a shared buffer for equal, even if it contains NaN.
  func hasSameElements(as other: [Value]) -> Bool {
    count == other.count && elementsEqual(other)
  }
}

// MARK: - Kinds

extension Value {
  /// The kind's name as messages and CEL's `type()` have it: `int`, `string`, `list`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .decimal: "decimal"
    case .number(let number): number.value.kindName
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list: "list"
    case .map: "map"
    case .record: "record"
    case .type: "type"
    case .optional: "optional"
    }
  }
}

/// Keys and values in insertion order.
///
/// Equality disregards the order.
public struct ValueMap: Sendable {
  /// One key with its value.
  public struct Entry: Sendable {
    /// A bool, int, uint or string.
    ///
    /// CEL allows no other key.
    public let key: Value
    /// The value of the key.
    public var value: Value
  }

  /// The entries, in insertion order.
  ///
  /// No two keys are equal.
  public private(set) var entries: [Entry] = []

  // A short map is searched faster than a dictionary hashes.
  private var index: [Value: Int] = [:]
  private static let indexedCount = 8

  /// A map without entries.
  public init() {}

  /// Creates a map of text keys, in the order given.
  ///
  /// A repeated key keeps its last value.
  public init(_ pairs: [(String, Value)]) {
    for (key, value) in pairs { self[.string(key)] = value }
  }

  /// The number of entries.
  public var count: Int { entries.count }

  /// True without entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key.
  ///
  /// Setting nil removes the entry.
  public subscript(key: Value) -> Value? {
    get { position(of: key).map { entries[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): entries[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The value of a string key.
  public subscript(key: String) -> Value? { self[.string(key)] }

  private func position(of key: Value) -> Int? {
    if entries.count < Self.indexedCount { return entries.firstIndex { $0.key == key } }
    return index[key]
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    if entries.count == Self.indexedCount {
      rebuildIndex()
    } else if entries.count > Self.indexedCount {
      index[entry.key] = entries.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    entries.remove(at: position)
    rebuildIndex()
  }

  private mutating func rebuildIndex() {
    index = [:]
    guard entries.count >= Self.indexedCount else { return }
    for (position, entry) in entries.enumerated() { index[entry.key] = position }
  }
}

extension ValueMap: Equatable {
  /// Compares keys and values, in any order.
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value }
  }
}

/// The values of a record's fields, laid out by its type.
///
/// Two words wide: the names live in the type, which all values of one operation share.
public struct RecordValue: Sendable {
  /// Names, types and order of the fields.
  public let type: RecordType
  /// One value for each field, in the type's order, `.null` for an absent optional field.
  public let values: [Value]

  /// Creates a record of a type.
  ///
  /// - Precondition: There are as many values as the type has fields.
  public init(_ type: RecordType, _ values: [Value]) {
    precondition(
      values.count == type.fields.count, "\(values.count) values for \(type.fields.count) fields")
    self.type = type
    self.values = values
  }

  /// The value of the field with this name, which may be made of others, or nil if the type has none.
  public subscript(name: String) -> Value? {
    type.index(of: name).map { values[$0] } ?? type.computed(name)?.value(self)
  }
}

extension RecordValue: Equatable {
  /// Compares field names and values, in order.
  public static func == (left: RecordValue, right: RecordValue) -> Bool {
    guard left.values.hasSameElements(as: right.values) else { return false }
    if left.type === right.type { return true }
    return left.type.fields.elementsEqual(right.type.fields) { $0.name.isIdentical(to: $1.name) }
  }
}

/// A sequence of bytes as one value, told apart from a list of numbers.
public struct Bytes: Sendable, Hashable {
  /// The bytes, in order.
  public var content: [UInt8]

  /// Wraps the bytes.
  public init(_ content: [UInt8]) {
    self.content = content
  }

  /// Decodes a string in base 64 (RFC 4648, section 4), or returns nil for another string.
  public init?(base64 text: String) {
    guard let content = Base64.decode(text) else { return nil }
    self.init(content)
  }

  /// The bytes in base 64 with padding, RFC 4648 section 4.
  public var base64: String { Base64.encode(content) }
}

extension Bytes: CustomStringConvertible {
  /// Two lower-case hexadecimal digits for each byte: a form in which secrets are found.
  public var description: String {
    content.hexadecimalText()
  }
}

extension Value {
  /// The greatest depth of nested lists, maps, records and optionals in a kept value.
  ///
  /// Printing, encoding, comparing and releasing a value take a frame of the stack for each level.
  public static let greatestDepth: Int = 100

  /// The greatest number of values inside a kept value.
  ///
  /// A value contained twice counts twice.
  ///
  /// A value that contains another twice costs no memory, but printing it does: 30 levels are 2^30
  /// values.
  public static let greatestCount: Int = 10_000_000

  /// An exceeded bound of a value, with the bound.
  public enum Excess: Sendable, Hashable {
    /// Its collections stand inside each other on more levels than this.
    case depth(Int)
    /// It contains more values than this.
    case count(Int)
  }

  /// The bound that this value exceeds, or nil if it may be kept.
  ///
  /// Visits no more than `count` values and `depth` levels, so a value over a bound costs no more
  /// than one within. A value that is no collection has depth 0, and an empty list depth 1.
  public func excess(
    depth: Int = greatestDepth, count: Int = greatestCount
  ) -> Excess? {
    var visits = 0
    switch measure(levels: depth, count: count, &visits) {
    case .within: return nil
    case .tooDeep: return .depth(depth)
    case .tooMany: return .count(count)
    }
  }

  private enum Measure {
    case within, tooDeep, tooMany
  }

  private func measure(levels: Int, count: Int, _ visits: inout Int) -> Measure {
    switch self {
    case .null, .bool, .int, .uint, .double, .decimal, .number, .string, .bytes, .timestamp,
      .duration,
      .type:
      return .within
    case .list(let values): return Self.measure(values, levels: levels, count: count, &visits)
    case .record(let record):
      return Self.measure(record.values, levels: levels, count: count, &visits)
    case .map(let map):
      return Self.measure(
        map.entries.lazy.map(\.value), levels: levels, count: count, &visits)
    case .optional(let value):
      return Self.measure(
        CollectionOfOne(value ?? .null), levels: levels, count: count, &visits)
    }
  }

  private static func measure(
    _ values: some Collection<Value>, levels: Int, count: Int, _ visits: inout Int
  ) -> Measure {
    guard levels > 0 else { return .tooDeep }
    visits += values.count
    guard visits <= count else { return .tooMany }
    for value in values {
      let measure = value.measure(levels: levels - 1, count: count, &visits)
      guard measure == .within else { return measure }
    }
    return .within
  }
}

extension Value.Excess: CustomStringConvertible {
  /// `deeper than 100 levels`, `more than 10000000 values`.
  public var description: String {
    switch self {
    case .depth(let limit): "deeper than \(limit) levels"
    case .count(let limit): "more than \(limit) values"
    }
  }
}
