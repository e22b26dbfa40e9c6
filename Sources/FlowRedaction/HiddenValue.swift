package import FlowCore

extension Value {
  /// True if nothing but placeholders and truth values is in it, which gives away too little.
  package var isHidden: Bool {
    switch self {
    case .null, .bool, .type: true
    case .string(let text):
      PlaceholderNumbers.places(in: Array(text.utf8)).first?.range == 0..<text.utf8.count
    case .list(let elements): elements.allSatisfy(\.isHidden)
    case .optional(let value): value?.isHidden ?? true
    case .record(let record): record.values.allSatisfy(\.isHidden)
    case .map(let map): map.entries.allSatisfy { $0.key.isHidden && $0.value.isHidden }
    case .int, .uint, .double, .decimal, .number, .bytes, .timestamp, .duration: false
    }
  }
}
