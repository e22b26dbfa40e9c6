internal import FlowCore

/// Names with values in the order of the scenario: a query or a form.
struct NamedValues: FieldValue {
  static let valueType = ValueType.map(.dynamic)

  let map: ValueMap

  init() { map = ValueMap() }

  init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    self.map = map
  }

  var encoded: Value { .map(map) }

  /// The pairs: one for each value or element of a list, none for null.
  ///
  /// - Throws: `RequestError` for values without a text form.
  var pairs: [(name: String, value: String)] {
    get throws(RequestError) {
      var pairs: [(name: String, value: String)] = []
      for entry in map.entries {
        let name = entry.key.interpolated
        for value in Self.elements(entry.value) where value != .null {
          guard let text = Self.text(value) else {
            throw .notText(name, isElement: value != entry.value, kind: value.kindName)
          }
          pairs.append((name, text))
        }
      }
      return pairs
    }
  }

  private static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .string, .bool, .int, .uint, .double, .decimal, .timestamp, .duration: value.interpolated
    default: nil
    }
  }
}
