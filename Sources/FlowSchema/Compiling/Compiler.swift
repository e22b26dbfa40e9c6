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
  /// For the maps of schemas with discriminators: the schemas in them by their bases.
  private var extensions: [Place: [Place: [Subschema]]] = [:]
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

  /// Returns the schemas beside a schema that refer to it in `allOf`.
  mutating func extensions(of schema: Subschema) -> [Subschema] {
    guard let tokens = JSONPointer.tokens(of: schema.place.pointer.description), !tokens.isEmpty
    else { return [] }
    let pointer = tokens.dropLast().reduce(JSONPointer.root) { $0.appending($1) }
    let container = Place(document: schema.place.document, pointer: pointer)
    if extensions[container] == nil { extensions[container] = extensions(in: container, schema) }
    return extensions[container]?[schema.place] ?? []
  }

  /// The schemas in a map, by those that they refer to in `allOf`.
  private mutating func extensions(
    in container: Place, _ schema: Subschema
  ) -> [Place: [Subschema]] {
    let root: Value? = index.resources[index.roots[container.document]].value
    let tokens = JSONPointer.tokens(of: container.pointer.description) ?? []
    guard case .map(let schemas)? = tokens.reduce(root, { $0?.part($1) }) else { return [:] }
    var found: [Place: [Subschema]] = [:]
    for entry in schemas.entries {
      guard case .map(let map) = entry.value, case .list(let parts)? = map["allOf"] else {
        continue
      }
      let place = Place(
        document: container.document,
        pointer: container.pointer.appending(entry.key.interpolated))
      let other = Subschema(
        place: place, value: entry.value, resource: index.resource(at: place) ?? schema.resource)
      for part in parts {
        guard case .map(let part) = part, case .string(let text)? = part["$ref"],
          let base = target(of: text, from: other)
        else { continue }
        found[base.place, default: []].append(other)
      }
    }
    return found
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
      nodes[number].examples = reader.examples
      nodes[number].format = reader.format
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

/// Reads the keywords of one schema.
struct KeywordReader {
  let map: ValueMap
  let schema: Subschema
  private(set) var keywords: [Keyword] = []
  private(set) var needsEvaluated = false
  private(set) var summary: String?
  private(set) var examples: [Value] = []
  private(set) var format: SchemaFormat?
  // Applicators follow the assertions, and what depends on both is last.
  private var applicators: [Keyword] = []
  private var last: [Keyword] = []

  private static let mostSubtypes = 50

  init(_ map: ValueMap, _ schema: Subschema) {
    self.map = map
    self.schema = schema
  }

  /// Reads all keywords, and reports problems to the compiler.
  mutating func read(with compiler: inout Compiler) {
    let dialect = compiler.index.resources[schema.resource].dialect
    if dialect.ignoresSiblings, let reference = map["$ref"] {
      // Nothing beside it counts.
      readReference(reference, &compiler)
      keywords = applicators
      return
    }
    for entry in map.entries {
      guard case .string(let name) = entry.key else { continue }
      guard dialect.rule(of: name) != nil else {
        if !dialect.allows(name) { compiler.note(unknown: name, in: schema) }
        continue
      }
      read(name, entry.value, dialect, &compiler)
    }
    if ["properties", "patternProperties", "additionalProperties"].contains(where: has) {
      readProperties(dialect, &compiler)
    }
    if ["items", "prefixItems"].contains(where: has) { readItems(dialect, &compiler) }
    if dialect.rule(of: "contains") != nil, let value = map["contains"] {
      readContains(value, dialect, &compiler)
    }
    if dialect.rule(of: "if") != nil, let value = map["if"] { readCondition(value, &compiler) }
    if dialect.rule(of: "discriminator") != nil, !["oneOf", "anyOf"].contains(where: has) {
      readSubtypes(&compiler)
    }
    keywords += applicators + last
  }

  /// True if a boolean of OpenAPI 3.0 takes the limit itself away.
  private func isExclusive(_ keyword: String, _ dialect: Dialect) -> Bool {
    dialect.draft == .openAPI30 && map[keyword] == .bool(true)
  }

  private func has(_ keyword: String) -> Bool { map[keyword] != nil }

  private mutating func read(
    _ name: String, _ value: Value, _ dialect: Dialect, _ compiler: inout Compiler
  ) {
    switch name {
    case "$ref": readReference(value, &compiler)
    case "$dynamicRef": readDynamicReference(value, &compiler)
    case "type": readTypes(value, dialect, &compiler)
    case "minimum" where isExclusive("exclusiveMinimum", dialect): break
    case "maximum" where isExclusive("exclusiveMaximum", dialect): break
    case "exclusiveMinimum", "exclusiveMaximum":
      if dialect.draft == .openAPI30 {
        readExclusive(name, value, &compiler)
      } else {
        readBound(name, value, &compiler)
      }
    case "const": keywords.append(.constant(value))
    case "enum":
      if let values = list(value, name, &compiler) {
        keywords.append(.enumeration(ValueSet(values)))
      }
    case "multipleOf": readMultiple(value, &compiler)
    case "uniqueItems":
      if let isUnique = bool(value, name, &compiler), isUnique { keywords.append(.uniqueItems) }
    case "pattern": readPattern(value, &compiler)
    case "format": readFormat(value, dialect, &compiler)
    case "contentEncoding", "contentMediaType": readContent(name, value, dialect, &compiler)
    case "required":
      if let names = names(value, name, &compiler) {
        keywords.append(.required(wanted(names, &compiler)))
      }
    case "dependentRequired", "dependencies", "dependentSchemas":
      readDependencies(name, value, &compiler)
    case "propertyNames": applicators.append(.propertyNames(node(value, name, &compiler)))
    case "allOf": if let nodes = nodes(value, name, &compiler) { applicators.append(.allOf(nodes)) }
    case "anyOf": if let nodes = nodes(value, name, &compiler) { applicators.append(.anyOf(nodes)) }
    case "oneOf": if let nodes = nodes(value, name, &compiler) { applicators.append(.oneOf(nodes)) }
    case "not": applicators.append(.not(node(value, name, &compiler)))
    case "unevaluatedItems":
      last.append(.unevaluatedItems(node(value, name, &compiler)))
      needsEvaluated = true
    case "unevaluatedProperties":
      last.append(.unevaluatedProperties(node(value, name, &compiler)))
      needsEvaluated = true
    case "writeOnly", "readOnly":
      if name == compiler.options.withheld, value == .bool(true) {
        keywords.append(.withheld(name))
      }
    case "examples": if case .list(let values) = value { examples += values }
    case "example": examples.append(value)
    case "description", "title": readSummary(name, value, &compiler)
    case "$schema", "$id", "$anchor", "$dynamicAnchor", "$comment":
      _ = string(value, name, &compiler)
    default: readBound(name, value, &compiler)
    }
  }

  /// Reads a bound of a number or a length; other keywords only annotate, or belong to another one.
  private mutating func readBound(_ name: String, _ value: Value, _ compiler: inout Compiler) {
    if let bound = Keyword.Bound(rawValue: name) {
      guard let number = SchemaNumber(value) else {
        return compiler.report(.shape(name, "a number", value), at: location(name, compiler))
      }
      keywords.append(.bound(bound, number, value))
    } else if let count = Keyword.Count(rawValue: name), let limit = limit(value, name, &compiler) {
      keywords.append(.count(count, limit))
    }
  }

  /// Reads the booleans of OpenAPI 3.0, which change `minimum` and `maximum`.
  private mutating func readExclusive(_ name: String, _ value: Value, _ compiler: inout Compiler) {
    let other = name == "exclusiveMinimum" ? "minimum" : "maximum"
    guard let isExclusive = bool(value, name, &compiler), isExclusive, let limit = map[other],
      let number = SchemaNumber(limit), let bound = Keyword.Bound(rawValue: name)
    else { return }
    keywords.append(.bound(bound, number, limit))
  }

  // MARK: - Assertions

  private mutating func readTypes(
    _ value: Value, _ dialect: Dialect, _ compiler: inout Compiler
  ) {
    var types: TypeSet = []
    var given: [Value] = if case .list(let values) = value { values } else { [value] }
    var all = TypeSet.all
    if dialect.draft == .openAPI30 {
      given = [value]
      all.removeAll { $0.type == .null }
      if map["nullable"] == .bool(true) { types.insert(.null) }
    }
    for type in given {
      guard case .string(let name) = type, let known = all.first(where: { $0.name == name })
      else {
        let names = all.map(\.name)
        return compiler.report(.type(type, names), at: location("type", compiler))
      }
      types.insert(known.type)
    }
    // First, because most values fail here.
    keywords.insert(.type(types), at: 0)
  }

  private mutating func readMultiple(_ value: Value, _ compiler: inout Compiler) {
    guard let number = SchemaNumber(value), number.sign > 0 else {
      let shape = SchemaProblem.Reason.shape("multipleOf", "a number above 0", value)
      return compiler.report(shape, at: location("multipleOf", compiler))
    }
    keywords.append(.multiple(of: number, value))
  }

  private mutating func readPattern(_ value: Value, _ compiler: inout Compiler) {
    guard let source = string(value, "pattern", &compiler),
      let pattern = pattern(source, at: location("pattern", compiler), &compiler)
    else { return }
    keywords.append(.pattern(pattern))
  }

  private mutating func readFormat(
    _ value: Value, _ dialect: Dialect, _ compiler: inout Compiler
  ) {
    guard let name = string(value, "format", &compiler) else { return }
    format = SchemaFormat(rawValue: name)
    if compiler.options.dialect != nil {
      if let range = IntegerRange(rawValue: name) { keywords.append(.range(range)) }
      guard SchemaFormat.ofOpenAPI.contains(name) else { return }
    }
    guard dialect.assertsFormat || compiler.options.assertsFormat else { return }
    // An unknown format allows everything (draft 2020-12, validation, section 7.2.3).
    if let format = SchemaFormat(rawValue: name) { keywords.append(.format(format)) }
  }

  private mutating func readContent(
    _ name: String, _ value: Value, _ dialect: Dialect, _ compiler: inout Compiler
  ) {
    guard let text = string(value, name, &compiler) else { return }
    // Later drafts never check content.
    guard dialect.draft == .draft7, compiler.options.assertsContent else { return }
    if name == "contentEncoding" {
      keywords.append(.content(encoding: text, mediaType: map["contentMediaType"]?.text))
    } else if !has("contentEncoding") {
      keywords.append(.content(encoding: nil, mediaType: text))
    }
  }

  private mutating func readSummary(_ name: String, _ value: Value, _ compiler: inout Compiler) {
    guard let text = string(value, name, &compiler) else { return }
    if name == "description" || summary == nil { summary = text }
  }

  // MARK: - Applicators

  private mutating func readReference(_ value: Value, _ compiler: inout Compiler) {
    guard let text = string(value, "$ref", &compiler),
      let node = compiler.number(of: text, from: schema, "$ref")
    else { return }
    applicators.append(.reference(node))
  }

  private mutating func readDynamicReference(_ value: Value, _ compiler: inout Compiler) {
    guard let text = string(value, "$dynamicRef", &compiler),
      let node = compiler.number(of: text, from: schema, "$dynamicRef")
    else { return }
    let name = compiler.dynamicName(of: text, from: schema)
    applicators.append(name.map { .dynamicReference($0, node) } ?? .reference(node))
  }

  private mutating func readDependencies(
    _ keyword: String, _ value: Value, _ compiler: inout Compiler
  ) {
    guard let entries = entries(value, keyword, &compiler) else { return }
    var (required, schemas): ([Keyword.Dependency], [Keyword.Dependent]) = ([], [])
    for (name, value) in entries {
      if keyword != "dependentSchemas", case .list = value {
        guard let names = names(value, keyword, &compiler) else { continue }
        required.append(Keyword.Dependency(keyword: keyword, name: name, required: names))
      } else if keyword != "dependentRequired" {
        let pointer = schema.place.pointer.appending(keyword).appending(name)
        let node = node(value, at: pointer, &compiler)
        schemas.append(Keyword.Dependent(keyword: keyword, name: name, node: node))
      } else {
        compiler.report(.shape(keyword, "lists of names", value), at: location(keyword, compiler))
      }
    }
    if !required.isEmpty { keywords.append(.dependentRequired(required)) }
    if !schemas.isEmpty { applicators.append(.dependentSchemas(schemas)) }
  }

  private mutating func readProperties(_ dialect: Dialect, _ compiler: inout Compiler) {
    guard dialect.rule(of: "properties") != nil else { return }
    var (names, nodes): ([String], [Int]) = ([], [])
    for (name, node) in namedNodes("properties", &compiler) {
      names.append(name)
      nodes.append(node)
    }
    var (patterns, isWhole): ([(pattern: SchemaPattern, node: Int)], Bool) = ([], true)
    for (source, node) in namedNodes("patternProperties", &compiler) {
      let place = location("patternProperties", compiler)
      if let pattern = pattern(source, at: place, &compiler) {
        patterns.append((pattern, node))
      } else {
        isWhole = false
      }
    }
    // Any name may be one of a pattern that is left out.
    let others = isWhole ? map["additionalProperties"] : .bool(true)
    let additional = others.map { node($0, "additionalProperties", &compiler) }
    applicators.append(
      .properties(
        Keyword.Properties(
          names: NameTable(names), nodes: nodes, patterns: patterns, additional: additional)))
  }

  private mutating func readItems(_ dialect: Dialect, _ compiler: inout Compiler) {
    guard dialect.rule(of: "items") != nil else { return }
    var (first, rest): (String?, String) = ("prefixItems", "items")
    if dialect.draft == .draft7 {
      let isList = if case .list? = map["items"] { true } else { false }
      (first, rest) = isList ? ("items", "additionalItems") : (nil, "items")
    }
    var firstNodes: [Int] = []
    if let first, let value = map[first] { firstNodes = nodes(value, first, &compiler) ?? [] }
    let restNode = map[rest].map { node($0, rest, &compiler) }
    applicators.append(
      .items(Keyword.Items(first: firstNodes, rest: restNode, restKeyword: rest)))
  }

  private mutating func readContains(
    _ value: Value, _ dialect: Dialect, _ compiler: inout Compiler
  ) {
    let bounds = ["minContains", "maxContains"].map { name in
      dialect.rule(of: name) == nil ? nil : map[name].flatMap { limit($0, name, &compiler) }
    }
    applicators.append(
      .contains(
        Keyword.Contains(
          node: node(value, "contains", &compiler), minimum: bounds[0] ?? 1, maximum: bounds[1],
          evaluates: dialect.draft == .draft2020)))
  }

  /// Reads the subtypes of a schema with a discriminator: those that it names, and those that name
  /// the schema (OpenAPI 3.1, section 4.8.25).
  ///
  /// They change no verdict, so one that cannot be found is no mistake here.
  private mutating func readSubtypes(_ compiler: inout Compiler) {
    guard case .map(let discriminator)? = map["discriminator"] else { return }
    var subtypes: [Subschema] = []
    if case .map(let mapping)? = discriminator["mapping"] {
      subtypes = mapping.entries.compactMap { entry in
        guard case .string(let text) = entry.value else { return nil }
        return subtype(text, &compiler)
      }
    }
    subtypes += compiler.extensions(of: schema)
    var places: Set<Place> = [schema.place]
    subtypes = subtypes.filter { places.insert($0.place).inserted }
    // More of them would make each schema with the base as large as the whole description.
    guard !subtypes.isEmpty, subtypes.count <= Self.mostSubtypes else { return }
    last.append(.subtypes(subtypes.map { compiler.number(of: $0) }))
  }

  /// Returns the schema of a mapping's value: a reference, or the name of a schema beside this one.
  private func subtype(_ text: String, _ compiler: inout Compiler) -> Subschema? {
    if text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }),
      let target = compiler.target(of: text, from: schema)
    {
      return target
    }
    return compiler.target(of: "#/components/schemas/\(text)", from: schema)
  }

  private mutating func readCondition(_ value: Value, _ compiler: inout Compiler) {
    let condition = node(value, "if", &compiler)
    let then = map["then"].map { node($0, "then", &compiler) }
    let otherwise = map["else"].map { node($0, "else", &compiler) }
    applicators.append(
      .condition(Keyword.Condition(condition: condition, then: then, otherwise: otherwise)))
  }
}
