public import FlowCore
internal import FlowSystem

/// The schema of a GraphQL service.
///
///     let schema = try GraphQLSchema("schema.graphql", reading: context.document)
///     let query = GraphQLQuery("{ user(id: 1) { nam } }", against: schema)
///     print(query.problems.map(\.message))
///     // ["'User' has no field 'nam'; did you mean 'name'?"]
public struct GraphQLSchema: Sendable {
  /// The file's path as it was asked for.
  public let file: String
  /// Mistakes that leave the rest usable, as `file:line:column: message`.
  public let warnings: [String]
  /// Everything that a test can use, in the order of the schema.
  ///
  /// A field of the type of an operation is `Query.user`, another one `User.name`, and an argument
  /// `Query.user id`.
  public var parts: [ContractPart] {
    let operations = Set(roots.values)
    return names.compactMap { types[$0] }.flatMap { type in
      type.fields.flatMap { field in
        let name = "\(type.name).\(field.name)"
        return [ContractPart(operations.contains(type.name) ? .operation : .property, name)]
          + field.arguments.map { ContractPart(.parameter, "\(name) \($0.name)") }
      }
    }
  }

  /// The types by their names, the built-in ones included.
  let types: [String: TypeDefinition]
  /// The names of the types in file order, without the built-in ones.
  let names: [String]
  let directives: [String: DirectiveDefinition]
  let roots: [OperationKind: String]
  /// The names of the objects that can be a value of an interface or a union.
  private let possible: [String: Set<String>]
  private let lines: LineTable?

  /// Reads a file in the definition language, or the answer to an introspection in JSON or YAML.
  ///
  /// - Throws: The error of `read`, or `GraphQLSchemaError` with every problem.
  public init(_ file: String, reading read: (String) throws -> Document) throws {
    let document = try read(file)
    if case .string(let text) = document.value {
      try self.init(text, in: file)
    } else {
      try self.init(introspection: document)
    }
  }

  /// Reads a schema in the definition language.
  ///
  /// - Throws: `GraphQLSchemaError` with every problem.
  public init(_ text: String, in file: String) throws(GraphQLSchemaError) {
    let bytes = Array(text.utf8)
    let lines = LineTable(bytes)
    let syntax: SchemaSyntax
    do throws(GraphQLProblem) {
      syntax = try SchemaParser(parsing: bytes).syntax
    } catch {
      throw GraphQLSchemaError(problems: [lines.message(error, in: file)])
    }
    try self.init(SchemaBuilder(syntax), file, lines)
  }

  private init(introspection document: Document) throws(GraphQLSchemaError) {
    let syntax: SchemaSyntax
    do throws(IntrospectionError) {
      syntax = try Introspection(document.value).syntax
    } catch {
      let place = document.position(of: error.path).map { ":\($0.line):\($0.column)" } ?? ""
      throw GraphQLSchemaError(problems: ["\(document.path)\(place): \(error.message)"])
    }
    try self.init(SchemaBuilder(syntax), document.path, nil)
  }

  private init(
    _ builder: SchemaBuilder, _ file: String, _ lines: LineTable?
  ) throws(GraphQLSchemaError) {
    let told = { (problem: GraphQLProblem) in
      lines?.message(problem, in: file) ?? "\(file): \(problem.message)"
    }
    if !builder.problems.isEmpty {
      throw GraphQLSchemaError(problems: builder.problems.map(told))
    }
    self.file = file
    self.lines = lines
    warnings = builder.warnings.map(told)
    types = builder.types
    names = builder.names
    directives = builder.directives
    roots = builder.roots
    possible = builder.possible
  }

  /// Returns the objects that a value of a type can be.
  func possibleTypes(_ name: String) -> Set<String> { possible[name] ?? [name] }

  /// Returns true if a value can be of both types.
  func overlap(_ first: String, _ second: String) -> Bool {
    first == second || !possibleTypes(first).isDisjoint(with: possibleTypes(second))
  }

  /// Returns a field of a type, also one that has no definition, or nil.
  func field(_ name: String, of type: TypeDefinition) -> FieldDefinition? {
    if let field = type.field(name) { return field }
    guard name.hasPrefix("__") else { return nil }
    if name == BuiltInTypes.typeName.name { return BuiltInTypes.typeName }
    return type.name == roots[.query] ? BuiltInTypes.ofQuery.first { $0.name == name } : nil
  }

  /// The place of a field as `schema.graphql:12`, or the file.
  func place(of field: FieldDefinition) -> String {
    guard let offset = field.offset, let lines else { return file }
    return "\(file):\(lines.position(of: offset).line)"
  }
}

/// The starts of the lines of a text.
struct LineTable: Sendable {
  private let starts: [Int]
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
    self.starts = starts
  }

  /// Returns the position of a byte.
  func position(of offset: Int) -> Position {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // A byte that goes on with a character is 10xxxxxx.
    let column = bytes[starts[low]..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
    return Position(line: low + 1, column: column + 1)
  }

  func message(_ problem: GraphQLProblem, in file: String) -> String {
    let position = position(of: problem.range.lowerBound)
    return "\(file):\(position.line):\(position.column): \(problem.message)"
  }
}
