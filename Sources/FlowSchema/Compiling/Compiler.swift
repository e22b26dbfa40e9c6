internal import FlowCore
internal import FlowSystem

/// Compiles a schema and everything that it refers to.
struct Compiler {
  let options: SchemaOptions
  var index: ResourceIndex
  private(set) var nodes: [SchemaNode] = []
  private(set) var unknownKeywords: [UnknownKeyword] = []
  private(set) var problems: [SchemaProblem] = []
  private var numbers: [Place: Int] = [:]
  private var waiting: [(number: Int, schema: Subschema)] = []
  /// The names that some `$dynamicRef` looks for.
  private var dynamicNames: Set<String> = []

  private static let mostProblems = 100

  init(_ documents: SchemaDocuments, _ options: SchemaOptions) {
    self.options = options
    index = ResourceIndex(documents, defaultDialect: options.dialect ?? options.draft.dialect)
  }

  /// Compiles the schema that a reference names, and returns its number.
  mutating func compile(_ reference: String) -> Int? {
    do throws(ResourceIndex.Problem) {
      let root = try index.target(of: URIReference(reference), reference)
      return compile(root)
    } catch {
      report(.reference(error), at: reference)
      return nil
    }
  }

  /// Compiles a document that has this URI, and returns its number.
  mutating func compile(_ document: Value, uri: String) -> Int? {
    do throws(ResourceIndex.Problem) {
      let number = try index.load(document, URIReference(uri).withoutFragment)
      let resource = index.resources[number]
      return compile(Subschema(place: resource.root, value: resource.value, resource: number))
    } catch {
      report(.reference(error), at: uri + "#")
      return nil
    }
  }

  private mutating func compile(_ root: Subschema) -> Int {
    let number = self.number(of: root)
    repeat {
      while let (number, schema) = waiting.popLast() { read(schema, number) }
      queueDynamicAnchors()
    } while !waiting.isEmpty
    return number
  }

  /// A schema that some `$dynamicRef` may choose is known only when all resources are.
  private mutating func queueDynamicAnchors() {
    for resource in index.resources {
      for name in resource.dynamicNames.intersection(dynamicNames).sorted() {
        guard let anchor = resource.anchors[name] else { continue }
        _ = self.number(of: anchor)
      }
    }
  }

  /// For each resource, the nodes that a `$dynamicRef` may choose, by name.
  var dynamicAnchors: [[String: Int]] {
    index.resources.map { resource in
      let names = resource.dynamicNames.intersection(dynamicNames)
      return Dictionary(
        names.compactMap { name in
          resource.anchors[name].flatMap { numbers[$0.place] }.map { (name, $0) }
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  // MARK: - For readers of keywords

  /// Returns the number of a subschema, which is compiled later if it is new.
  mutating func number(of schema: Subschema) -> Int {
    if let number = numbers[schema.place] { return number }
    let number = nodes.count
    numbers[schema.place] = number
    nodes.append(SchemaNode(location: location(of: schema), resource: schema.resource))
    guard nodes.count <= options.limits.subschemas else {
      if nodes.count == options.limits.subschemas + 1 {
        report(.limit(.subschemas(options.limits.subschemas)), at: location(of: schema))
      }
      return number
    }
    waiting.append((number, schema))
    return number
  }

  /// Returns the number of the schema that a reference names, or nil after reporting a problem.
  mutating func number(of reference: String, from schema: Subschema, _ keyword: String) -> Int? {
    do throws(ResourceIndex.Problem) {
      return number(of: try index.target(of: reference, from: schema.resource))
    } catch {
      report(.reference(error), at: location(of: schema, keyword))
      return nil
    }
  }

  /// Returns the schema that a reference names, or nil.
  mutating func target(of reference: String, from schema: Subschema) -> Subschema? {
    try? index.target(of: reference, from: schema.resource)
  }

  /// Returns the schema of which another one is a part of `allOf`, or nil.
  func outer(of schema: Subschema) -> Subschema? {
    guard let tokens = JSONPointer.tokens(of: schema.place.pointer.description),
      tokens.suffix(2).first == "allOf"
    else { return nil }
    var value = index.resources[index.roots[schema.place.document]].value
    var pointer = JSONPointer.root
    for token in tokens.dropLast(2) {
      guard let part = value.part(token) else { return nil }
      (value, pointer) = (part, pointer.appending(token))
    }
    let place = Place(document: schema.place.document, pointer: pointer)
    return Subschema(
      place: place, value: value, resource: index.resource(at: place) ?? schema.resource)
  }

  /// Returns the name that `$dynamicRef` looks for at run time, or nil if it is fixed.
  mutating func dynamicName(of reference: String, from schema: Subschema) -> String? {
    guard let name = URIReference(reference).fragment?.percentDecoded,
      let target = try? index.target(of: reference, from: schema.resource),
      index.resources[target.resource].dynamicNames.contains(name)
    else { return nil }
    dynamicNames.insert(name)
    return name
  }

  mutating func report(_ reason: SchemaProblem.Reason, at location: String) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(SchemaProblem(location: location, reason: reason))
  }

  func location(of schema: Subschema, _ keyword: String? = nil) -> String {
    let pointer = keyword.map(schema.place.pointer.appending) ?? schema.place.pointer
    let root = index.resources[index.roots[schema.place.document]]
    return root.uri.text + "#" + pointer.description
  }

  // MARK: - Subschemas

  private mutating func read(_ schema: Subschema, _ number: Int) {
    switch schema.value {
    case .bool(let isAlways): nodes[number].isNever = !isAlways
    case .map(let map):
      var reader = KeywordReader(map, schema)
      reader.read(with: &self)
      nodes[number].keywords = reader.keywords
      nodes[number].needsEvaluated = reader.needsEvaluated
      nodes[number].summary = reader.summary
    default: report(.notASchema(schema.value), at: location(of: schema))
    }
  }

  mutating func note(unknown keyword: String, in schema: Subschema) {
    guard unknownKeywords.count < Self.mostProblems else { return }
    unknownKeywords.append(
      UnknownKeyword(
        location: location(of: schema, keyword), name: keyword,
        candidates: index.resources[schema.resource].dialect.keywords))
  }
}
