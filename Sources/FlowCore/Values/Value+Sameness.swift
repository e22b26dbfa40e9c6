internal import FlowSystem

extension Value {
  /// Returns true if both are equal, or both are NaN, which is unequal to itself.
  package func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.list(let a), .list(let b)): Self.areSame(a, b)
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.entries.allSatisfy { entry in b[entry.key].map(entry.value.isSame) ?? false }
    case (.record(let a), .record(let b)):
      (a.type === b.type || a.type.hasFieldNames(of: b.type)) && Self.areSame(a.values, b.values)
    default: self == other
    }
  }

  /// Hashes equal values, as defined by `isSame`, to the same hash.
  package func hashSame(into hasher: inout Hasher) {
    switch self {
    case .double(let number) where number.isNaN: hasher.combine("nan")
    case .list(let values):
      hasher.combine(values.count)
      for value in values { value.hashSame(into: &hasher) }
    case .record(let record): for value in record.values { value.hashSame(into: &hasher) }
    // In whatever order.
    case .map(let map): hasher.combine(map.entries.reduce(0) { $0 ^ Self.hash(of: $1) })
    default: hash(into: &hasher)
    }
  }

  private static func hash(of entry: ValueMap.Entry) -> Int {
    var hasher = Hasher()
    entry.key.hash(into: &hasher)
    entry.value.hashSame(into: &hasher)
    return hasher.finalize()
  }

  private static func areSame(_ first: [Value], _ second: [Value]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { $0.isSame(as: $1) }
  }
}
