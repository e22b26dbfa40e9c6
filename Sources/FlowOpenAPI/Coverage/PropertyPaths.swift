internal import FlowCore
internal import FlowSchema

/// The properties that a schema names, breadth first.
///
/// Nothing is compiled: the parts of a large service are counted at once.
struct PropertyPaths {
  private static let mostPaths = 200
  private static let mostLevels = 8
  private static let mostVisits = 20_000

  /// A schema to look into, and the pointer to its value.
  private struct Visit {
    let value: Value
    let uri: String
    let pointer: JSONPointer
    let levels: Int
  }

  private struct Reference: Hashable {
    let uri: String
    let text: String
    let pointer: JSONPointer
  }

  private let store: SchemaStore
  private let ignoresSiblings: Bool
  private var found: [String] = []
  private var known: Set<String> = []
  private var waiting: [Visit] = []
  private var followed: Set<Reference> = []

  /// Returns pointers such as `/items/*/sku`, each once.
  static func all(of schema: OpenAPISchema) -> [String] {
    guard let value = schema.store.value(at: schema.place) else { return [] }
    var paths = PropertyPaths(schema.store)
    paths.waiting.append(
      Visit(value: value, uri: schema.place.uri, pointer: .root, levels: mostLevels))
    var next = 0
    while next < paths.waiting.count, next < mostVisits, paths.found.count < mostPaths {
      paths.visit(paths.waiting[next])
      next += 1
    }
    return paths.found
  }

  private init(_ store: SchemaStore) {
    self.store = store
    ignoresSiblings = store.ignoresSiblings
  }

  private mutating func visit(_ visit: Visit) {
    guard case .map(let map) = visit.value else { return }
    if let text = map["$ref"]?.text {
      follow(text, visit)
      if ignoresSiblings { return }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
      if case .list(let values)? = map[keyword] { values.forEach { add($0, nil, visit) } }
    }
    for keyword in ["then", "else"] { map[keyword].map { add($0, nil, visit) } }
    if case .map(let properties)? = map["properties"] {
      for entry in properties.entries { add(entry.value, entry.key.interpolated, visit) }
    }
    if case .list(let values)? = map["prefixItems"] { values.forEach { add($0, "*", visit) } }
    for keyword in ["additionalProperties", "items"] { map[keyword].map { add($0, "*", visit) } }
  }

  private mutating func follow(_ text: String, _ visit: Visit) {
    let reference = Reference(uri: visit.uri, text: text, pointer: visit.pointer)
    guard followed.insert(reference).inserted, waiting.count < Self.mostVisits,
      let (uri, value) = store.target(of: text, from: visit.uri)
    else { return }
    waiting.append(Visit(value: value, uri: uri, pointer: visit.pointer, levels: visit.levels))
  }

  /// Adds a schema of a member or of all elements, or of the same value without a step.
  private mutating func add(_ value: Value, _ step: String?, _ visit: Visit) {
    guard waiting.count < Self.mostVisits else { return }
    guard let step else {
      waiting.append(
        Visit(value: value, uri: visit.uri, pointer: visit.pointer, levels: visit.levels))
      return
    }
    guard visit.levels > 0 else { return }
    let inner = visit.pointer.appending(step)
    if step != "*", known.insert(inner.description).inserted { found.append(inner.description) }
    waiting.append(
      Visit(value: value, uri: visit.uri, pointer: inner, levels: visit.levels - 1))
  }
}
