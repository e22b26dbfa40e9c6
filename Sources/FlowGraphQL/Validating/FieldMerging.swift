internal import FlowCore

/// Checks that fields with one name in the response can be one (GraphQL, September 2025, section
/// 5.3.2).
///
/// The rule compares each pair of fields, and what they select, and so takes exponential time if it
/// is followed literally. Here all fields with one name are compared at once with the first of
/// them, and what they select is looked at together: each set of fields once.
struct FieldMerging {
  /// A field where it is selected.
  private struct Entry {
    let node: FieldNode
    let parent: TypeDefinition
    let definition: FieldDefinition
  }

  /// The selections of fields, with the type of each.
  private typealias Sets = [(set: SelectionSet, type: TypeDefinition)]

  /// The sets of fields that were looked at, by the numbers of the fields.
  private var shaped: Set<[Int]> = []
  private var compared: Set<[Int]> = []
  private var reported: Set<Int> = []

  static func check(_ validator: inout Validator) {
    var merging = FieldMerging()
    for operation in validator.document.operations {
      guard let name = validator.schema.roots[operation.kind],
        let type = validator.schema.types[name]
      else { continue }
      merging.check([(operation.selections, type)], &validator)
    }
    // An unused fragment is checked as well, as others do.
    for fragment in validator.document.fragments {
      guard let type = validator.schema.types[fragment.condition.text] else { continue }
      merging.check([(fragment.selections, type)], &validator)
    }
  }

  private mutating func check(_ sets: Sets, _ validator: inout Validator) {
    checkFields(sets, &validator)
    checkShapes(sets, &validator)
  }

  /// Returns the fields by their names in the response, those of fragments included.
  private func groups(_ sets: Sets, _ validator: inout Validator) -> [[Entry]] {
    var entries: [Entry] = []
    var visited: Set<String> = []
    for (set, type) in sets { collect(set, type, &entries, &visited, &validator) }
    var numbers: Set<Int> = []
    var (groups, index): ([[Entry]], [String: Int]) = ([], [:])
    for entry in entries where numbers.insert(entry.node.number).inserted {
      let name = entry.node.responseName
      if let position = index[name] {
        groups[position].append(entry)
      } else {
        index[name] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }

  private func collect(
    _ set: SelectionSet, _ type: TypeDefinition, _ entries: inout [Entry],
    _ visited: inout Set<String>, _ validator: inout Validator
  ) {
    for selection in set.selections {
      guard validator.look() else { return }
      switch selection {
      case .field(let field):
        guard let definition = validator.schema.field(field.name.text, of: type) else { continue }
        entries.append(Entry(node: field, parent: type, definition: definition))
      case .spread(let spread):
        guard let fragment = validator.fragments[spread.name.text],
          let condition = validator.schema.types[fragment.condition.text],
          visited.insert(spread.name.text).inserted
        else { continue }
        collect(fragment.selections, condition, &entries, &visited, &validator)
      case .inline(let inline):
        let condition = inline.condition.map { validator.schema.types[$0.text] } ?? type
        guard let condition else { continue }
        collect(inline.selections, condition, &entries, &visited, &validator)
      }
    }
  }

  private func selected(by entries: [Entry], _ schema: GraphQLSchema) -> Sets {
    entries.compactMap { entry in
      guard let set = entry.node.selections, let type = schema.types[entry.definition.type.name]
      else { return nil }
      return (set, type)
    }
  }

  private func key(_ groups: [[Entry]]) -> [Int] {
    groups.flatMap { $0.map(\.node.number) }.sorted()
  }

  // MARK: - Shapes

  /// Checks that all values under one name have one shape, whatever the objects are.
  private mutating func checkShapes(_ sets: Sets, _ validator: inout Validator) {
    let groups = groups(sets, &validator)
    guard validator.look(), shaped.insert(key(groups)).inserted else { return }
    for group in groups {
      for entry in group.dropFirst() {
        guard !group[0].definition.type.hasShape(of: entry.definition.type, validator.schema) else {
          continue
        }
        report(
          entry,
          "'\(entry.node.responseName)' is '\(group[0].definition.type)' and "
            + "'\(entry.definition.type)'; give one of them an alias", &validator)
      }
      checkShapes(selected(by: group, validator.schema), &validator)
    }
  }

  // MARK: - Fields

  /// Checks that all fields under one name of one object are the same field with the same arguments.
  private mutating func checkFields(_ sets: Sets, _ validator: inout Validator) {
    let groups = groups(sets, &validator)
    guard validator.look(), compared.insert(key(groups)).inserted else { return }
    for group in groups {
      for alike in alike(group) {
        for entry in alike.dropFirst() { compare(entry, with: alike[0], &validator) }
        checkFields(selected(by: alike, validator.schema), &validator)
      }
    }
  }

  /// Returns the fields that one object can have together.
  ///
  /// Those of two different objects cannot meet.
  private func alike(_ group: [Entry]) -> [[Entry]] {
    let isObject = { (entry: Entry) in entry.parent.kind == .object }
    let names = Set(group.filter(isObject).map(\.parent.name))
    guard names.count > 1 else { return [group] }
    let others = group.filter { !isObject($0) }
    return names.sorted().map { name in group.filter { $0.parent.name == name } + others }
  }

  private mutating func compare(_ entry: Entry, with first: Entry, _ validator: inout Validator) {
    let name = entry.node.responseName
    if entry.node.name.text != first.node.name.text {
      report(
        entry,
        "'\(name)' is both '\(first.node.name.text)' and '\(entry.node.name.text)'; "
          + "give one of them an alias", &validator)
    } else if !first.node.arguments.isSame(as: entry.node.arguments) {
      report(
        entry, "'\(name)' is selected with different arguments; give one of them an alias",
        &validator)
    }
  }

  private mutating func report(_ entry: Entry, _ message: String, _ validator: inout Validator) {
    guard reported.insert(entry.node.number).inserted else { return }
    validator.add(message, at: (entry.node.alias ?? entry.node.name).range)
  }
}

extension TypeReference {
  /// Returns true if values of both types look alike, apart from the fields of objects.
  fileprivate func hasShape(of other: TypeReference, _ schema: GraphQLSchema) -> Bool {
    switch (self, other) {
    case (.nonNull(let a), .nonNull(let b)), (.list(let a), .list(let b)): a.hasShape(of: b, schema)
    case (.named(let a), .named(let b)):
      a == b || schema.types[a]?.isComposite == true && schema.types[b]?.isComposite == true
    default: false
    }
  }
}

extension [Argument] {
  /// Returns true for the same names with the same values, in any order.
  func isSame(as other: [Argument]) -> Bool {
    guard count == other.count else { return false }
    let order = { (a: Argument, b: Argument) in a.name.text < b.name.text }
    return zip(sorted(by: order), other.sorted(by: order)).allSatisfy {
      $0.name.text == $1.name.text && $0.value.isSame(as: $1.value)
    }
  }
}

extension Literal {
  fileprivate func isSame(as other: Literal) -> Bool {
    switch (kind, other.kind) {
    case (.variable(let a), .variable(let b)), (.int(let a), .int(let b)),
      (.float(let a), .float(let b)), (.string(let a), .string(let b)),
      (.enumeration(let a), .enumeration(let b)):
      a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.null, .null): true
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)): a.isSame(as: b)
    default: false
    }
  }
}
