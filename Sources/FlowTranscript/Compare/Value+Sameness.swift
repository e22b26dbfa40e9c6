internal import FlowCore

extension Value {
  /// Whether both are equal, or show the same: NaN is unequal to itself, and yet the same.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.list(let a), .list(let b)): Self.areSame(a, b)
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.entries.allSatisfy { entry in b[entry.key].map(entry.value.isSame) ?? false }
    case (.record(let a), .record(let b)):
      a.type.fields.elementsEqual(b.type.fields) { $0.name.isIdentical(to: $1.name) }
        && Self.areSame(a.values, b.values)
    default: self == other
    }
  }

  private static func areSame(_ first: [Value], _ second: [Value]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { $0.isSame(as: $1) }
  }
}
