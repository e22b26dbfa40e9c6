package import FlowCore
internal import FlowSystem

/// Derives types from the keywords of nodes.
struct TypeReader {
  private let code: SchemaCode
  private var known: [Int: KnownType] = [:]
  private var open: Set<Int> = []

  // Each level takes a few frames of the stack, and each type a little time in every check.
  private static let greatestDepth = 200
  private static let greatestSize = 20_000

  init(_ code: SchemaCode) { self.code = code }

  /// Returns the type of the values that a node allows.
  mutating func type(of number: Int) -> KnownType {
    if let type = known[number] { return type }
    guard open.count < Self.greatestDepth, open.insert(number).inserted else { return .anything }
    let node = code.nodes[number]
    var type = node.isNever ? KnownType.nothing : .anything
    for keyword in node.keywords {
      guard let part = self.type(of: keyword, beside: node) else { continue }
      type = type.narrowed(by: part)
    }
    type = type.requiring(node.required)
    if type.size > Self.greatestSize { type = .anything }
    open.remove(number)
    known[number] = type
    return type
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
    let others = properties.additional.map { code.nodes[$0].isNever ? nil : $0 } ?? nil
    // A record would refuse the other names.
    if others != nil || !properties.patterns.isEmpty || properties.names.names.isEmpty {
      return map(properties, others)
    }
    var (fields, size) = ([RecordType.Field](), 1)
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
    return KnownType(.record(RecordType(fields)), size: size)
  }

  private mutating func map(_ properties: Keyword.Properties, _ others: Int?) -> KnownType {
    // Other names may have any values without a schema for them.
    var element =
      others.map { type(of: $0) } ?? (properties.additional == nil ? .anything : .nothing)
    for number in properties.nodes + properties.patterns.map(\.node) {
      element = element.widened(by: type(of: number))
    }
    return KnownType(.map(element.valueType), size: element.size + 1)
  }
}

extension SchemaNode {
  fileprivate var hasType: Bool {
    keywords.contains { if case .type = $0 { true } else { false } }
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
