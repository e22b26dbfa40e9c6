internal import FlowCore

/// A variable where it is used.
struct VariableUsage {
  let name: String
  let range: Range<Int>
  /// The type that the place expects, or nil if it may be any.
  let type: TypeReference?
  /// True if the place has a default value.
  let hasDefault: Bool
  /// True for the field of an input object that has exactly one.
  let isOneOf: Bool
}

/// The variables and the spreads in an operation or a fragment.
struct DefinitionContent {
  var usages: [VariableUsage] = []
  /// The spreads with their depths.
  var spreads: [(spread: FragmentSpread, depth: Int)] = []
  /// The depth of its selection sets.
  var depth = 0
}

/// A walk through each operation and each fragment, which checks every part against its type.
struct DefinitionWalk {
  private(set) var operations: [DefinitionContent] = []
  private(set) var fragments: [String: DefinitionContent] = [:]
  private let schema: GraphQLSchema

  private var values: ValueCheck
  private var current = DefinitionContent()
  private var depth = 0

  init(_ validator: inout Validator) {
    schema = validator.schema
    values = ValueCheck(validator.schema)
  }

  mutating func walk(_ validator: inout Validator) {
    for operation in validator.document.operations {
      current = DefinitionContent()
      walk(operation, &validator)
      operations.append(current)
    }
    for fragment in validator.document.fragments {
      current = DefinitionContent()
      let type = compositeType(fragment.condition, &validator)
      check(fragment.directives, at: "FRAGMENT_DEFINITION", &validator)
      walk(fragment.selections, type, &validator)
      if fragments[fragment.name.text] == nil { fragments[fragment.name.text] = current }
    }
  }

  /// Returns the names of the fragments that definitions use, also by others.
  func reachable(from contents: [DefinitionContent]) -> [String] {
    var (names, known): ([String], Set<String>) = ([], [])
    var open = contents.flatMap { $0.spreads.map(\.spread.name.text) }
    while let name = open.popLast() {
      guard let fragment = fragments[name], known.insert(name).inserted else { continue }
      names.append(name)
      open += fragment.spreads.map(\.spread.name.text)
    }
    return names
  }

  // MARK: - Definitions

  private mutating func walk(_ operation: OperationNode, _ validator: inout Validator) {
    check(operation.directives, at: operation.kind.rawValue.uppercased(), &validator)
    var known: Set<String> = []
    for variable in operation.variables {
      if !known.insert(variable.name.text).inserted {
        validator.add(
          "the variable '$\(variable.name.text)' is defined twice", at: variable.name.range)
      }
      check(variable, &validator)
    }
    let root = schema.roots[operation.kind].flatMap { schema.types[$0] }
    if root == nil {
      validator.add(
        operation.kind == .query
          ? "the schema has no type for queries" : "the schema has no \(operation.kind.rawValue)s",
        at: operation.range)
    }
    walk(operation.selections, root, &validator)
  }

  private mutating func check(_ variable: VariableNode, _ validator: inout Validator) {
    check(variable.directives, at: "VARIABLE_DEFINITION", &validator)
    guard let type = type(variable.type.name, &validator) else { return }
    guard type.isInput else {
      return validator.add(
        "'\(type.name)' is no type of an input, so '$\(variable.name.text)' cannot have it",
        at: variable.type.name.range)
    }
    guard let value = variable.defaultValue else { return }
    values.check(value, TypeReference(variable.type), &validator, &current)
  }

  private func type(_ name: Name, _ validator: inout Validator) -> TypeDefinition? {
    if let type = schema.types[name.text] { return type }
    validator.add(
      "unknown type '\(name.text)'" + Suggestion.near(name.text, among: schema.names),
      at: name.range)
    return nil
  }

  private func compositeType(_ name: Name, _ validator: inout Validator) -> TypeDefinition? {
    guard let type = type(name, &validator) else { return nil }
    if type.isComposite { return type }
    validator.add("'\(type.name)' has no fields, so no fragment can be on it", at: name.range)
    return nil
  }

  // MARK: - Selections

  private mutating func walk(
    _ set: SelectionSet, _ parent: TypeDefinition?, _ validator: inout Validator
  ) {
    depth += 1
    defer { depth -= 1 }
    current.depth = max(current.depth, depth)
    for selection in set.selections {
      switch selection {
      case .field(let field): walk(field, parent, &validator)
      case .spread(let spread): walk(spread, parent, &validator)
      case .inline(let inline):
        check(inline.directives, at: "INLINE_FRAGMENT", &validator)
        let type = inline.condition.map { compositeType($0, &validator) } ?? parent
        checkOverlap(type, parent, inline.range, &validator)
        walk(inline.selections, type, &validator)
      }
    }
  }

