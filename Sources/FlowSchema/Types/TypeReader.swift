package import FlowCore
internal import FlowSystem

/// Derives types from the keywords of nodes.
struct TypeReader {
  private let code: SchemaCode
  private var known: [Int: KnownType] = [:]
  private var open: Set<Int> = []
  /// The open bases of subtypes without which the type at hand was read.
  private var missingBases: Set<Int> = []
  private var readings = 0

  // Each level takes a few frames of the stack, and each type a little time in every check.
  private static let greatestDepth = 200
  private static let greatestSize = 20_000
  /// The readings of nodes from which on each is read once, even if a base is missing in it.
  private static let mostReadings = 10_000

  init(_ code: SchemaCode) { self.code = code }

  /// Returns the type of the values that a node allows.
  mutating func type(of number: Int) -> KnownType {
    if let type = known[number] { return type }
    if open.contains(number), code.nodes[number].hasSubtypes { missingBases.insert(number) }
    guard open.count < Self.greatestDepth, open.insert(number).inserted else { return .anything }
    let outer = missingBases
    missingBases = []
    readings += 1
    let type = type(of: code.nodes[number])
    open.remove(number)
    missingBases.remove(number)
    // Elsewhere the base is not missing.
    if missingBases.isEmpty || readings > Self.mostReadings { known[number] = type }
    missingBases.formUnion(outer)
    return type
  }

  private mutating func type(of node: SchemaNode) -> KnownType {
    var type = node.isNever ? KnownType.nothing : .anything
    for keyword in node.keywords {
      if let part = self.type(of: keyword, beside: node) { type = type.narrowed(by: part) }
    }
    type = type.requiring(node.required)
    for keyword in node.keywords { type = self.type(type, under: keyword) }
    return type.size > Self.greatestSize ? .anything : type
  }

  /// Returns the type of values under a keyword that holds for some of them.
  private mutating func type(_ type: KnownType, under keyword: Keyword) -> KnownType {
    switch keyword {
    case .condition(let condition):
      let branches = [condition.then, condition.otherwise].map { node in
        node.map { type.narrowed(by: self.type(of: $0)) } ?? type
      }
      return branches[0].widened(by: branches[1])
    case .dependentSchemas(let dependents):
      return dependents.reduce(type) { $0.orNarrowed(by: self.type(of: $1.node)) }
    case .subtypes(let nodes):
      // A subtype has its own fields, and no other's.
      if let inner = nodes.first(where: open.contains) {
        missingBases.insert(inner)
        return type
      }
      return nodes.reduce(type) { $0.orNarrowed(by: self.type(of: $1)) }
    case .unevaluatedProperties(let node) where !code.nodes[node].isNever:
      return type.withOthers(self.type(of: node))
    default: return type
    }
  }

  private mutating func type(of keyword: Keyword, beside node: SchemaNode) -> KnownType? {
    switch keyword {
    case .type(let types): return type(of: types, node)
    case .constant(let value): return KnownType(of: value)
    case .enumeration(let set):
      return set.values.reduce(KnownType.nothing) { $0.widened(by: KnownType(of: $1)) }
    case .reference(let target): return type(of: target)
    case .allOf(let nodes):
      var type = KnownType.anything
      for node in nodes { type = type.narrowed(by: self.type(of: node)) }
      return type
    case .anyOf(let nodes), .oneOf(let nodes):
      var type = KnownType.nothing
      for node in nodes { type = type.widened(by: self.type(of: node)) }
      return type
    // Without `type`, a schema with properties is nearly always one of objects.
    case .properties(let properties) where !node.hasType: return object(properties, node)
    case .items(let items) where !node.hasType: return list(items)
    default: return nil
    }
  }

