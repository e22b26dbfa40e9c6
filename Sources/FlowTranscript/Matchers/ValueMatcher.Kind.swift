internal import FlowCore

extension ValueMatcher {
  /// The types that `$any` knows.
  enum Kind: String, CaseIterable {
    case string, int, decimal, double, bool, bytes, timestamp, duration, list, map, any

    /// Whether a value is of the type; null is of `any` alone.
    func holds(of value: Value) -> Bool {
      switch (self, value) {
      case (.any, _), (.string, .string), (.int, .int), (.int, .uint), (.decimal, .decimal),
        (.double, .double), (.bool, .bool), (.bytes, .bytes), (.timestamp, .timestamp),
        (.duration, .duration), (.list, .list), (.map, .map), (.map, .record):
        true
      default: false
      }
    }

    /// The one for what a field of a type holds.
    init(_ type: ValueType) {
      self =
        switch type {
        case .bool: .bool
        case .int, .uint: .int
        case .double: .double
        case .decimal: .decimal
        case .string, .enumeration: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .list: .list
        case .map, .record: .map
        case .optional, .dynamic: .any
        }
    }
  }
}
