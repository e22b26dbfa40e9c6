internal import FlowCore

/// The rules by which a schema is read: a draft, and the vocabularies of its metaschema.
package struct Dialect: Sendable, Hashable {
  /// A draft of JSON Schema.
  package enum Draft: Sendable, Hashable {
    case draft7
    case draft2020
    /// The schema object of OpenAPI 3.0, a descendant of draft 5.
    case openAPI30
  }

  /// A part of draft 2020-12 that a metaschema may leave out.
  package enum Vocabulary: String, Sendable, Hashable, CaseIterable {
    case core
    case applicator
    case unevaluated
    case validation
    case metaData = "meta-data"
    case formatAnnotation = "format-annotation"
    case formatAssertion = "format-assertion"
    case content
    /// The additions of OpenAPI 3.1.
    case openAPI = "https://spec.openapis.org/oas/3.1/vocab/base"

    /// The URI's last part names the vocabulary.
    init?(uri: String) {
      if uri == Self.openAPI.rawValue {
        self = .openAPI
        return
      }
      let start = "https://json-schema.org/draft/2020-12/vocab/"
      guard uri.hasPrefix(start) else { return nil }
      self.init(rawValue: String(uri.dropFirst(start.count)))
    }
  }

  package let draft: Draft
  let vocabularies: Set<Vocabulary>

  static let draft7 = Dialect(draft: .draft7, vocabularies: Set(Vocabulary.allCases))
  package static let draft2020 = Dialect(
    draft: .draft2020,
    vocabularies: Set(Vocabulary.allCases).subtracting([.formatAssertion, .openAPI]))
  package static let openAPI30 = Dialect(draft: .openAPI30, vocabularies: Set(Vocabulary.allCases))
  package static let openAPI31 = Dialect(
    draft: .draft2020, vocabularies: draft2020.vocabularies.union([.openAPI]))

  /// The dialect of an official metaschema, or nil for another URI.
  package init?(metaschema uri: String) {
    switch uri {
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema":
      self = .draft7
    case "https://json-schema.org/draft/2020-12/schema",
      "http://json-schema.org/draft/2020-12/schema":
      self = .draft2020
    case "https://spec.openapis.org/oas/3.1/dialect/base": self = .openAPI31
    default: return nil
    }
  }

  init(draft: Draft, vocabularies: Set<Vocabulary>) {
    self.draft = draft
    self.vocabularies = vocabularies
  }

  /// True if `format` is checked whatever the options say.
  var assertsFormat: Bool { draft == .draft2020 && vocabularies.contains(.formatAssertion) }

  /// True for a dialect of OpenAPI, which allows keywords that begin with `x-`.
  var isOpenAPI: Bool {
    draft == .openAPI30 || draft == .draft2020 && vocabularies.contains(.openAPI)
  }

  /// True if nothing beside `$ref` counts.
  package var ignoresSiblings: Bool { draft != .draft2020 }

  /// The rule of a keyword, or nil if the dialect has no such keyword.
  package func rule(of keyword: String) -> KeywordRule? {
    guard let rule = KeywordRule.all[keyword], rule.drafts.contains(draft) else { return nil }
    if keyword == "format" {
      return vocabularies.isDisjoint(with: [.formatAnnotation, .formatAssertion]) ? nil : rule
    }
    return draft != .draft2020 || vocabularies.contains(rule.vocabulary) ? rule : nil
  }

  /// True for a keyword that the dialect has or allows.
  package func allows(_ keyword: String) -> Bool {
    rule(of: keyword) != nil || isOpenAPI && keyword.hasPrefix("x-")
  }

  /// The names of all keywords, for suggestions.
  package var keywords: [String] { KeywordRule.all.keys.filter { rule(of: $0) != nil }.sorted() }
}

