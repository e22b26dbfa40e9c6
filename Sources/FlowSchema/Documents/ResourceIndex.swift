internal import FlowCore
internal import FlowSystem

/// A place in a document.
struct Place: Hashable, Sendable {
  /// The number of the document in the index.
  let document: Int
  /// The pointer from the root of the document.
  let pointer: JSONPointer
}

/// A schema found in a document.
struct Subschema: Sendable {
  let place: Place
  let value: Value
  /// The number of the resource around it.
  let resource: Int
}

/// A schema with its own URI: the root of a document, or a part of it with `$id`.
struct SchemaResource: Sendable {
  let uri: URIReference
  var dialect: Dialect
  let root: Place
  let value: Value
  var anchors: [String: Subschema] = [:]
  /// The names among the anchors that `$dynamicRef` may choose.
  var dynamicNames: Set<String> = []
}

/// The resources and anchors of all documents that were read so far.
struct ResourceIndex {
  /// A reason why a document cannot be used.
  enum Problem: Error {
    case unknownDialect(String)
    case unknownVocabulary(String, metaschema: String)
    case twice(String)
    case unresolved(String, URIReference)
    case noAnchor(String, URIReference)
    case noPart(JSONPointer, URIReference)
    case badPointer(String)
    case depth
  }

  private let documents: SchemaDocuments
  private let defaultDialect: Dialect
  private(set) var resources: [SchemaResource] = []
  private var resourceByURI: [String: Int] = [:]
  private var resourceAt: [Place: Int] = [:]
  /// The resources of the documents' roots, in the order of the documents.
  private(set) var roots: [Int] = []
  private var loaded: Set<String> = []

  init(_ documents: SchemaDocuments, defaultDialect: Dialect) {
    self.documents = documents
    self.defaultDialect = defaultDialect
  }

  /// Returns the resource around a subschema that was read.
  func resource(at place: Place) -> Int? { resourceAt[place] }

  // MARK: - References

  /// Returns the target of a reference from inside of a resource.
  mutating func target(
    of reference: String, from resource: Int
  ) throws(Problem) -> Subschema {
    try target(
      of: URIReference(reference).resolved(against: resources[resource].uri), reference,
      dialect: resources[resource].dialect)
  }

  /// Returns the target of a whole URI.
  ///
  /// The dialect is that of a document without `$schema`, nil for the default.
  mutating func target(
    of uri: URIReference, _ text: String, dialect: Dialect? = nil
  ) throws(Problem) -> Subschema {
    let number = try resourceNumber(uri.withoutFragment, text, dialect)
    let resource = resources[number]
    guard let fragment = uri.fragment, !fragment.isEmpty else {
      return Subschema(place: resource.root, value: resource.value, resource: number)
    }
    guard let name = fragment.percentDecoded else { throw .badPointer(text) }
    if name.utf8.first == UInt8(ascii: "/") { return try part(name, of: number, text) }
    guard let anchor = resource.anchors[name] else {
      throw .noAnchor(name, uri.withoutFragment)
    }
    return anchor
  }

  private mutating func resourceNumber(
    _ uri: URIReference, _ text: String, _ dialect: Dialect?
  ) throws(Problem) -> Int {
    if let number = resourceByURI[uri.text] { return number }
    if let value = documents.document(uri.text) { return try load(value, uri, dialect) }
    // A document may declare another URI than the one it is known by.
    for other in documents.uris where !loaded.contains(other) {
      guard let value = documents.document(other) else { continue }
      // One with an unknown dialect is no target of this reference.
      _ = try? load(value, URIReference(other), dialect)
      if let number = resourceByURI[uri.text] { return number }
    }
    throw .unresolved(text, uri)
  }

  private mutating func part(
    _ pointer: String, of number: Int, _ text: String
  ) throws(Problem) -> Subschema {
    guard let tokens = JSONPointer.tokens(of: pointer) else { throw .badPointer(text) }
    var (place, value, number) = (resources[number].root, resources[number].value, number)
    let uri = resources[number].uri
    for token in tokens {
      let pointer = place.pointer.appending(token)
      guard let part = value.part(token) else { throw .noPart(pointer, uri) }
      (place, value) = (Place(document: place.document, pointer: pointer), part)
      number = resourceAt[place] ?? number
    }
    // Behind an unknown keyword nothing was read yet.
    if resourceAt[place] == nil { try read(value, at: place, in: number) }
    return Subschema(place: place, value: value, resource: resourceAt[place] ?? number)
  }

  // MARK: - Reading

  /// Reads a document as a resource with this URI, and returns its number.
  ///
  /// Without `$schema` it has the dialect of the schema that refers to it, nil for the default.
  mutating func load(
    _ value: Value, _ uri: URIReference, _ inherited: Dialect? = nil
  ) throws(Problem) -> Int {
    loaded.insert(uri.text)
    let isPlain = documents.plain.contains(uri.text)
    guard let plain = isPlain ? value : PlainValue.of(value) else { throw .depth }
    let root = Place(document: roots.count, pointer: .root)
    let number = resources.count
    let dialect = try dialect(declaredIn: plain) ?? inherited ?? defaultDialect
    roots.append(number)
    add(SchemaResource(uri: uri, dialect: dialect, root: root, value: plain))
    try read(plain, at: root, in: number)
    if isPlain {
      for pointer in documents.identified[uri.text] ?? [] {
        _ = try part(pointer, of: number, uri.text)
      }
    }
    return number
  }

