internal import FlowCore

/// The rules by which a schema is read: a draft, and the vocabularies of its metaschema.
struct Dialect: Sendable, Hashable {
  /// A draft of JSON Schema.
  enum Draft: Sendable, Hashable {
    case draft7
    case draft2020
  }

  /// A part of draft 2020-12 that a metaschema may leave out.
  enum Vocabulary: String, Sendable, Hashable, CaseIterable {
    case core
    case applicator
    case unevaluated
    case validation
    case metaData = "meta-data"
    case formatAnnotation = "format-annotation"
    case formatAssertion = "format-assertion"
    case content

    /// The URI's last part names the vocabulary.
    init?(uri: String) {
      let start = "https://json-schema.org/draft/2020-12/vocab/"
      guard uri.hasPrefix(start) else { return nil }
      self.init(rawValue: String(uri.dropFirst(start.count)))
    }
  }

  let draft: Draft
  let vocabularies: Set<Vocabulary>

  static let draft7 = Dialect(draft: .draft7, vocabularies: Set(Vocabulary.allCases))
  static let draft2020 = Dialect(
    draft: .draft2020, vocabularies: Set(Vocabulary.allCases).subtracting([.formatAssertion]))

  /// The dialect of an official metaschema, or nil for another URI.
  init?(metaschema uri: String) {
    switch uri {
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema":
      self = .draft7
    case "https://json-schema.org/draft/2020-12/schema",
      "http://json-schema.org/draft/2020-12/schema":
      self = .draft2020
    default: return nil
    }
  }

  init(draft: Draft, vocabularies: Set<Vocabulary>) {
    self.draft = draft
    self.vocabularies = vocabularies
  }

  /// True if `format` is checked whatever the options say.
  var assertsFormat: Bool { draft == .draft2020 && vocabularies.contains(.formatAssertion) }

  /// The rule of a keyword, or nil if the dialect has no such keyword.
  func rule(of keyword: String) -> KeywordRule? {
    guard let rule = KeywordRule.all[keyword], rule.drafts.contains(draft) else { return nil }
    if keyword == "format" {
      return vocabularies.isDisjoint(with: [.formatAnnotation, .formatAssertion]) ? nil : rule
    }
    return draft == .draft7 || vocabularies.contains(rule.vocabulary) ? rule : nil
  }

  /// The names of all keywords, for suggestions.
  var keywords: [String] { KeywordRule.all.keys.filter { rule(of: $0) != nil }.sorted() }
}

/// The drafts that have a keyword, and the schemas inside its value.
struct KeywordRule: Sendable {
  /// The places of subschemas in a keyword's value.
  enum Shape: Sendable {
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
  let shape: Shape
  let drafts: Set<Dialect.Draft>

  private init(
    _ vocabulary: Dialect.Vocabulary, _ shape: Shape = .plain,
    _ drafts: Set<Dialect.Draft> = [.draft7, .draft2020]
  ) {
    self.vocabulary = vocabulary
    self.shape = shape
    self.drafts = drafts
  }

  static let all: [String: KeywordRule] = [
    "$schema": KeywordRule(.core),
    "$id": KeywordRule(.core),
    "$ref": KeywordRule(.core),
    "$comment": KeywordRule(.core),
    "$anchor": KeywordRule(.core, .plain, [.draft2020]),
    "$dynamicAnchor": KeywordRule(.core, .plain, [.draft2020]),
    "$dynamicRef": KeywordRule(.core, .plain, [.draft2020]),
    "$vocabulary": KeywordRule(.core, .plain, [.draft2020]),
    "$defs": KeywordRule(.core, .map, [.draft2020]),
    // Draft 2020-12 keeps the two old names, though it calls them deprecated.
    "definitions": KeywordRule(.core, .map),
    "dependencies": KeywordRule(.applicator, .mapOfSchemasOrNames),
    "properties": KeywordRule(.applicator, .map),
    "patternProperties": KeywordRule(.applicator, .map),
    "additionalProperties": KeywordRule(.applicator, .schema),
    "propertyNames": KeywordRule(.applicator, .schema),
    "dependentSchemas": KeywordRule(.applicator, .map, [.draft2020]),
    "items": KeywordRule(.applicator, .schemaOrList),
    "prefixItems": KeywordRule(.applicator, .list, [.draft2020]),
    "additionalItems": KeywordRule(.applicator, .schema, [.draft7]),
    "contains": KeywordRule(.applicator, .schema),
    "allOf": KeywordRule(.applicator, .list),
    "anyOf": KeywordRule(.applicator, .list),
    "oneOf": KeywordRule(.applicator, .list),
    "not": KeywordRule(.applicator, .schema),
    "if": KeywordRule(.applicator, .schema),
    "then": KeywordRule(.applicator, .schema),
    "else": KeywordRule(.applicator, .schema),
    "unevaluatedProperties": KeywordRule(.unevaluated, .schema, [.draft2020]),
    "unevaluatedItems": KeywordRule(.unevaluated, .schema, [.draft2020]),
    "type": KeywordRule(.validation),
    "const": KeywordRule(.validation),
    "enum": KeywordRule(.validation),
    "minimum": KeywordRule(.validation),
    "maximum": KeywordRule(.validation),
    "exclusiveMinimum": KeywordRule(.validation),
    "exclusiveMaximum": KeywordRule(.validation),
    "multipleOf": KeywordRule(.validation),
    "minLength": KeywordRule(.validation),
    "maxLength": KeywordRule(.validation),
    "pattern": KeywordRule(.validation),
    "minItems": KeywordRule(.validation),
    "maxItems": KeywordRule(.validation),
    "uniqueItems": KeywordRule(.validation),
    "minContains": KeywordRule(.validation, .plain, [.draft2020]),
    "maxContains": KeywordRule(.validation, .plain, [.draft2020]),
    "minProperties": KeywordRule(.validation),
    "maxProperties": KeywordRule(.validation),
    "required": KeywordRule(.validation),
    "dependentRequired": KeywordRule(.validation, .plain, [.draft2020]),
    "format": KeywordRule(.formatAnnotation),
    "contentEncoding": KeywordRule(.content),
    "contentMediaType": KeywordRule(.content),
    "contentSchema": KeywordRule(.content, .schema, [.draft2020]),
    "title": KeywordRule(.metaData),
    "description": KeywordRule(.metaData),
    "default": KeywordRule(.metaData),
    "examples": KeywordRule(.metaData),
    "deprecated": KeywordRule(.metaData),
    "readOnly": KeywordRule(.metaData),
    "writeOnly": KeywordRule(.metaData),
  ]
}
