package import FlowCore

/// A compiled subschema.
package struct SchemaNode: Sendable {
  /// The URI of the document and the pointer in it: `order.json#/properties/id`.
  package let location: String
  /// The number of the resource around it.
  package let resource: Int
  /// True for the schema `false`.
  package var isNever = false
  /// True if it has `unevaluatedProperties` or `unevaluatedItems`.
  package var needsEvaluated = false
  /// The meaning of the values, as `description` or `title` has it.
  package var summary: String?
  /// Values that it allows according to its author, as `examples` or `example` has them.
  package var examples: [Value] = []
  /// The format, even if it is not checked.
  package var format: SchemaFormat?
  /// Cheap ones first, and those that depend on others last.
  package var keywords: [Keyword] = []
}

/// An assertion or an applicator, ready to be checked.
///
/// Numbers of nodes stand for subschemas.
package enum Keyword: Sendable {
  case type(TypeSet)
  case constant(Value)
  case enumeration(ValueSet)
  case bound(Bound, SchemaNumber, Value)
  case multiple(of: SchemaNumber, Value)
  case count(Count, Int)
  case uniqueItems
  /// `writeOnly` in a response: no value is allowed.
  case withheld(String)
  case pattern(SchemaPattern)
  case format(SchemaFormat)
  case range(IntegerRange)
  case content(encoding: String?, mediaType: String?)
  case required([String])
  case dependentRequired([Dependency])
  case reference(Int)
  case dynamicReference(String, Int)
  case properties(Properties)
  case propertyNames(Int)
  case items(Items)
  case contains(Contains)
  case dependentSchemas([Dependent])
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case condition(Condition)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)
  /// The subtypes that a discriminator of OpenAPI tells apart, which every value is valid without.
  case subtypes([Int])
}

extension Keyword {
  /// Names that must be present beside another one.
  package struct Dependency: Sendable {
    package let keyword: String
    package let name: String
    package let required: [String]
  }

  /// A schema that applies beside a name.
  package struct Dependent: Sendable {
    package let keyword: String
    package let name: String
    package let node: Int
  }

  /// `properties`, `patternProperties` and `additionalProperties`.
  package struct Properties: Sendable {
    package let names: NameTable
    /// The nodes of the names, in their order.
    package let nodes: [Int]
    package let patterns: [(pattern: SchemaPattern, node: Int)]
    package let additional: Int?
  }

  /// The schemas of a list's first elements, and of the others.
  package struct Items: Sendable {
    package let first: [Int]
    package let rest: Int?
    /// The keyword of the others: `items` or `additionalItems`.
    package let restKeyword: String
  }

  /// `contains` with its bounds.
  package struct Contains: Sendable {
    package let node: Int
    package let minimum: Int
    package let maximum: Int?
    /// True if matching elements count as evaluated, as they do since draft 2019-09.
    package let evaluates: Bool
  }

  /// `if` with its two branches.
  package struct Condition: Sendable {
    package let condition: Int
    package let then: Int?
    package let otherwise: Int?
  }

  /// A bound of a number.
  package enum Bound: String, Sendable, CaseIterable {
    case minimum
    case maximum
    case exclusiveMinimum
    case exclusiveMaximum

    package func allows(_ order: Int) -> Bool {
      switch self {
      case .minimum: order >= 0
      case .maximum: order <= 0
      case .exclusiveMinimum: order > 0
      case .exclusiveMaximum: order < 0
      }
    }
  }

  /// A bound of a length.
  package enum Count: String, Sendable, CaseIterable {
    case minLength
    case maxLength
    case minItems
    case maxItems
    case minProperties
    case maxProperties

    package func allows(_ count: Int, _ limit: Int) -> Bool {
      switch self {
      case .minLength, .minItems, .minProperties: count >= limit
      case .maxLength, .maxItems, .maxProperties: count <= limit
      }
    }
  }
}

/// The types of `type`.
package struct TypeSet: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let null = TypeSet(rawValue: 1)
  package static let boolean = TypeSet(rawValue: 2)
  package static let integer = TypeSet(rawValue: 4)
  package static let number = TypeSet(rawValue: 8)
  package static let string = TypeSet(rawValue: 16)
  package static let array = TypeSet(rawValue: 32)
  package static let object = TypeSet(rawValue: 64)

  /// The types with their names, in the order of messages.
  package static let all: [(name: String, type: TypeSet)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  /// The names of the types.
  package var names: [String] { Self.all.filter { contains($0.type) }.map(\.name) }

  package func allows(_ value: Value) -> Bool {
    switch value {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .int, .uint: !isDisjoint(with: [.integer, .number])
    case .decimal, .double, .number:
      contains(.number) || contains(.integer) && SchemaNumber(value)?.isWhole == true
    case .string: contains(.string)
    case .list: contains(.array)
    case .map: contains(.object)
    // A plain value is none of these.
    case .bytes, .timestamp, .duration, .record, .type, .optional: false
    }
  }

  /// The name of a value's type.
  package static func name(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .int, .uint: "integer"
    case .decimal, .double, .number: "number"
    case .list: "array"
    case .map, .record: "object"
    default: "string"
    }
  }
}

/// The nodes of a compiled schema, shared by its copies.
package final class SchemaCode: Sendable {
  package let nodes: [SchemaNode]
  package let root: Int
  /// For each resource, the nodes that a `$dynamicRef` may choose, by name.
  package let dynamicAnchors: [[String: Int]]
  package let limits: SchemaLimits

  package init(
    nodes: [SchemaNode], root: Int, dynamicAnchors: [[String: Int]], limits: SchemaLimits
  ) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
    self.limits = limits
  }
}