  private mutating func add(_ resource: SchemaResource) {
    resourceByURI[resource.uri.text] = resources.count
    resources.append(resource)
  }

  /// Reads a subschema with everything inside it.
  private mutating func read(
    _ value: Value, at place: Place, in resource: Int
  ) throws(Problem) {
    // A part of a document may be read before that around it.
    guard resourceAt[place] == nil else { return }
    guard case .map(let map) = value else {
      resourceAt[place] = resource
      return
    }
    let resource = try identify(value, map, at: place, in: resource)
    resourceAt[place] = resource
    for entry in map.entries {
      guard case .string(let keyword) = entry.key,
        let rule = resources[resource].dialect.rule(of: keyword)
      else { continue }
      let parts = rule.shape.subschemas(of: entry.value, at: place.pointer.appending(keyword))
      for (pointer, part) in parts {
        try read(part, at: Place(document: place.document, pointer: pointer), in: resource)
      }
    }
  }

  /// Reads the identifiers of a schema, and returns the resource that it is in or begins.
  private mutating func identify(
    _ value: Value, _ map: ValueMap, at place: Place, in resource: Int
  ) throws(Problem) -> Int {
    var number = resource
    let draft = resources[resource].dialect.draft
    // In draft 7, nothing beside `$ref` counts.
    let isIgnored = draft == .openAPI30 || draft == .draft7 && map["$ref"] != nil
    if !isIgnored, case .string(let id)? = map["$id"] {
      if draft == .draft7, id.hasPrefix("#") {
        name(String(id.dropFirst()), Subschema(place: place, value: value, resource: resource))
      } else {
        number = try begin(id, value, at: place, in: resource)
      }
    }
    guard draft == .draft2020 else { return number }
    let here = Subschema(place: place, value: value, resource: number)
    if case .string(let anchor)? = map["$anchor"] { name(anchor, here) }
    if case .string(let anchor)? = map["$dynamicAnchor"] {
      name(anchor, here)
      resources[number].dynamicNames.insert(anchor)
    }
    return number
  }

  private mutating func name(_ anchor: String, _ subschema: Subschema) {
    resources[subschema.resource].anchors[anchor] = subschema
  }

  private mutating func begin(
    _ id: String, _ value: Value, at place: Place, in resource: Int
  ) throws(Problem) -> Int {
    let uri = URIReference(id).resolved(against: resources[resource].uri).withoutFragment
    if resources[resource].root == place {
      // The root of a document is known by both of its URIs.
      let root = resources[resource]
      if uri == root.uri { return resource }
      guard resourceByURI[uri.text] == nil else { throw .twice(uri.text) }
      resources[resource] = SchemaResource(
        uri: uri, dialect: root.dialect, root: place, value: value)
      resourceByURI[uri.text] = resource
      return resource
    }
    guard resourceByURI[uri.text] == nil else { throw .twice(uri.text) }
    let dialect = try dialect(declaredIn: value) ?? resources[resource].dialect
    add(SchemaResource(uri: uri, dialect: dialect, root: place, value: value))
    return resources.count - 1
  }

  // MARK: - Dialects

  /// Returns the dialect that `$schema` names, or nil without it.
  private func dialect(declaredIn value: Value) throws(Problem) -> Dialect? {
    guard case .map(let map) = value, case .string(let text)? = map["$schema"] else { return nil }
    var uri = URIReference(text)
    if uri.fragment == "" { uri.fragment = nil }
    if let dialect = Dialect(metaschema: uri.text) { return dialect }
    guard case .map(let metaschema)? = documents.document(uri.text),
      case .string(let parent)? = metaschema["$schema"],
      let dialect = Dialect(metaschema: URIReference(parent).withoutFragment.text)
    else { throw .unknownDialect(text) }
    guard case .map(let named)? = metaschema["$vocabulary"] else { return dialect }
    var vocabularies: Set<Dialect.Vocabulary> = [.core]
    for entry in named.entries {
      let name = entry.key.interpolated
      if let vocabulary = Dialect.Vocabulary(uri: name) {
        vocabularies.insert(vocabulary)
      } else if entry.value == .bool(true) {
        throw .unknownVocabulary(name, metaschema: text)
      }
    }
    return Dialect(draft: dialect.draft, vocabularies: vocabularies)
  }
}

extension KeywordRule.Shape {
  /// The subschemas in a keyword's value, with their pointers.
  func subschemas(of value: Value, at pointer: JSONPointer) -> [(JSONPointer, Value)] {
    switch (self, value) {
    case (.plain, _): []
    case (.schema, _): [(pointer, value)]
    case (.list, .list(let values)), (.schemaOrList, .list(let values)):
      values.enumerated().map { (pointer.appending($0), $1) }
    case (.schemaOrList, _): [(pointer, value)]
    case (.map, .map(let map)):
      map.entries.map { (pointer.appending($0.key.interpolated), $0.value) }
    case (.mapOfSchemasOrNames, .map(let map)):
      map.entries.compactMap {
        if case .list = $0.value { return nil }
        return (pointer.appending($0.key.interpolated), $0.value)
      }
    case (.list, _), (.map, _), (.mapOfSchemasOrNames, _): []
    }
  }
}
