internal import FlowCore

extension Code {
  struct Element: Sendable {
    let code: Code
    let isOptional: Bool
    let span: Range<Int>

    /// The value, or for an optional element its content, which may be absent.
    func value(_ frame: inout Frame) throws(EvaluationError) -> Value? {
      let value = try code.value(&frame)
      guard isOptional else { return value }
      guard case .optional(let wrapped) = value else { throw .notOptional(value, span) }
      return wrapped
    }
  }

  struct Entry: Sendable {
    let key: Code
    let keySpan: Range<Int>
    let value: Element
  }

  /// `[first, ?second]`.
  static func list(_ elements: [Element]) -> Code {
    .computed { (frame) throws(EvaluationError) in
      try frame.charge(elements.count)
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        if let value = try element.value(&frame) { values.append(value) }
      }
      return .list(values)
    }
  }

  /// `{key: value, ?key2: value2}`.
  static func map(_ entries: [Entry]) -> Code {
    .computed { (frame) throws(EvaluationError) in
      try frame.charge(entries.count)
      var map = ValueMap()
      for entry in entries {
        let key = try entry.key.value(&frame)
        try MapKey.check(key, isNewIn: map, entry.keySpan)
        if let value = try entry.value.value(&frame) { map[key] = value }
      }
      return .map(map)
    }
  }

  /// `optional.optMap(name, value)` and `optFlatMap`.
  static func optionalMap(
    _ optional: Code, local index: Int, to result: Code, isFlat: Bool, at span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try optional.value(&frame)
      guard case .optional(let wrapped) = value else { throw .notOptional(value, span) }
      guard let wrapped else { return value }
      frame.locals[index] = wrapped
      let result = try result.value(&frame)
      guard isFlat else { return .optional(result) }
      guard case .optional = result else { throw .notOptional(result, span) }
      return result
    }
  }

  /// `optional.or(optional)` and `optional.orValue(value)`: the second is evaluated when needed.
  static func fallback(
    _ optional: Code, _ fallback: Code, isUnwrapping: Bool, _ span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try optional.value(&frame)
      guard case .optional(let wrapped) = value else { throw .notOptional(value, span) }
      if let wrapped { return isUnwrapping ? wrapped : value }
      let other = try fallback.value(&frame)
      guard !isUnwrapping else { return other }
      guard case .optional = other else { throw .notOptional(other, span) }
      return other
    }
  }
}

/// The rules for the keys of a map.
enum MapKey {
  /// True if a map may have an entry for this key.
  ///
  /// A double finds the equal integer.
  static func isPossible(_ key: Value) -> Bool {
    switch key {
    case .bool, .int, .uint, .double, .decimal, .number, .string: true
    default: false
    }
  }

  /// - Throws: When no map has keys of this kind, or this one has the key.
  static func check(
    _ key: Value, isNewIn map: ValueMap, _ span: Range<Int>
  ) throws(EvaluationError) {
    switch key {
    case .bool, .int, .uint, .string: break
    default: throw .badKey(key, span)
    }
    guard map[key] == nil else { throw .duplicateKey(key, span) }
  }
}

/// The order of values ("Ordering"): numbers across kinds, text and bytes by their bytes.
enum Ordering {
  enum Result {
    case less, equal, greater
    /// NaN is neither.
    case unordered
  }

  /// The order of two values, or nil if values of these kinds have none.
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
    guard let order = ExactNumber.order(of: left, right) ?? NumericValue.compare(a, b) else {
      return .unordered
    }
    return order < 0 ? .less : order > 0 ? .greater : .equal
  }
}
