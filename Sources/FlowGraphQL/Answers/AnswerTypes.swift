internal import FlowCore

/// Makes the type of an answer of what a query selects.
struct AnswerTypes {
  /// The greatest number of fields in a type; what is below is dynamic.
  ///
  /// Fragments in fragments can select many.
  private static let mostFields = 5_000

  private let schema: GraphQLSchema
  private let fragments: [String: FragmentNode]
  private var fieldCount = 0

  init(_ schema: GraphQLSchema, _ fragments: [String: FragmentNode]) {
    (self.schema, self.fragments) = (schema, fragments)
  }

  /// Returns the type of the object that an operation answers with.
  mutating func type(of operation: OperationNode) -> ValueType {
    guard let root = schema.roots[operation.kind].flatMap({ schema.types[$0] }) else {
      return .dynamic
    }
    return record([(operation.selections, root, [root.name], false)], [root.name])
  }

  private mutating func record(
    _ sets: [(set: SelectionSet, type: TypeDefinition, objects: Set<String>, isConditional: Bool)],
    _ objects: Set<String>
  ) -> ValueType {
    let selected = SelectedFields(sets, schema, fragments, nil).groups
    fieldCount += selected.count
    if fieldCount > Self.mostFields { return .dynamic }
    return .record(
      RecordType(
        selected.map { group in
          let type = type(of: group)
          let isSure = group.isSure(among: objects)
          return RecordType.Field(
            name: group.name, type: isSure ? type : type.orNull,
            summary: group.entries[0].definition.summary, defaultValue: isSure ? nil : .null)
        }))
  }

  private mutating func type(of group: SelectedFields.Group) -> ValueType {
    let reference = group.entries[0].definition.type
    guard let definition = schema.types[reference.name] else { return .dynamic }
    if definition.isLeaf { return reference.type(of: definition.leafType) }
    var objects: Set<String> = []
    // Of several fields, one alone may not be that of the object.
    let isOnly = group.entries.count == 1
    let sets = group.entries.compactMap {
      entry -> (set: SelectionSet, type: TypeDefinition, objects: Set<String>, isConditional: Bool)?
      in
      guard let set = entry.node.selections, let type = schema.types[entry.definition.type.name]
      else { return nil }
      let possible = schema.possibleTypes(type.name)
      objects.formUnion(possible)
      let isUniversal = isOnly || group.isSure(among: entry.objects) && !entry.isConditional
      return (set, type, possible, !isUniversal)
    }
    return reference.type(of: record(sets, objects))
  }
}

extension TypeReference {
  /// The type of a value, with the lists and nulls around it.
  func type(of inner: ValueType) -> ValueType {
    switch self {
    case .nonNull(.list(let element)): .list(element.type(of: inner))
    case .nonNull: inner
    case .list(let element): .optional(.list(element.type(of: inner)))
    case .named: inner.orNull
    }
  }
}

extension ValueType {
  /// The type or null, which a dynamic type includes.
  var orNull: ValueType {
    switch self {
    case .optional, .dynamic: self
    default: .optional(self)
    }
  }
}

extension TypeDefinition {
  /// The type of the values of a scalar or an enumeration.
  var leafType: ValueType {
    if kind == .enumeration { return .enumeration(values) }
    return switch BuiltInScalar(name) {
    case .int: .int
    case .float: .decimal
    case .string, .id: .string
    case .boolean: .bool
    case nil: .dynamic
    }
  }
}