  private mutating func type(of types: TypeSet, _ node: SchemaNode) -> KnownType {
    var type = types.contains(.null) ? KnownType.null : .nothing
    if types.contains(.boolean) { type = type.widened(by: KnownType(.bool)) }
    if types.contains(.integer) { type = type.widened(by: KnownType(.int)) }
    if types.contains(.number) { type = type.widened(by: KnownType(.decimal)) }
    if types.contains(.string) { type = type.widened(by: KnownType(.string)) }
    if types.contains(.array) { type = type.widened(by: list(in: node)) }
    if types.contains(.object) { type = type.widened(by: object(in: node)) }
    return type
  }

  private mutating func list(in node: SchemaNode) -> KnownType {
    for keyword in node.keywords {
      if case .items(let items) = keyword { return list(items) }
    }
    return KnownType(.list(.dynamic))
  }

  private mutating func list(_ items: Keyword.Items) -> KnownType {
    var element = items.rest.map { type(of: $0) } ?? .anything
    for node in items.first { element = element.widened(by: type(of: node)) }
    return KnownType(.list(element.valueType), size: element.size + 1)
  }

  private mutating func object(in node: SchemaNode) -> KnownType {
    for keyword in node.keywords {
      if case .properties(let properties) = keyword { return object(properties, node) }
    }
    return KnownType(.map(.dynamic))
  }

  private mutating func object(_ properties: Keyword.Properties, _ node: SchemaNode) -> KnownType {
    if properties.names.names.isEmpty { return map(properties) }
    let others = others(properties)
    var (fields, size) = ([RecordType.Field](), 1 + others.size)
    for (name, number) in zip(properties.names.names, properties.nodes) {
      let type = type(of: number)
      size += type.size
      fields.append(
        .described(
          name, type.valueType, isRequired: node.required.contains(where: name.isIdentical),
          code.nodes[number].summary ?? ""))
    }
    for name in node.required where !properties.names.names.contains(where: name.isIdentical) {
      fields.append(.described(name, .dynamic, isRequired: true, ""))
    }
    return KnownType(.record(RecordType(fields, others: others.fields)), size: size)
  }

  /// What values have under other names: nothing is said of them without a schema.
  private mutating func others(
    _ properties: Keyword.Properties
  ) -> (fields: OtherFields, size: Int) {
    let isClosed = properties.additional.map { code.nodes[$0].isNever } ?? false
    if properties.additional == nil, properties.patterns.isEmpty { return (.unsaid, 0) }
    if isClosed, properties.patterns.isEmpty { return (.none, 0) }
    let element = element(properties)
    return (.declared(element.valueType), element.size)
  }

  private mutating func map(_ properties: Keyword.Properties) -> KnownType {
    let element = element(properties)
    return KnownType(.map(element.valueType), size: element.size + 1)
  }

  /// The values under names that are not declared one by one.
  private mutating func element(_ properties: Keyword.Properties) -> KnownType {
    var element = properties.additional.map { type(of: $0) } ?? .anything
    for pattern in properties.patterns { element = element.widened(by: type(of: pattern.node)) }
    return element
  }
}

extension SchemaNode {
  fileprivate var hasType: Bool {
    keywords.contains { if case .type = $0 { true } else { false } }
  }

  /// True if the types of its values are told apart by a discriminator.
  fileprivate var hasSubtypes: Bool {
    keywords.contains { if case .subtypes = $0 { true } else { false } }
  }

  /// The names of `required`, each once.
  fileprivate var required: [String] {
    for keyword in keywords {
      if case .required(let names) = keyword {
        return names.enumerated().filter { index, name in
          !names[..<index].contains(where: name.isIdentical)
        }.map(\.element)
      }
    }
    return []
  }
}

extension RecordType.Field {
  /// A field that is null when it is absent, unless it is required.
  package static func described(
    _ name: String, _ type: ValueType, isRequired: Bool, _ summary: String
  ) -> RecordType.Field {
    RecordType.Field(
      name: name, type: isRequired ? type : type.orNull, summary: summary,
      defaultValue: isRequired ? nil : .null)
  }
}

extension ValueType {
  /// The type or null, which a dynamic type includes.
  fileprivate var orNull: ValueType {
    switch self {
    case .optional, .dynamic: self
    default: .optional(self)
    }
  }
}
