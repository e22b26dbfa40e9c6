internal import FlowCore

/// Checks the data of an answer against what its query selects.
struct AnswerCheck {
  /// The most problems that are reported.
  private static let mostProblems = 100

  private typealias Sets = [(
    set: SelectionSet, type: TypeDefinition, objects: Set<String>, isConditional: Bool
  )]

  private let schema: GraphQLSchema
  private let fragments: [String: FragmentNode]
  private let variables: [String: Bool]
  private(set) var problems: [GraphQLValueProblem] = []

  init(
    _ data: Value, of operation: OperationNode, _ schema: GraphQLSchema,
    _ fragments: [String: FragmentNode], _ variables: [String: Bool]
  ) {
    (self.schema, self.fragments, self.variables) = (schema, fragments, variables)
    guard let root = schema.roots[operation.kind].flatMap({ schema.types[$0] }) else { return }
    checkObject(data, [(operation.selections, root, [root.name], false)], at: FieldPath())
  }

  private mutating func report(
    _ message: String, _ value: Value?, at path: FieldPath, _ rule: FieldDefinition? = nil
  ) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(
      GraphQLValueProblem(path, message, value, rule: rule.map { schema.place(of: $0) }))
  }

  private mutating func checkObject(_ value: Value, _ sets: Sets, at path: FieldPath) {
    guard case .map(let map) = value else {
      return report("expected an object, got \(value.summary())", value, at: path)
    }
    let selected = SelectedFields(sets, schema, fragments, variables).groups
    let objects = objects(of: map, selected, sets)
    for group in selected {
      let entries = group.entries.filter { !$0.objects.isDisjoint(with: objects) }
      guard let first = entries.first else { continue }
      let place = path.appending(.field(group.name))
      if let value = map[group.name] {
        check(value, first.definition.type, entries, at: place)
      } else if group.isSure(among: objects) {
        report("missing, expected '\(first.definition.type)'", nil, at: place, first.definition)
      }
    }
    let names = Set(
      selected.filter { $0.entries.contains { !$0.objects.isDisjoint(with: objects) } }.map(\.name))
    for entry in map.entries where !names.contains(entry.key.interpolated) {
      report(
        "the query does not select it", entry.value,
        at: path.appending(.field(entry.key.interpolated)))
    }
  }

  /// Returns the objects that a value can be, by its `__typename` if the query selects it.
  private func objects(
    of map: ValueMap, _ selected: [SelectedFields.Group], _ sets: Sets
  ) -> Set<String> {
    let all = sets.reduce(into: Set<String>()) { $0.formUnion($1.objects) }
    let group = selected.first { $0.entries[0].node.name.text == BuiltInTypes.typeName.name }
    guard let group, case .string(let name)? = map[group.name], all.contains(name) else {
      return all
    }
    return [name]
  }

  private mutating func check(
    _ value: Value, _ type: TypeReference, _ entries: [SelectedFields.Entry], at path: FieldPath
  ) {
    if value == .null {
      if type.isNonNull {
        report("null, expected '\(type)'", value, at: path, entries[0].definition)
      }
      return
    }
    if case .list(let element) = type.nullable {
      guard case .list(let values) = value else {
        return report(
          "expected '\(type)', got \(value.summary())", value, at: path, entries[0].definition)
      }
      for (index, value) in values.enumerated() {
        check(value, element, entries, at: path.appending(.index(index)))
      }
      return
    }
    guard let definition = schema.types[type.name] else { return }
    if definition.isLeaf {
      checkLeaf(value, definition, type, entries[0].definition, at: path)
    } else {
      checkObject(value, sets(of: entries), at: path)
    }
  }

  private func sets(of entries: [SelectedFields.Entry]) -> Sets {
    entries.compactMap { entry in
      guard let set = entry.node.selections, let type = schema.types[entry.definition.type.name]
      else { return nil }
      return (
        set, type, schema.possibleTypes(type.name), entries.count > 1 && isPartial(entry, entries)
      )
    }
  }

  /// True for a field that another object may not have, so that nothing below it is sure.
  private func isPartial(_ entry: SelectedFields.Entry, _ all: [SelectedFields.Entry]) -> Bool {
    all.contains { !entry.objects.isSuperset(of: $0.objects) }
  }

  private mutating func checkLeaf(
    _ value: Value, _ definition: TypeDefinition, _ type: TypeReference, _ field: FieldDefinition,
    at path: FieldPath
  ) {
    if definition.kind == .enumeration {
      if case .string(let name) = value, definition.values.contains(name) { return }
      return report(
        "\(value.summary()) is no value of '\(definition.name)'", value, at: path, field)
    }
    guard BuiltInScalar(definition.name)?.accepts(output: value) == false else { return }
    report("expected '\(type)', got \(value.summary())", value, at: path, field)
  }
}
