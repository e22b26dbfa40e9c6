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
  /// The dialect of OpenAPI, instead of that of the draft.
  package var dialect: Dialect?
  /// True to check nothing by a pattern that is right, but not supported.
  package var skipsUnsupportedPatterns: Bool = false
  /// The annotation of properties that are not required, as `readOnly` is for requests.
  package var excused: String?
  /// The annotation of values that must be absent, as `writeOnly` is for responses.
  package var withheld: String?

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
