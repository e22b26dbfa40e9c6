package import FlowCore
internal import FlowSystem

/// A plain value as a key, with a hash that tells apart what JSON tells apart.
struct ValueKey: Hashable, Sendable {
  let value: Value

  static func == (left: ValueKey, right: ValueKey) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { Self.hash(value, into: &hasher) }

  // `Value` hashes all maps alike, and numbers by their nearest doubles: a hostile list of them
  // would take quadratic time.
  private static func hash(_ value: Value, into hasher: inout Hasher) {
    switch value {
    case .int, .uint, .decimal, .double, .number:
      hasher.combine(SchemaNumber(value)?.normalized)
    case .list(let values):
      hasher.combine(values.count)
      for value in values { hash(value, into: &hasher) }
    // In whatever order.
    case .map(let map): hasher.combine(map.entries.reduce(map.count) { $0 ^ hash(of: $1) })
    default: hasher.combine(value)
    }
  }

  private static func hash(of entry: ValueMap.Entry) -> Int {
    var hasher = Hasher()
    hasher.combine(entry.key)
    hash(entry.value, into: &hasher)
    return hasher.finalize()
  }
}

/// The values of `enum`.
package struct ValueSet: Sendable {
  // A few values are compared faster than hashed.
  private static let indexedCount = 8

  /// The values in order.
  package let values: [Value]
  private let index: Set<ValueKey>

  init(_ values: [Value]) {
    self.values = values
    index = values.count > Self.indexedCount ? Set(values.map { ValueKey(value: $0) }) : []
  }

  func contains(_ value: Value) -> Bool {
    index.isEmpty ? values.contains(value) : index.contains(ValueKey(value: value))
  }

  /// The places of the first two equal values of a list, or nil.
  static func repeated(in values: [Value]) -> (first: Int, second: Int)? {
    if values.count <= indexedCount {
      for (index, value) in values.enumerated() {
        if let first = values[..<index].firstIndex(of: value) { return (first, index) }
      }
      return nil
    }
    var places: [ValueKey: Int] = [:]
    for (index, value) in values.enumerated() {
      if let first = places.updateValue(index, forKey: ValueKey(value: value)) {
        return (first, index)
      }
    }
    return nil
  }
}

/// Positions by name, by the bytes of the names.
package struct NameTable: Sendable {
  private static let indexedCount = 8

  private struct Name: Hashable {
    let text: String
    static func == (left: Name, right: Name) -> Bool { left.text.isIdentical(to: right.text) }
  }

  /// The names in order.
  package let names: [String]
  private let index: [Name: Int]

  init(_ names: [String]) {
    self.names = names
    index =
      names.count > Self.indexedCount
      ? Dictionary(names.enumerated().map { (Name(text: $1), $0) }) { first, _ in first } : [:]
  }

  /// The position of a name, which is often the one of the guess.
  package func position(of name: String, guess: Int) -> Int? {
    if guess < names.count, names[guess].isIdentical(to: name) { return guess }
    if index.isEmpty { return names.firstIndex { $0.isIdentical(to: name) } }
    return index[Name(text: name)]
  }
}
