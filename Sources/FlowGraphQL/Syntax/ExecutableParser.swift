extension ExecutableDocument {
  /// The greatest number of tokens in a document.
  static let mostTokens = 50_000

  /// Reads operations and fragments.
  ///
  /// - Throws: The first mistake of syntax.
  init(parsing text: String) throws(GraphQLProblem) {
    self.init()
    var parser = try Parser(Array(text.utf8), mostTokens: Self.mostTokens)
    guard parser.token.kind != .end else {
      throw GraphQLProblem(parser.token.range, "the document is empty")
    }
    while parser.token.kind != .end { try addDefinition(&parser) }
  }

  private mutating func addDefinition(_ parser: inout Parser) throws(GraphQLProblem) {
    // A description says nothing about the meaning.
    let isDescribed = [.string, .blockString].contains(parser.token.kind)
    if isDescribed { _ = try parser.string() }
    if parser.isAt("{"), !isDescribed {
      let start = parser.token.range
      operations.append(
        OperationNode(
          kind: .query, name: nil, variables: [], directives: [],
          selections: try parser.selectionSet(), range: start))
    } else if parser.isAt(word: "fragment") {
      fragments.append(try parser.fragment())
    } else if let kind = OperationKind(rawValue: parser.text) {
      operations.append(try parser.operation(kind))
    } else if Parser.schemaWords.contains(parser.text) {
      throw GraphQLProblem(
        parser.token.range, "'\(parser.text)' defines a part of a schema; a query cannot have it")
    } else {
      throw parser.unexpected("'query', 'mutation', 'subscription', 'fragment' or '{'")
    }
  }
}

extension Parser {
  fileprivate mutating func fragment() throws(GraphQLProblem) -> FragmentNode {
    try expect(word: "fragment")
    if isAt(word: "on") { throw unexpected("the name of the fragment") }
    let name = try name("the name of the fragment")
    try expect(word: "on")
    let condition = try self.name("a type")
    return FragmentNode(
      name: name, condition: condition, directives: try directives(isConstant: false),
      selections: try selectionSet())
  }

  fileprivate mutating func operation(_ kind: OperationKind) throws(GraphQLProblem) -> OperationNode
  {
    let word = try advance().range
    let name = token.kind == .name ? try name() : nil
    var variables: [VariableNode] = []
    if isAt("(") {
      variables = try list("(", ")") { (parser) throws(GraphQLProblem) in try parser.variable() }
    }
    return OperationNode(
      kind: kind, name: name, variables: variables, directives: try directives(isConstant: false),
      selections: try selectionSet(), range: name?.range ?? word)
  }

  private mutating func variable() throws(GraphQLProblem) -> VariableNode {
    if [.string, .blockString].contains(token.kind) { _ = try string() }
    let start = token.range.lowerBound
    try expect("$")
    let name = try name("the name of a variable")
    try expect(":")
    let type = try type()
    let value = try accept("=") ? try self.value(isConstant: true) : nil
    return VariableNode(
      name: Name(text: name.text, range: start..<name.range.upperBound), type: type,
      defaultValue: value, directives: try directives(isConstant: true))
  }
}
