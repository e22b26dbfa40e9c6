public import FlowCore

/// Names with values in the order of the scenario: a query or a form.
public struct NamedValues: FieldValue {
  /// A map of any values.
  public static let valueType = ValueType.map(.dynamic)

  let map: ValueMap

  /// Creates no values.
  public init() { map = ValueMap() }

  init(_ map: ValueMap) { self.map = map }

  /// Creates pairs, of which those with one name become a list.
  init(_ pairs: [(name: String, value: String)]) {
    var map = ValueMap()
    for (name, value) in pairs {
      switch map[name] {
      case nil: map[.string(name)] = .string(value)
      case .list(let values)?: map[.string(name)] = .list(values + [.string(value)])
      case let first?: map[.string(name)] = .list([first, .string(value)])
      }
    }
    self.map = map
  }

  /// The names in order.
  var names: [String] { map.entries.map(\.key.interpolated) }

  /// The values by their names.
  var entries: [String: Value] {
    Dictionary(
      map.entries.map { ($0.key.interpolated, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads a map.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    self.map = map
  }

  /// The map.
  public var encoded: Value { .map(map) }

  /// The names without a value, as in the query `?draft`.
  var flags: [String] {
    map.entries.flatMap { entry in
      Self.elements(entry.value).filter { $0 == .null }.map { _ in entry.key.interpolated }
    }
  }

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

  /// The pairs as the headers of a request.
  ///
  /// - Throws: `RequestError` for values without a text form, for a text that cannot be a header, or
  ///   for one header under two names.
  var headers: [(name: String, value: String)] {
    get throws(RequestError) {
      if map.isEmpty { return [] }
      var known: [String: String] = [:]
      for name in names {
        guard Header.isName(name) else { throw .headerName(name) }
        let key = name.lowercased()
        if let other = known[key] { throw .headerTwice(other, name) }
        known[key] = name
      }
      let pairs = try pairs
      for (name, value) in pairs where !Header.isValue(value) { throw .headerValue(name) }
      return pairs
    }
  }

  /// The names without a value.
  var absent: [String] {
    map.entries.filter { $0.value == .null }.map(\.key.interpolated)
  }

  /// Returns the values with another one in place of those of a header.
  func with(header name: String, _ value: String) -> NamedValues {
    var map = ValueMap()
    for entry in self.map.entries where !Header.isSame(entry.key.interpolated, name) {
      map[entry.key] = entry.value
    }
    map[.string(name)] = .string(value)
    return NamedValues(map)
  }

  /// The value of a header, with the elements of a list joined as a server does.
  static func headerText(_ value: Value) -> String {
    elements(value).map(\.interpolated).joined(separator: ", ")
  }

  private static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .string, .bool, .int, .uint, .double, .decimal, .number, .timestamp, .duration:
      value.interpolated
    default: nil
    }
  }
}
