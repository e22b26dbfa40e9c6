internal import FlowCore

/// The operations and fragments of a document while they are checked (GraphQL, September 2025,
/// section 5).
struct Validator {
  /// The greatest number of parts that are looked at, in all rules together.
  ///
  /// A short document can spell out a very long one, by fragments in fragments.
  static let mostSteps = 250_000

  /// The deepest nesting of selection sets and fragments in each other.
  private static let greatestDepth = 200

  let schema: GraphQLSchema
  let document: ExecutableDocument
  let fragments: [String: FragmentNode]
  private(set) var problems: [GraphQLProblem] = []
  private var steps = 0

  init(_ document: ExecutableDocument, _ schema: GraphQLSchema) {
    (self.document, self.schema) = (document, schema)
    fragments = Dictionary(
      document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns all mistakes in the order of the document.
  static func problems(of document: ExecutableDocument, _ schema: GraphQLSchema) -> [GraphQLProblem]
  {
    var validator = Validator(document, schema)
    validator.checkNames()
    var definitions = DefinitionWalk(&validator)
    definitions.walk(&validator)
    let isBounded = validator.checkSpreads(definitions)
    validator.checkVariables(definitions)
    if isBounded {
      validator.checkSubscriptions()
      FieldMerging.check(&validator)
    }
    if validator.steps > mostSteps {
      return [GraphQLProblem(0..<0, "the document is too large to be checked")]
    }
    return validator.problems.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
  }

  mutating func add(_ message: String, at range: Range<Int>) {
    problems.append(GraphQLProblem(range, message))
  }

  /// Counts parts that are looked at, and returns false if they are too many.
  mutating func look(at count: Int = 1) -> Bool {
    steps += count
    return steps <= Self.mostSteps
  }

  // MARK: - Names

  private mutating func checkNames() {
    var known: Set<String> = []
    for operation in document.operations {
      guard let name = operation.name else { continue }
      if !known.insert(name.text).inserted {
        add("there are two operations '\(name.text)'", at: name.range)
      }
    }
    if document.operations.count > 1 {
      for operation in document.operations where operation.name == nil {
        add("an operation without a name must be the only one", at: operation.range)
      }
    }
    known = []
    for fragment in document.fragments where !known.insert(fragment.name.text).inserted {
      add("there are two fragments '\(fragment.name.text)'", at: fragment.name.range)
    }
  }

  // MARK: - Spreads

  /// Checks that every fragment is used, and that none contains itself, and returns true if all can
  /// be followed.
  private mutating func checkSpreads(_ walk: DefinitionWalk) -> Bool {
    let used = Set(walk.reachable(from: walk.operations))
    for fragment in document.fragments where !used.contains(fragment.name.text) {
      add("the fragment '\(fragment.name.text)' is not used", at: fragment.name.range)
    }
    var finder = CycleFinder(walk)
    let cycles = finder.cycles(among: document.fragments.map(\.name.text))
    for cycle in cycles {
      add("the fragment '\(cycle.name.text)' contains itself", at: cycle.name.range)
    }
    let depth = walk.operations.map(finder.depth).max() ?? 0
    if cycles.isEmpty, depth > Self.greatestDepth {
      add("the fragments select deeper than \(Self.greatestDepth) levels", at: 0..<0)
    }
    return cycles.isEmpty && depth <= Self.greatestDepth
  }

  // MARK: - Subscriptions

  private mutating func checkSubscriptions() {
    for operation in document.operations where operation.kind == .subscription {
      var names: Set<String> = []
      var visited: Set<String> = []
      collectRoot(operation.selections, &names, &visited, operation.range)
      if names.count > 1 {
        add("a subscription selects one field, not \(names.count)", at: operation.range)
      }
      if names.contains(where: { $0.hasPrefix("__") }) {
        add("a subscription selects no field that starts with '__'", at: operation.range)
      }
    }
  }

  private mutating func collectRoot(
    _ set: SelectionSet, _ names: inout Set<String>, _ visited: inout Set<String>,
    _ range: Range<Int>
  ) {
    for selection in set.selections {
      let directives: [AppliedDirective]
      switch selection {
      case .field(let field):
        // Two fields with one alias are a matter of their merging.
        names.insert(field.name.text.hasPrefix("__") ? field.name.text : field.responseName)
        directives = field.directives
      case .spread(let spread):
        directives = spread.directives
        if let fragment = fragments[spread.name.text], visited.insert(spread.name.text).inserted {
          collectRoot(fragment.selections, &names, &visited, range)
        }
      case .inline(let inline):
        directives = inline.directives
        collectRoot(inline.selections, &names, &visited, range)
      }
      for directive in directives where ["skip", "include"].contains(directive.name.text) {
        add(
          "a subscription cannot have '@\(directive.name.text)' around its field",
          at: directive.name.range)
      }
    }
  }

  // MARK: - Variables

  /// Checks the variables of each operation in it and in all fragments that it uses.
  private mutating func checkVariables(_ walk: DefinitionWalk) {
    for (index, operation) in document.operations.enumerated() {
      let variables = Dictionary(
        operation.variables.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
      var unused = Set(variables.keys)
      let reached = walk.reachable(from: [walk.operations[index]])
      guard look(at: reached.count + 1) else { return }
      for definition in [walk.operations[index]] + reached.compactMap({ walk.fragments[$0] }) {
        guard look(at: definition.usages.count) else { return }
        for usage in definition.usages {
          guard let variable = variables[usage.name] else {
            reportUndefined(usage, operation)
            continue
          }
          unused.remove(usage.name)
          check(usage, variable)
        }
      }
      for variable in operation.variables where unused.contains(variable.name.text) {
        add("the variable '$\(variable.name.text)' is not used", at: variable.name.range)
      }
    }
  }

  private mutating func reportUndefined(_ usage: VariableUsage, _ operation: OperationNode) {
    let owner = operation.name.map { " '\($0.text)'" } ?? ""
    let near = Suggestion.nearest(to: usage.name, among: operation.variables.map(\.name.text))
    add(
      "the operation\(owner) has no variable '$\(usage.name)'"
        + Suggestion.ending(near.map { "$" + $0 }), at: usage.range)
  }

  private mutating func check(_ usage: VariableUsage, _ variable: VariableNode) {
    let type = TypeReference(variable.type)
    guard let place = usage.type, schema.types[type.name] != nil else { return }
    var hasDefault = usage.hasDefault
    if let value = variable.defaultValue {
      if case .null = value.kind {} else { hasDefault = true }
    }
    if usage.isOneOf, !type.isNonNull {
      add(
        "'$\(usage.name)' is '\(type)', but the one field of an input object is never null",
        at: usage.range)
    } else if place.isNonNull, !type.isNonNull {
      if hasDefault, type.fits(place.nullable) { return }
      report(usage, type, place)
    } else if !type.fits(place) {
      report(usage, type, place)
    }
  }

  private mutating func report(
    _ usage: VariableUsage, _ type: TypeReference, _ place: TypeReference
  ) {
    add("'$\(usage.name)' is '\(type)', but '\(place)' is expected", at: usage.range)
  }
}

extension TypeReference {
  /// Returns true if every value of the type is one of another type.
  fileprivate func fits(_ place: TypeReference) -> Bool {
    switch (self, place) {
    case (.nonNull(let type), .nonNull(let place)): type.fits(place)
    case (_, .nonNull): false
    case (.nonNull(let type), _): type.fits(place)
    case (.list(let type), .list(let place)): type.fits(place)
    case (.named(let type), .named(let place)): type == place
    default: false
    }
  }
}

/// A search for fragments that contain themselves.
private struct CycleFinder {
  private let walk: DefinitionWalk
  private var found: [FragmentSpread] = []
  private var done: Set<String> = []
  private var path: Set<String> = []
  /// The depth of the selections of each fragment, those of other fragments included.
  private var depths: [String: Int] = [:]

  init(_ walk: DefinitionWalk) { self.walk = walk }

  /// Returns the depth of the selections in a definition, whose fragments were all visited.
  func depth(_ content: DefinitionContent) -> Int {
    content.spreads.reduce(content.depth) { max($0, $1.depth + (depths[$1.spread.name.text] ?? 0)) }
  }

  /// Returns the spread that closes each cycle.
  mutating func cycles(among names: [String]) -> [FragmentSpread] {
    for name in names { visit(name) }
    return found
  }

  /// Follows the spreads, with a list in place of recursion, since a chain of fragments may be long.
  private mutating func visit(_ start: String) {
    var open: [(name: String, next: Int)] = []
    enter(start, &open)
    while let (name, next) = open.last {
      guard let content = walk.fragments[name], next < content.spreads.count else {
        depths[name] = walk.fragments[name].map(depth)
        path.remove(name)
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let spread = content.spreads[next].spread
      if path.contains(spread.name.text) {
        found.append(spread)
      } else {
        enter(spread.name.text, &open)
      }
    }
  }

  private mutating func enter(_ name: String, _ open: inout [(name: String, next: Int)]) {
    guard walk.fragments[name] != nil, done.insert(name).inserted else { return }
    path.insert(name)
    open.append((name, 0))
  }
}
