/// The fields of one object that a query selects, those of fragments included.
struct SelectedFields {
  /// A field where it is selected.
  struct Entry {
    let node: FieldNode
    let definition: FieldDefinition
    /// The type whose field it is.
    let parent: TypeDefinition
    /// The objects that have it.
    let objects: Set<String>
    /// True if a variable decides whether the answer has it.
    let isConditional: Bool
  }

  /// The fields with one name in the answer.
  struct Group {
    let name: String
    var entries: [Entry]

    /// True if every one of the objects has the field.
    func isSure(among objects: Set<String>) -> Bool {
      entries.contains { !$0.isConditional && $0.objects.isSuperset(of: objects) }
    }
  }

  private let schema: GraphQLSchema
  private let fragments: [String: FragmentNode]
  /// The values of variables, or nil before they are known.
  private let variables: [String: Bool]?
  private(set) var groups: [Group] = []
  private var index: [String: Int] = [:]
  private var visited: Set<String> = []

  /// Collects what several sets select of objects of a type.
  init(
    _ sets: [(set: SelectionSet, type: TypeDefinition, objects: Set<String>, isConditional: Bool)],
    _ schema: GraphQLSchema, _ fragments: [String: FragmentNode], _ variables: [String: Bool]?
  ) {
    (self.schema, self.fragments, self.variables) = (schema, fragments, variables)
    for (set, type, objects, isConditional) in sets {
      visited = []
      collect(set, type, objects, isConditional)
    }
  }

  private mutating func collect(
    _ set: SelectionSet, _ type: TypeDefinition, _ objects: Set<String>, _ isConditional: Bool
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let condition = condition(field.directives),
          let definition = schema.field(field.name.text, of: type)
        else { continue }
        add(
          Entry(
            node: field, definition: definition, parent: type, objects: objects,
            isConditional: isConditional || condition))
      case .spread(let spread):
        guard let condition = condition(spread.directives),
          let fragment = fragments[spread.name.text],
          let inner = schema.types[fragment.condition.text]
        else { continue }
        // A second spread of a fragment adds nothing, unless the first one is conditional.
        let isUnsure = isConditional || condition
        guard isUnsure || visited.insert(spread.name.text).inserted else { continue }
        if isUnsure, !visited.insert("?" + spread.name.text).inserted { continue }
        collect(fragment.selections, inner, narrowed(objects, inner), isUnsure)
      case .inline(let inline):
        guard let condition = condition(inline.directives) else { continue }
        let inner = inline.condition.flatMap { schema.types[$0.text] } ?? type
        collect(inline.selections, inner, narrowed(objects, inner), isConditional || condition)
      }
    }
  }

  private func narrowed(_ objects: Set<String>, _ type: TypeDefinition) -> Set<String> {
    objects.intersection(schema.possibleTypes(type.name))
  }

  private mutating func add(_ entry: Entry) {
    let name = entry.node.responseName
    if let position = index[name] {
      groups[position].entries.append(entry)
    } else {
      index[name] = groups.count
      groups.append(Group(name: name, entries: [entry]))
    }
  }

  /// Returns true if a variable decides, false for a part that is selected, and nil for one that is
  /// not.
  private func condition(_ directives: [AppliedDirective]) -> Bool? {
    var isConditional = false
    for directive in directives where ["skip", "include"].contains(directive.name.text) {
      guard let value = directive.arguments.first(where: { $0.name.text == "if" })?.value else {
        continue
      }
      let known: Bool? =
        switch value.kind {
        case .bool(let value): value
        case .variable(let name): variables?[name]
        default: nil
        }
      guard let known else {
        isConditional = true
        continue
      }
      if known == (directive.name.text == "skip") { return nil }
    }
    return isConditional
  }
}
