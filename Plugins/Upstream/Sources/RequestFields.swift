internal import FlowCore

/// The parameters of a query, the fields of a form, or headers, by their names.
///
/// Names are compared by their bytes, as servers compare them. A dictionary of Swift would take two
/// forms of one accented letter for one name, and lose a value.
struct RequestFields: FieldValue, ExpressibleByDictionaryLiteral {
  static let valueType = ValueType.map(.dynamic)

  private let map: ValueMap

  /// The names with their values, sorted by the names.
  var entries: [(name: String, value: Value)] {
    map.entries.map { (name: $0.key.interpolated, value: $0.value) }
  }

  init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }

  /// Creates fields from pairs, of which those with one name become a list.
  init(values pairs: [(String, Value)]) {
    var names: [String] = []
    var values: [[UInt8]: [Value]] = [:]
    for (name, value) in pairs {
      let key = Array(name.utf8)
      if values[key] == nil { names.append(name) }
      values[key, default: []].append(value)
    }
    self.init(
      names.map { name in
        let values = values[Array(name.utf8)] ?? []
        return (name, values.count == 1 ? values[0] : .list(values))
      })
  }

  /// Creates fields with unique names.
  private init(_ fields: [(String, Value)]) {
    map = ValueMap(
      fields.sorted {
        $0.0 == $1.0 ? $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) : $0.0 < $1.0
      })
  }

  init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    var fields: [(String, Value)] = []
    for entry in map.entries { fields.append((try String(decoding: entry.key), entry.value)) }
    self.init(fields)
  }

  var encoded: Value { .map(map) }

  /// The value of a name, or nil.
  subscript(name: String) -> Value? { map[name] }

  /// The fields with other values.
  func changing(_ change: (Value) -> Value) -> RequestFields {
    RequestFields(entries.map { ($0.name, $0.value.mapping(change)) })
  }

  /// Returns the fields with another value of a name.
  func with(_ name: String, _ value: String) -> RequestFields {
    RequestFields(entries.map { ($0.name, $0.name == name ? .string(value) : $0.value) })
  }

  /// Returns the fields without one of a name.
  func without(_ name: String) -> RequestFields {
    RequestFields(entries.filter { $0.name != name })
  }

  /// Returns the fields of some names.
  func only(_ names: [String]) -> RequestFields {
    RequestFields(entries.filter { names.contains($0.name) })
  }

  /// The fields with names in lower case, the first one of each.
  var lowercased: RequestFields {
    var fields: [(String, Value)] = []
    for (name, value) in entries where !fields.contains(where: { $0.0 == name.lowercased() }) {
      fields.append((name.lowercased(), value))
    }
    return RequestFields(fields)
  }
}
