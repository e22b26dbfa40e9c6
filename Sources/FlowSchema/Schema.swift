public import FlowCore

/// A compiled JSON Schema of draft 2020-12 or draft 7.
///
///     var documents = SchemaDocuments()
///     documents["order.json"] = try Value(json: Array(#"{"required": ["id"]}"#.utf8))
///     let schema = try Schema("order.json", in: documents)
///     print(try schema.validate(.map(ValueMap())))   // '' lacks 'id'
public struct Schema: Sendable {
  package let code: SchemaCode
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

extension Schema {
  /// The type of the valid values, as far as the checker of scenarios can express it.
  ///
  /// Objects become records, with optional fields for those that are not required, and open for other
  /// names as far as the schema is. Objects without declared properties become maps. Texts of an `enum`
  /// stay an enumeration. A union has the fields of all its parts. A type inside itself, and everything
  /// else, is dynamic.
  public var valueType: ValueType {
    var reader = TypeReader(code)
    return reader.type(of: code.root).valueType
  }
}