/// The drafts that have a keyword, and the schemas inside its value.
package struct KeywordRule: Sendable {
  /// The places of subschemas in a keyword's value.
  package enum Shape: Sendable {
    /// No subschemas.
    case plain
    /// The value is a subschema.
    case schema
    /// The value is a list of subschemas.
    case list
    /// The values of a map are subschemas.
    case map
    /// A subschema or a list of them.
    case schemaOrList
    /// The values of a map are subschemas or lists of names.
    case mapOfSchemasOrNames
  }

  let vocabulary: Dialect.Vocabulary
  package let shape: Shape
  let drafts: Set<Dialect.Draft>

  private init(
    _ vocabulary: Dialect.Vocabulary, _ shape: Shape = .plain,
    _ drafts: Set<Dialect.Draft> = [.draft7, .draft2020]
  ) {
    self.vocabulary = vocabulary
    self.shape = shape
    self.drafts = drafts
  }

  /// A keyword that OpenAPI 3.0 has as well.
  private static func common(
    _ vocabulary: Dialect.Vocabulary, _ shape: Shape = .plain
  ) -> KeywordRule {
    KeywordRule(vocabulary, shape, [.draft7, .draft2020, .openAPI30])
  }

  static let all: [String: KeywordRule] = [
    "$schema": KeywordRule(.core),
    "$id": KeywordRule(.core),
    "$ref": common(.core),
    "$comment": KeywordRule(.core),
    "$anchor": KeywordRule(.core, .plain, [.draft2020]),
    "$dynamicAnchor": KeywordRule(.core, .plain, [.draft2020]),
    "$dynamicRef": KeywordRule(.core, .plain, [.draft2020]),
    "$vocabulary": KeywordRule(.core, .plain, [.draft2020]),
    "$defs": KeywordRule(.core, .map, [.draft2020]),
    // Draft 2020-12 keeps the two old names, though it calls them deprecated.
    "definitions": KeywordRule(.core, .map),
    "dependencies": KeywordRule(.applicator, .mapOfSchemasOrNames),
    "properties": common(.applicator, .map),
    "patternProperties": KeywordRule(.applicator, .map),
    "additionalProperties": common(.applicator, .schema),
    "propertyNames": KeywordRule(.applicator, .schema),
    "dependentSchemas": KeywordRule(.applicator, .map, [.draft2020]),
    "items": common(.applicator, .schemaOrList),
    "prefixItems": KeywordRule(.applicator, .list, [.draft2020]),
    "additionalItems": KeywordRule(.applicator, .schema, [.draft7]),
    "contains": KeywordRule(.applicator, .schema),
    "allOf": common(.applicator, .list),
    "anyOf": common(.applicator, .list),
    "oneOf": common(.applicator, .list),
    "not": common(.applicator, .schema),
    "if": KeywordRule(.applicator, .schema),
    "then": KeywordRule(.applicator, .schema),
    "else": KeywordRule(.applicator, .schema),
    "unevaluatedProperties": KeywordRule(.unevaluated, .schema, [.draft2020]),
    "unevaluatedItems": KeywordRule(.unevaluated, .schema, [.draft2020]),
    "type": common(.validation),
    "const": KeywordRule(.validation),
    "enum": common(.validation),
    "minimum": common(.validation),
    "maximum": common(.validation),
    "exclusiveMinimum": common(.validation),
    "exclusiveMaximum": common(.validation),
    "multipleOf": common(.validation),
    "minLength": common(.validation),
    "maxLength": common(.validation),
    "pattern": common(.validation),
    "minItems": common(.validation),
    "maxItems": common(.validation),
    "uniqueItems": common(.validation),
    "minContains": KeywordRule(.validation, .plain, [.draft2020]),
    "maxContains": KeywordRule(.validation, .plain, [.draft2020]),
    "minProperties": common(.validation),
    "maxProperties": common(.validation),
    "required": common(.validation),
    "dependentRequired": KeywordRule(.validation, .plain, [.draft2020]),
    "format": common(.formatAnnotation),
    "contentEncoding": KeywordRule(.content),
    "contentMediaType": KeywordRule(.content),
    "contentSchema": KeywordRule(.content, .schema, [.draft2020]),
    "title": common(.metaData),
    "description": common(.metaData),
    "default": common(.metaData),
    "examples": KeywordRule(.metaData),
    "deprecated": common(.metaData),
    "readOnly": common(.metaData),
    "writeOnly": common(.metaData),
    "nullable": KeywordRule(.validation, .plain, [.openAPI30]),
    "discriminator": KeywordRule(.openAPI, .plain, [.draft2020, .openAPI30]),
    "xml": KeywordRule(.openAPI, .plain, [.draft2020, .openAPI30]),
    "externalDocs": KeywordRule(.openAPI, .plain, [.draft2020, .openAPI30]),
    "example": KeywordRule(.openAPI, .plain, [.draft2020, .openAPI30]),
  ]
}
