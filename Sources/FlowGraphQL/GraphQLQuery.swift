public import FlowCore

/// The text of a query, with its mistakes by a schema.
public struct GraphQLQuery: Sendable {
  /// The mistakes in the order of the text, none for a right query.
  public let problems: [GraphQLProblem]
  private let document: ExecutableDocument
  private let schema: GraphQLSchema
  private let fragments: [String: FragmentNode]

  /// Reads and checks a document of operations and fragments (GraphQL, September 2025, section 5).
  ///
  /// The time is bounded, whatever the text.
  public init(_ text: String, against schema: GraphQLSchema) {
    self.schema = schema
    do throws(GraphQLProblem) {
      document = try ExecutableDocument(parsing: text)
    } catch {
      (document, fragments, problems) = (ExecutableDocument(), [:], [error])
      return
    }
    fragments = Dictionary(
      document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    problems = Validator.problems(of: document, schema)
  }

  /// Returns the operation of a name, or the only one without a name, or nil if there is no such one.
  public func operation(named name: String?) -> GraphQLOperation? {
    let found =
      name.map { name in document.operations.filter { $0.name?.text == name } }
      ?? document.operations
    guard problems.isEmpty, found.count == 1 else { return nil }
    return GraphQLOperation(node: found[0], schema: schema, fragments: fragments)
  }

  /// Returns true if a text has a query, which changes nothing, as its only operation or as that of
  /// a name.
  public static func isQuery(_ text: String, named name: String?) -> Bool {
    // Mistakes are those of whoever checks or executes it.
    guard let document = try? ExecutableDocument(parsing: text) else { return false }
    let chosen = document.operations.filter { name == nil || $0.name?.text == name }
    return chosen.count == 1 && chosen[0].kind == .query
  }

  /// The names of the operations in the order of the text.
  public var operationNames: [String] { document.operations.compactMap(\.name?.text) }
}

/// An operation of a right query.
public struct GraphQLOperation: Sendable {
  let node: OperationNode
  let schema: GraphQLSchema
  let fragments: [String: FragmentNode]

  /// True for an operation that changes nothing.
  public var isQuery: Bool { node.kind == .query }

  /// The type of the variables: a record.
  public var variablesType: ValueType {
    var types = VariableTypes(schema)
    return types.type(of: node.variables)
  }

  /// The type of the data in an answer without errors: a record.
  public var dataType: ValueType {
    var types = AnswerTypes(schema, fragments)
    return types.type(of: node)
  }

  /// Returns the contradictions of values of variables.
  ///
  /// - Parameters:
  ///   - values: The known values by the names of the variables.
  ///   - names: The names of all given variables, whose values may not be known.
  /// - Returns: The contradictions, each with its place among the variables.
  public func problems(
    inVariables values: [String: Value], names: some Sequence<String>
  ) -> [GraphQLValueProblem] {
    VariableCheck(node.variables, values, names: Set(names), schema).problems
  }

  /// Returns the contradictions of the data of an answer, none for null, which errors explain.
  public func problems(
    inData data: Value, variables: [String: Value]
  ) -> [GraphQLValueProblem] {
    if data == .null { return [] }
    var known = variables.compactMapValues { if case .bool(let value) = $0 { value } else { nil } }
    for variable in node.variables where variables[variable.name.text] == nil {
      if case .bool(let value)? = variable.defaultValue?.kind { known[variable.name.text] = value }
    }
    return AnswerCheck(data, of: node, schema, fragments, known).problems
  }

  /// The names of the parts of the schema that the operation uses, as `GraphQLSchema.parts` has
  /// them.
  public var usedParts: Set<String> {
    var names: Set<String> = []
    var visited: Set<String> = []
    guard let root = schema.roots[node.kind].flatMap({ schema.types[$0] }) else { return [] }
    collect(node.selections, root, &names, &visited)
    return names
  }

  private func collect(
    _ set: SelectionSet, _ type: TypeDefinition, _ names: inout Set<String>,
    _ visited: inout Set<String>
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let definition = schema.field(field.name.text, of: type) else { continue }
        let name = "\(type.name).\(definition.name)"
        names.insert(name)
        for argument in field.arguments { names.insert("\(name) \(argument.name.text)") }
        guard let inner = schema.types[definition.type.name], let set = field.selections else {
          continue
        }
        collect(set, inner, &names, &visited)
      case .spread(let spread):
        guard let fragment = fragments[spread.name.text], visited.insert(spread.name.text).inserted,
          let inner = schema.types[fragment.condition.text]
        else { continue }
        collect(fragment.selections, inner, &names, &visited)
      case .inline(let inline):
        let inner = inline.condition.flatMap { schema.types[$0.text] } ?? type
        collect(inline.selections, inner, &names, &visited)
      }
    }
  }
}
