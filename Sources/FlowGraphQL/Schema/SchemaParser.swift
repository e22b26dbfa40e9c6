/// The definitions of a schema, as they are written.
struct SchemaSyntax {
  /// A type or an extension of one.
  struct TypeSyntax {
    var type: TypeDefinition
    let range: Range<Int>
    var isExtension = false
    /// The named types, with their places.
    var references: [Name] = []
    /// The fields that are there twice.
    var repeated: [Name] = []
  }

  var types: [TypeSyntax] = []
  var directives: [DirectiveDefinition] = []
  /// The types of the operations, by their kinds, if the schema names them.
  var roots: [OperationKind: Name] = [:]
}

/// Reads the definition language of schemas (GraphQL, September 2025, section 3).
struct SchemaParser {
  private var parser: Parser
  private(set) var syntax = SchemaSyntax()
  private var current: SchemaSyntax.TypeSyntax?

  /// Reads a whole file.
  ///
  /// - Throws: The first mistake of syntax.
  init(parsing bytes: [UInt8]) throws(GraphQLProblem) {
    parser = try Parser(bytes)
    guard parser.token.kind != .end else {
      throw GraphQLProblem(parser.token.range, "the file is empty")
    }
    while parser.token.kind != .end { try readDefinition() }
  }

  private mutating func readDefinition() throws(GraphQLProblem) {
    _ = try summary()
    let isExtension = try parser.accept(word: "extend")
    let word = parser.text
    guard Parser.schemaWords.contains(word), word != "extend" else {
      let isQuery = OperationKind(rawValue: word) != nil || word == "fragment" || word == "{"
      throw isQuery
        ? GraphQLProblem(parser.token.range, "'\(word)' is a part of a query, not of a schema")
        : parser.unexpected("a definition such as 'type'")
    }
    try parser.advance()
    switch word {
    case "schema": try readSchema()
    case "directive": try readDirective()
    default: try readType(Self.kinds[word] ?? .object, isExtension: isExtension)
    }
  }

  private static let kinds: [String: TypeDefinition.Kind] = [
    "scalar": .scalar, "type": .object, "interface": .interface, "union": .union,
    "enum": .enumeration, "input": .input,
  ]

  /// Reads a description, or returns an empty one.
  private mutating func summary() throws(GraphQLProblem) -> String {
    [.string, .blockString].contains(parser.token.kind) ? try parser.string() : ""
  }

  private mutating func readSchema() throws(GraphQLProblem) {
    _ = try parser.directives(isConstant: true)
    guard parser.isAt("{") else { return }
    let roots = try parser.list("{", "}") { (parser) throws(GraphQLProblem) in
      let word = parser.text
      guard let kind = OperationKind(rawValue: word) else {
        throw parser.unexpected("'query', 'mutation' or 'subscription'")
      }
      try parser.advance()
      try parser.expect(":")
      return (kind, try parser.name("a type"))
    }
    for (kind, name) in roots { syntax.roots[kind] = name }
  }

  private mutating func readDirective() throws(GraphQLProblem) {
    try parser.expect("@")
    let name = try parser.name()
    var references: [Name] = []
    let arguments = try inputs("(", ")", &references)
    let isRepeatable = try parser.accept(word: "repeatable")
    try parser.expect(word: "on")
    let locations = try names(separatedBy: "|")
    syntax.directives.append(
      DirectiveDefinition(
        name: name.text, arguments: arguments, locations: locations.map(\.text),
        isRepeatable: isRepeatable))
  }

  /// Reads names with a separator between them, and perhaps before the first one.
  private mutating func names(separatedBy separator: Unicode.Scalar) throws(GraphQLProblem)
    -> [Name]
  {
    _ = try parser.accept(separator)
    var names = [try parser.name()]
    while try parser.accept(separator) { names.append(try parser.name()) }
    return names
  }

  private mutating func readType(
    _ kind: TypeDefinition.Kind, isExtension: Bool
  ) throws(GraphQLProblem) {
    let name = try parser.name("the name of the type")
    var type = SchemaSyntax.TypeSyntax(
      type: TypeDefinition(name.text, kind, at: name.range.lowerBound), range: name.range)
    type.isExtension = isExtension
    if kind == .object || kind == .interface, try parser.accept(word: "implements") {
      let names = try names(separatedBy: "&")
      type.type.interfaces = names.map(\.text)
      type.references += names
    }
    let directives = try parser.directives(isConstant: true)
    type.type.isOneOf = directives.contains { $0.name.text == "oneOf" }
    try readContent(of: &type)
    syntax.types.append(type)
  }

  private mutating func readContent(of type: inout SchemaSyntax.TypeSyntax) throws(GraphQLProblem) {
    switch type.type.kind {
    case .scalar: break
    case .object, .interface: try readFields(of: &type)
    case .union:
      guard try parser.accept("=") else { return }
      let names = try names(separatedBy: "|")
      type.type.members = names.map(\.text)
      type.references += names
    case .enumeration: try readValues(of: &type.type)
    case .input: type.type.inputs = try inputs("{", "}", &type.references)
    }
  }

  private mutating func readFields(of type: inout SchemaSyntax.TypeSyntax) throws(GraphQLProblem) {
    guard try parser.accept("{") else { return }
    while try !parser.accept("}") {
      let summary = try summary()
      let name = try parser.name("the name of a field")
      let arguments = try inputs("(", ")", &type.references)
      try parser.expect(":")
      let node = try parser.type()
      type.references.append(node.name)
      _ = try parser.directives(isConstant: true)
      let isNew = type.type.add(
        FieldDefinition(
          name: name.text, type: TypeReference(node), summary: summary, arguments: arguments,
          offset: name.range.lowerBound))
      if !isNew { type.repeated.append(name) }
    }
  }

  private mutating func readValues(of type: inout TypeDefinition) throws(GraphQLProblem) {
    guard try parser.accept("{") else { return }
    while try !parser.accept("}") {
      _ = try summary()
      type.values.append(try parser.name("a value").text)
      _ = try parser.directives(isConstant: true)
    }
  }

  /// Reads arguments or the fields of an input object.
  private mutating func inputs(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ references: inout [Name]
  ) throws(GraphQLProblem) -> [InputDefinition] {
    guard try parser.accept(open) else { return [] }
    var inputs: [InputDefinition] = []
    while try !parser.accept(close) {
      let summary = try summary()
      let name = try parser.name()
      try parser.expect(":")
      let type = try parser.type()
      references.append(type.name)
      let hasDefault = try parser.accept("=")
      if hasDefault { _ = try parser.value(isConstant: true) }
      _ = try parser.directives(isConstant: true)
      inputs.append(
        InputDefinition(
          name: name.text, type: TypeReference(type), summary: summary, hasDefault: hasDefault))
    }
    return inputs
  }
}
