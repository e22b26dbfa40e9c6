internal import FlowCore

/// `[first, ?second]`.
final class ListNode: Node {
  struct Element {
    let value: any Node
    let isOptional: Bool
    let span: Range<Int>
  }

  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(elements.count)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.value.value(&frame)
      guard element.isOptional else {
        values.append(value)
        continue
      }
      guard case .optional(let wrapped) = value else { throw .notOptional(value, element.span) }
      if let wrapped { values.append(wrapped) }
    }
    return .list(values)
  }
}

/// `{key: value, ?key2: value2}`.
final class MapNode: Node {
  struct Entry {
    let key: any Node
    let value: any Node
    let isOptional: Bool
    let keySpan: Range<Int>
    let valueSpan: Range<Int>
  }

  private let entries: [Entry]

  init(_ entries: [Entry]) {
    self.entries = entries
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(entries.count)
    var map = ValueMap()
    for entry in entries {
      let key = try entry.key.value(&frame)
      try MapKey.check(key, isNewIn: map, entry.keySpan)
      let value = try entry.value.value(&frame)
      guard entry.isOptional else {
        map[key] = value
        continue
      }
      guard case .optional(let wrapped) = value else { throw .notOptional(value, entry.valueSpan) }
      if let wrapped { map[key] = wrapped }
    }
    return .map(map)
  }
}

/// The rules for the keys of a map.
enum MapKey {
  /// Whether a map may have an entry that is found by this value; a double finds the equal integer.
  static func isPossible(_ key: Value) -> Bool {
    switch key {
    case .bool, .int, .uint, .double, .decimal, .string: true
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
