internal import FlowCore

/// Makes the types of a schema of its definitions and extensions.
///
/// Only what a query needs is checked: the service itself has accepted its schema.
struct SchemaBuilder {
  private(set) var types: [String: TypeDefinition] = [:]
  private(set) var names: [String] = []
  private(set) var directives: [String: DirectiveDefinition] = [:]
  private(set) var roots: [OperationKind: String] = [:]
  private(set) var possible: [String: Set<String>] = [:]
  private(set) var problems: [GraphQLProblem] = []
  private(set) var warnings: [GraphQLProblem] = []

  init(_ syntax: SchemaSyntax) {
    // Nothing in it is wrong.
    if let builtIn = try? SchemaParser(parsing: Array(BuiltInTypes.definitions.utf8)).syntax {
      for type in builtIn.types { types[type.type.name] = type.type }
      for directive in builtIn.directives { directives[directive.name] = directive }
    }
    for directive in syntax.directives { directives[directive.name] = directive }
    let builtIn = Set(types.keys)
    for type in syntax.types where !type.isExtension { define(type, builtIn) }
    for type in syntax.types where type.isExtension { extend(type) }
    for type in syntax.types { checkReferences(of: type) }
    findRoots(syntax)
    findPossibleTypes()
    problems.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func define(_ syntax: SchemaSyntax.TypeSyntax, _ builtIn: Set<String>) {
    let type = syntax.type
    // An introspection lists the built-in types, and a file may do so.
    if builtIn.contains(type.name) { return }
    guard types[type.name] == nil else {
      problems.append(GraphQLProblem(syntax.range, "the type '\(type.name)' is defined twice"))
      return
    }
    types[type.name] = type
    names.append(type.name)
    warn(of: syntax)
  }

  private mutating func extend(_ syntax: SchemaSyntax.TypeSyntax) {
    guard var type = types[syntax.type.name], type.kind == syntax.type.kind else {
      // The file of a part of a federated service extends types of other parts.
      if types[syntax.type.name] == nil { return define(syntax, []) }
      problems.append(
        GraphQLProblem(syntax.range, "'\(syntax.type.name)' is extended as another kind of type"))
      return
    }
    warn(of: syntax)
    for field in syntax.type.fields where !type.add(field) {
      warnings.append(repeated(field.name, in: type.name, at: syntax.range))
    }
    type.interfaces += syntax.type.interfaces
    type.members += syntax.type.members
    type.values += syntax.type.values
    type.inputs += syntax.type.inputs
    types[type.name] = type
  }

  /// Warns of fields that are there twice, as some in published schemas are.
  private mutating func warn(of syntax: SchemaSyntax.TypeSyntax) {
    warnings += syntax.repeated.map { repeated($0.text, in: syntax.type.name, at: $0.range) }
  }

  private func repeated(_ field: String, in type: String, at range: Range<Int>) -> GraphQLProblem {
    GraphQLProblem(range, "'\(type)' has the field '\(field)' twice; the first one counts")
  }

  private mutating func checkReferences(of syntax: SchemaSyntax.TypeSyntax) {
    for name in syntax.references where types[name.text] == nil {
      problems.append(
        GraphQLProblem(
          name.range,
          "unknown type '\(name.text)'"
            + Suggestion.near(name.text, among: names)))
    }
  }

  private mutating func findRoots(_ syntax: SchemaSyntax) {
    if syntax.roots.isEmpty {
      for (kind, name) in [
        (OperationKind.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
      ] where types[name]?.kind == .object { roots[kind] = name }
    } else {
      for (kind, name) in syntax.roots.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        if types[name.text]?.kind == .object {
          roots[kind] = name.text
        } else {
          problems.append(GraphQLProblem(name.range, "there is no object type '\(name.text)'"))
        }
      }
    }
    if roots.isEmpty, problems.isEmpty {
      problems.append(GraphQLProblem(0..<0, "the schema has no type for queries"))
    }
  }

  private mutating func findPossibleTypes() {
    for type in types.values {
      switch type.kind {
      case .object:
        for interface in type.interfaces { possible[interface, default: []].insert(type.name) }
      case .union: possible[type.name, default: []].formUnion(type.members)
      default: break
      }
    }
    for type in types.values where type.kind == .interface && possible[type.name] == nil {
      possible[type.name] = []
    }
  }
}

extension Suggestion {
  /// Returns `; did you mean 'name'?`, or nothing if no name is near.
  static func near(_ name: String, among names: some Sequence<String>) -> String {
    ending(nearest(to: name, among: names), among: [])
  }
}
