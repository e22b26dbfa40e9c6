internal import FlowSystem

/// A JSON Schema under construction, with keywords of draft 7 only, as editors understand them.
struct SchemaPart: Sendable {
  /// The dialect of all schemas.
  static let dialect = "http://json-schema.org/draft-07/schema#"
  /// The schema of every value.
  static let any = SchemaPart()
  /// The pattern of a string with an expression.
  static let expressionPattern = #"\$\{\{"#

  private(set) var types: [String] = []
  /// The alternative patterns of strings, none for any string.
  private(set) var patterns: [String] = []
  private(set) var others: [JSON.Member] = []

  /// A schema of values of these types.
  init(_ types: String..., pattern: String? = nil, keywords others: [JSON.Member] = []) {
    self.types = types
    self.others = others
    patterns = pattern.map { [$0] } ?? []
  }

  /// The values with any of several schemas.
  ///
  /// A single one stands for itself, unless its text would make way for another.
  static func either(_ parts: [SchemaPart]) -> SchemaPart {
    if parts.count == 1, !parts[0].others.contains(where: { $0.name == "description" }) {
      return parts[0]
    }
    return SchemaPart(keywords: [.init("anyOf", .array(parts.map(\.json)))])
  }

  /// The values with one of these texts.
  static func words(_ words: [String]) -> SchemaPart {
    SchemaPart(keywords: [.init("enum", .array(words.map(JSON.string)))])
  }

  /// The values with a defined schema.
  static func reference(_ name: String) -> SchemaPart {
    SchemaPart(keywords: [.init("$ref", .string("#/definitions/\(name)"))])
  }

  /// Returns the schema of objects with these properties only.
  static func object(
    _ properties: [(name: String, part: SchemaPart)], required: [String] = [],
    others: SchemaPart? = nil, _ keywords: [JSON.Member] = []
  ) -> SchemaPart {
    var members: [JSON.Member] = [
      .init("properties", .object(properties.map { .init($0.name, $0.part.json) })),
      .init("additionalProperties", others?.json ?? .bool(false)),
    ]
    if !required.isEmpty { members.append(.init("required", .array(required.map(JSON.string)))) }
    return SchemaPart("object", keywords: members + keywords)
  }

  /// Returns a condition: `consequence` for the values that fit this schema.
  func implies(_ consequence: SchemaPart, otherwise: SchemaPart? = nil) -> SchemaPart {
    var members: [JSON.Member] = [.init("if", json), .init("then", consequence.json)]
    if let otherwise { members.append(.init("else", otherwise.json)) }
    return SchemaPart(keywords: members)
  }

  /// Returns the schema with another keyword.
  func with(_ name: String, _ value: JSON) -> SchemaPart {
    var copy = self
    copy.others.append(.init(name, value))
    return copy
  }

  /// Returns the schema with a changed keyword.
  func changing(_ name: String, _ change: (JSON) -> JSON) -> SchemaPart {
    var copy = self
    copy.others = others.map { $0.name == name ? .init(name, change($0.value)) : $0 }
    return copy
  }

  /// Returns the schema with a text for people.
  ///
  /// Draft 7 ignores the keywords beside a reference.
  func described(_ text: String) -> SchemaPart {
    let isReference = others.contains { $0.name == "$ref" }
    let part = isReference ? SchemaPart(keywords: [.init("allOf", .array([json]))]) : self
    return part.with("description", .string(text))
  }

  /// Returns the schema that also accepts null.
  var orNull: SchemaPart {
    if types.isEmpty { return others.isEmpty ? self : .either([self, SchemaPart("null")]) }
    var copy = self
    copy.types.append("null")
    return copy
  }

  /// Returns the schema that also accepts a string with an expression.
  var orExpression: SchemaPart {
    if types.isEmpty, others.isEmpty { return self }
    let expression = SchemaPart("string", pattern: Self.expressionPattern)
    if types.isEmpty || others.contains(where: { $0.name == "enum" }) {
      return .either([self, expression])
    }
    var copy = self
    if !types.contains("string") {
      copy.types.append("string")
    } else if patterns.isEmpty {
      return self
    }
    copy.patterns.append(Self.expressionPattern)
    return copy
  }

  /// The schema as JSON.
  var json: JSON {
    var members: [JSON.Member] = []
    if types.count == 1 { members.append(.init("type", .string(types[0]))) }
    if types.count > 1 { members.append(.init("type", .array(types.map(JSON.string)))) }
    if !patterns.isEmpty {
      members.append(.init("pattern", .string(patterns.joined(separator: "|"))))
    }
    return .object(members + others)
  }
}

extension SchemaPart {
  /// The schema of lists.
  static func list(of element: SchemaPart, mayBeEmpty: Bool = true) -> SchemaPart {
    SchemaPart(
      "array",
      keywords: [.init("items", element.json)]
        + (mayBeEmpty ? [] : [.init("minItems", .number("1"))]))
  }

  /// The schema of objects with any properties.
  static func map(of element: SchemaPart) -> SchemaPart {
    SchemaPart("object", keywords: [.init("additionalProperties", element.json)])
  }
}