  private mutating func walk(
    _ spread: FragmentSpread, _ parent: TypeDefinition?, _ validator: inout Validator
  ) {
    check(spread.directives, at: "FRAGMENT_SPREAD", &validator)
    current.spreads.append((spread, depth))
    guard let fragment = validator.fragments[spread.name.text] else {
      return validator.add(
        "unknown fragment '\(spread.name.text)'"
          + Suggestion.near(spread.name.text, among: validator.fragments.keys.sorted()),
        at: spread.name.range)
    }
    let type = schema.types[fragment.condition.text].flatMap { $0.isComposite ? $0 : nil }
    checkOverlap(type, parent, spread.name.range, &validator)
  }

  private func checkOverlap(
    _ type: TypeDefinition?, _ parent: TypeDefinition?, _ range: Range<Int>,
    _ validator: inout Validator
  ) {
    guard let type, let parent, parent.isComposite, !schema.overlap(type.name, parent.name) else {
      return
    }
    validator.add("'\(parent.name)' is never '\(type.name)'", at: range)
  }

  private mutating func walk(
    _ field: FieldNode, _ parent: TypeDefinition?, _ validator: inout Validator
  ) {
    check(field.directives, at: "FIELD", &validator)
    let definition = parent.flatMap { schema.field(field.name.text, of: $0) }
    if let parent, definition == nil { reportUnknown(field, parent, &validator) }
    check(
      field.arguments, definition?.arguments, of: "'\(field.name.text)'", at: field.name.range,
      &validator)
    let type = definition.flatMap { schema.types[$0.type.name] }
    if let type, let definition { checkSelections(of: field, type, definition, &validator) }
    guard let selections = field.selections else { return }
    walk(selections, type.flatMap { $0.isComposite ? $0 : nil }, &validator)
  }

  private func reportUnknown(
    _ field: FieldNode, _ parent: TypeDefinition, _ validator: inout Validator
  ) {
    let name = field.name.text
    if parent.kind == .union {
      return validator.add(
        "'\(parent.name)' is a union and has no field '\(name)'; select it in '... on TYPE'",
        at: field.name.range)
    }
    let owners = schema.possibleTypes(parent.name).filter {
      schema.types[$0]?.field(name) != nil
    }.sorted()
    if parent.kind == .interface, let owner = owners.first {
      return validator.add(
        "'\(parent.name)' has no field '\(name)'; select it in '... on \(owner)'",
        at: field.name.range)
    }
    let names = parent.fields.map(\.name)
    validator.add(
      "'\(parent.name)' has no field '\(name)'" + Suggestion.ending(for: name, among: names),
      at: field.name.range)
  }

  private func checkSelections(
    of field: FieldNode, _ type: TypeDefinition, _ definition: FieldDefinition,
    _ validator: inout Validator
  ) {
    if type.isLeaf, field.selections != nil {
      validator.add(
        "'\(field.name.text)' is '\(definition.type)', of which nothing can be selected",
        at: field.name.range)
    }
    if type.isComposite, field.selections == nil {
      validator.add(
        "'\(field.name.text)' is '\(definition.type)', so select fields of it in '{ }'",
        at: field.name.range)
    }
  }

  // MARK: - Arguments and directives

  /// Checks arguments, of which nothing is known without definitions.
  private mutating func check(
    _ arguments: [Argument], _ definitions: [InputDefinition]?, of owner: String,
    at range: Range<Int>, _ validator: inout Validator
  ) {
    var known: Set<String> = []
    for argument in arguments {
      if !known.insert(argument.name.text).inserted {
        validator.add(
          "the argument '\(argument.name.text)' is given twice", at: argument.name.range)
      }
      let definition = definitions?.first { $0.name == argument.name.text }
      if let definitions, definition == nil {
        let names = definitions.map(\.name)
        validator.add(
          "\(owner) has no argument '\(argument.name.text)'"
            + Suggestion.ending(for: argument.name.text, among: names), at: argument.name.range)
      }
      values.check(
        argument.value, definition?.type, hasDefault: definition?.hasDefault ?? false, &validator,
        &current)
    }
    for definition in definitions ?? []
    where definition.isRequired && !known.contains(definition.name) {
      validator.add("\(owner) needs the argument '\(definition.name)'", at: range)
    }
  }

  private mutating func check(
    _ directives: [AppliedDirective], at location: String, _ validator: inout Validator
  ) {
    var known: Set<String> = []
    for directive in directives {
      let name = directive.name.text
      let definition = schema.directives[name]
      check(
        directive.arguments, definition?.arguments, of: "'@\(name)'", at: directive.name.range,
        &validator)
      guard let definition else {
        let near = Suggestion.nearest(to: name, among: schema.directives.keys.sorted())
        validator.add(
          "unknown directive '@\(name)'" + Suggestion.ending(near.map { "@" + $0 }),
          at: directive.name.range)
        continue
      }
      if !definition.locations.contains(location) {
        validator.add("'@\(name)' cannot be used here", at: directive.name.range)
      }
      if !known.insert(name).inserted, !definition.isRepeatable {
        validator.add("'@\(name)' can be used only once here", at: directive.name.range)
      }
    }
  }
}
