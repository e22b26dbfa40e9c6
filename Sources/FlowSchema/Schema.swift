public import FlowCore

/// A compiled JSON Schema of draft 2020-12 or draft 7.
///
///     var documents = SchemaDocuments()
///     documents["order.json"] = try Value(json: Array(#"{"required": ["id"]}"#.utf8))
///     let schema = try Schema("order.json", in: documents)
///     print(try schema.validate(.map(ValueMap())))   // '' lacks 'id'
public struct Schema: Sendable {
  let code: SchemaCode
  /// Keywords that the schema's dialect does not know, so that nothing checks them.
  public let unknownKeywords: [UnknownKeyword]

  /// Compiles the schema that a URI names, with everything that it refers to.
  ///
  /// A fragment names a part of the document by a pointer or an anchor.
  ///
  /// - Throws: `SchemaError` with every problem of the schemas, such as a reference to a document
  ///   that is not among these, or a pattern that cannot be checked.
  public init(
    _ uri: String, in documents: SchemaDocuments, options: SchemaOptions = SchemaOptions()
  ) throws(SchemaError) {
    var compiler = Compiler(documents, options)
    let root = compiler.compile(uri)
    try self.init(compiler, root)
  }

  /// Compiles a document, which may refer to other documents.
  ///
  /// Its references are relative to `uri`.
  ///
  /// - Throws: `SchemaError` with every problem of the schemas.
  public init(
    _ document: Value, uri: String = "", in documents: SchemaDocuments = SchemaDocuments(),
    options: SchemaOptions = SchemaOptions()
  ) throws(SchemaError) {
    var compiler = Compiler(documents, options)
    let root = compiler.compile(document, uri: uri)
    try self.init(compiler, root)
  }

  private init(_ compiler: Compiler, _ root: Int?) throws(SchemaError) {
    guard let root, compiler.problems.isEmpty else {
      throw SchemaError(problems: compiler.problems)
    }
    unknownKeywords = compiler.unknownKeywords
    code = SchemaCode(
      nodes: compiler.nodes, root: root, dynamicAnchors: compiler.dynamicAnchors,
      limits: compiler.options.limits)
  }

  /// Returns every violation of the schema in a value, none for a valid one.
  ///
  /// A record is checked as an object, and times, durations and bytes as the strings that they are
  /// in JSON.
  ///
  /// - Throws: `SchemaError` if the validation exceeds a limit, or the schema leads back to itself.
  public func validate(_ value: Value) throws(SchemaError) -> Violations {
    var validator = Validator(code, isQuick: false)
    _ = try validator.run(value)
    return Violations(all: validator.violations, more: validator.omitted)
  }

  /// Returns true for a valid value, as fast as possible.
  ///
  /// - Throws: `SchemaError`, as `validate` does.
  public func accepts(_ value: Value) throws(SchemaError) -> Bool {
    var validator = Validator(code, isQuick: true)
    return try validator.run(value)
  }
}

/// The nodes of a compiled schema, shared by its copies.
final class SchemaCode: Sendable {
  let nodes: [Node]
  let root: Int
  /// For each resource, the nodes that a `$dynamicRef` may choose, by name.
  let dynamicAnchors: [[String: Int]]
  let limits: SchemaLimits

  init(nodes: [Node], root: Int, dynamicAnchors: [[String: Int]], limits: SchemaLimits) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
    self.limits = limits
  }
}

/// A version of JSON Schema.
public enum SchemaDraft: Sendable, Hashable, CaseIterable {
  /// Draft 7, of 2018.
  case draft7
  /// Draft 2020-12.
  case draft2020

  var dialect: Dialect {
    switch self {
    case .draft7: .draft7
    case .draft2020: .draft2020
    }
  }
}

/// The choices that JSON Schema leaves to a validator.
public struct SchemaOptions: Sendable {
  /// The draft of documents without `$schema`, by default 2020-12.
  public var draft: SchemaDraft = .draft2020
  /// True to check `format`, which only annotates by default.
  public var assertsFormat: Bool = false
  /// True to check `contentEncoding` and `contentMediaType` in draft 7.
  public var assertsContent: Bool = false
  /// The bounds of a schema and of a validation.
  public var limits: SchemaLimits = SchemaLimits()

  /// The defaults.
  public init() {}
}

/// The bounds of a schema and of a validation.
public struct SchemaLimits: Sendable {
  /// The most subschemas of a schema and of everything that it refers to.
  public var subschemas: Int = 100_000
  /// The most subschemas that one value of a document may be inside of at once.
  public var nesting: Int = 400
  /// The most steps of a validation.
  ///
  /// A step is the check of a value by a subschema, a member of an object, or 64 bytes of text
  /// against a pattern.
  public var steps: Int = 50_000_000
  /// The most violations that a validation returns.
  public var violations: Int = 100

  /// The defaults.
  public init() {}
}
