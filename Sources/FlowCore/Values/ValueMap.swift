/// Keys and values in the order they were inserted; equality disregards the order.
public struct ValueMap: Sendable {
  /// One key with its value.
  public struct Entry: Sendable {
    /// A bool, int, uint or string; CEL allows no other key.
    public let key: Value
    /// What the key stands for.
    public var value: Value
  }

  /// The entries, in insertion order; no two keys are equal.
  public private(set) var entries: [Entry] = []

  // A short map is searched faster than a dictionary hashes.
  private var index: [Value: Int] = [:]
  private static let indexedCount = 8

  /// A map without entries.
  public init() {}

  /// A map of text keys, in the order given; a repeated key keeps its last value.
  public init(_ pairs: [(String, Value)]) {
    for (key, value) in pairs { self[.string(key)] = value }
  }

  /// How many entries there are.
  public var count: Int { entries.count }

  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key; setting nil removes the entry.
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

  /// The value of a text key.
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
  /// The same keys with equal values, in any order.
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value }
  }
}
