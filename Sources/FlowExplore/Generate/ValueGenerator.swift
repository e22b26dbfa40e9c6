package import FlowCore

/// A generator of inputs for operations.
///
/// It prefers examples, values that components have answered with, and their neighbours, because
/// faults lie at the edges of the values that a component knows.
package struct ValueGenerator {
  private static let mostKnown = 64
  private static let deepest = 3

  /// The known values, by their type.
  private var known: [ValueType: [Value]] = [:]
  var random: SeededGenerator

  /// Creates a generator that draws the same values for a seed every time.
  package init(seed: UInt64) { random = SeededGenerator(seed: seed, label: "generate") }

  // MARK: - Known values

  /// Remembers the parts of a value, so they are drawn again.
  mutating func note(_ value: Value) {
    switch value {
    case .list(let values): for value in values.prefix(8) { note(value) }
    case .map(let map): for entry in map.entries.prefix(8) { note(entry.value) }
    case .record(let record): for value in record.values { note(value) }
    case .optional(let value): if let value { note(value) }
    default:
      guard let type = Self.type(of: value), value.isWritable else { return }
      var values = known[type] ?? []
      if values.contains(value) { return }
      if values.count == Self.mostKnown { values.removeFirst() }
      known[type] = values + [value]
    }
  }

  /// The type of a value that is remembered, or nil for other values.
  private static func type(of value: Value) -> ValueType? {
    switch value {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .decimal: .decimal
    case .string(let text) where text.utf8.count <= 200: .string
    case .timestamp: .timestamp
    case .duration: .duration
    default: nil
    }
  }

  // MARK: - Drawing

  /// True if every input of a type can be generated and written into a scenario.
  package static func canDraw(_ type: RecordType) -> Bool {
    type.fields.allSatisfy { $0.canBeLeftOut || !$0.isSecret && canDraw($0.type) }
  }

  private static func canDraw(_ type: ValueType) -> Bool {
    switch type {
    case .bytes: false
    case .list(let element), .map(let element), .optional(let element): canDraw(element)
    case .record(let record): canDraw(record)
    default: true
    }
  }

  /// Returns values of some of an input's fields.
  ///
  /// Absent fields have their defaults.
  package mutating func input(_ type: RecordType) -> [(name: String, value: Value)] {
    input(type, depth: 0)
  }

  private mutating func input(
    _ type: RecordType, depth: Int
  ) -> [(name: String, value: Value)] {
    var input: [(name: String, value: Value)] = []
    for field in type.fields {
      let isDrawn = !field.isSecret && Self.canDraw(field.type)
      guard isDrawn, field.isRequired || chance(of: 2) else { continue }
      input.append((field.name, value(of: field, depth: depth)))
    }
    return input
  }

  private mutating func value(of field: RecordType.Field, depth: Int) -> Value {
    if !field.examples.isEmpty, chance(of: 2) {
      let example = pick(field.examples)
      return chance(of: 2) ? example : neighbour(of: example)
    }
    return value(of: field.type, depth: depth)
  }

  private mutating func value(of type: ValueType, depth: Int) -> Value {
    if let values = known[type], chance(of: 2) {
      let value = pick(values)
      return chance(of: 2) ? value : neighbour(of: value)
    }
    switch type {
    case .bool: return .bool(chance(of: 2))
    case .int: return .int(pick([0, 1, -1, 2, 10, 100, number(-1_000...1_000), .max, .min]))
    case .uint: return .uint(UInt(pick([0, 1, 2, 10, 100, number(0...1_000)])))
    case .double:
      return .double(pick([0, 1, -1, 0.5, 1e9, Double(number(-100_000...100_000)) / 100]))
    case .decimal: return .decimal(decimal())
    case .string: return .string(text())
    case .enumeration(let texts): return texts.isEmpty ? .string("") : .string(pick(texts))
    case .timestamp:
      return Timestamp(seconds: number(0...2_000_000_000)).map(Value.timestamp) ?? .null
    case .duration: return .duration(.milliseconds(pick([0, 1, 1_000, number(0...60_000)])))
    case .optional(let content): return chance(of: 3) ? .null : value(of: content, depth: depth)
    case .dynamic: return value(of: pick([.int, .string, .bool]), depth: depth)
    case .bytes: return .null
    case .list(let element): return .list(elements(element, depth))
    case .map(let element):
      return .map(ValueMap(elements(element, depth).enumerated().map { ("key-\($0)", $1) }))
    case .record(let record):
      return .map(ValueMap(input(record, depth: depth + 1).map { ($0.name, $0.value) }))
    }
  }

  private mutating func elements(_ type: ValueType, _ depth: Int) -> [Value] {
    guard depth < Self.deepest else { return [] }
    return (0..<number(0...3)).map { _ in value(of: type, depth: depth + 1) }
  }

  /// Returns a value with the smallest possible difference from another.
  private mutating func neighbour(of value: Value) -> Value {
    let isUp = chance(of: 2)
    switch value.calculable {
    case .int(let number): return .int(isUp ? number &+ 1 : number &- 1)
    case .uint(let number): return .uint(isUp ? number &+ 1 : max(1, number) - 1)
    case .double(let number): return .double(isUp ? number.nextUp : number.nextDown)
    case .decimal(let number):
      let step = Decimal(significand: 1, scale: Int(number.scale))
      return (isUp ? try? number + step : try? number - step).map(Value.decimal) ?? value
    case .string(let text): return .string(isUp ? text + "x" : String(text.dropLast()))
    case .duration(let duration):
      return .duration(isUp ? duration + .milliseconds(1) : max(.zero, duration - .milliseconds(1)))
    default: return value
    }
  }

  // MARK: - Chance

  private mutating func decimal() -> Decimal {
    let cents = pick([0, 1, 100, -1, 1_000, number(-1_000...100_000)])
    return Decimal(significand: Int128(cents), scale: 2)
  }

  private mutating func text() -> String {
    pick(["", "a", "A b", "0", "é", "日本", "🙂", "'\"", "../x", String(repeating: "x", count: 300)])
  }

  private mutating func chance(of count: Int) -> Bool { number(1...count) == 1 }

  /// A number of a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Returns one of some elements.
  ///
  /// - Precondition: There is at least one.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...(elements.count - 1))]
  }
}

extension RecordType.Field {
  /// True if the generated call may leave it out.
  fileprivate var canBeLeftOut: Bool { !isRequired }
}

extension Value {
  /// True if a scenario can contain it unchanged.
  ///
  /// A text that would be read as an expression cannot.
  fileprivate var isWritable: Bool {
    guard case .string(let text) = self else { return true }
    return !text.utf8.contains(UInt8(ascii: "$"))
  }
}
