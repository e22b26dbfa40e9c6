internal import FlowCore

/// The order of values ("Ordering"): numbers across kinds, text and bytes by their bytes.
enum Ordering {
  enum Result {
    case less, equal, greater
    /// NaN is neither.
    case unordered
  }

  /// How two values compare; nil when values of these kinds do not.
  static func compare(_ left: Value, _ right: Value) -> Result? {
    switch (left, right) {
    case (.int(let a), .int(let b)): order(a, b)
    case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? .unordered : order(a, b)
    case (.decimal(let a), .decimal(let b)): order(a, b)
    case (.bool(let a), .bool(let b)): order(a ? 1 : 0, b ? 1 : 0)
    case (.timestamp(let a), .timestamp(let b)): order(a, b)
    case (.duration(let a), .duration(let b)): order(a, b)
    case (.string(let a), .string(let b)): bytes(a.utf8, b.utf8)
    case (.bytes(let a), .bytes(let b)): bytes(a.content, b.content)
    default: numbers(left, right)
    }
  }

  /// The values in the order of their keys, which are all of one kind, or all numbers.
  static func sorted(
    _ pairs: [(key: Value, value: Value)], _ frame: inout Frame
  ) throws(EvaluationError) -> [Value] {
    guard let first = pairs.first else { return [] }
    try frame.charge(pairs.count * (Int.bitWidth - pairs.count.leadingZeroBitCount))
    for pair in pairs where compare(first.key, pair.key) == nil { throw .notComparable }
    // Equal keys keep their order, which `sort` does not promise.
    let indexed = pairs.enumerated().sorted { left, right in
      switch compare(left.element.key, right.element.key) {
      case .less: true
      case .greater: false
      default: left.offset < right.offset
      }
    }
    return indexed.map(\.element.value)
  }

  private static func order<Content: Comparable>(_ left: Content, _ right: Content) -> Result {
    left < right ? .less : left == right ? .equal : .greater
  }

  private static func bytes<Content: Sequence<UInt8>>(_ left: Content, _ right: Content) -> Result {
    if left.elementsEqual(right) { return .equal }
    return left.lexicographicallyPrecedes(right) ? .less : .greater
  }

  private static func numbers(_ left: Value, _ right: Value) -> Result? {
    guard let a = NumericValue(left), let b = NumericValue(right) else { return nil }
    guard let order = NumericValue.compare(a, b) else { return .unordered }
    return order < 0 ? .less : order > 0 ? .greater : .equal
  }
}
