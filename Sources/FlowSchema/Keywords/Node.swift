internal import FlowCore

/// A compiled subschema.
struct Node: Sendable {
  /// The URI of the document and the pointer in it: `order.json#/properties/id`.
  let location: String
  /// The number of the resource around it.
  let resource: Int
  /// True for the schema `false`.
  var isNever = false
  /// True if it has `unevaluatedProperties` or `unevaluatedItems`.
  var needsEvaluated = false
  /// The meaning of the values, as `description` or `title` has it.
  var summary: String?
  /// Cheap ones first, and those that depend on others last.
  var keywords: [Keyword] = []
}

/// An assertion or an applicator, ready to be checked.
///
/// Numbers of nodes stand for subschemas.
enum Keyword: Sendable {
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
  case format(Format)
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
}

extension Keyword {
  /// Names that must be present beside another one.
  struct Dependency: Sendable {
    let keyword: String
    let name: String
    let required: [String]
  }

  /// A schema that applies beside a name.
  struct Dependent: Sendable {
    let keyword: String
    let name: String
    let node: Int
  }

  /// `properties`, `patternProperties` and `additionalProperties`.
  struct Properties: Sendable {
    let names: NameTable
    /// The nodes of the names, in their order.
    let nodes: [Int]
    let patterns: [(pattern: SchemaPattern, node: Int)]
    let additional: Int?
  }

  /// The schemas of a list's first elements, and of the others.
  struct Items: Sendable {
    let first: [Int]
    let rest: Int?
    /// The keyword of the others: `items` or `additionalItems`.
    let restKeyword: String
  }

  /// `contains` with its bounds.
  struct Contains: Sendable {
    let node: Int
    let minimum: Int
    let maximum: Int?
    /// True if matching elements count as evaluated, as they do since draft 2019-09.
    let evaluates: Bool
  }

  /// `if` with its two branches.
  struct Condition: Sendable {
    let condition: Int
    let then: Int?
    let otherwise: Int?
  }

  /// A bound of a number.
  enum Bound: String, Sendable, CaseIterable {
    case minimum
    case maximum
    case exclusiveMinimum
    case exclusiveMaximum

    func allows(_ order: Int) -> Bool {
      switch self {
      case .minimum: order >= 0
      case .maximum: order <= 0
      case .exclusiveMinimum: order > 0
      case .exclusiveMaximum: order < 0
      }
    }
  }

  /// A bound of a length.
  enum Count: String, Sendable, CaseIterable {
    case minLength
    case maxLength
    case minItems
    case maxItems
    case minProperties
    case maxProperties

    func allows(_ count: Int, _ limit: Int) -> Bool {
      switch self {
      case .minLength, .minItems, .minProperties: count >= limit
      case .maxLength, .maxItems, .maxProperties: count <= limit
      }
    }
  }
}

/// The types of `type`.
struct TypeSet: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let integer = TypeSet(rawValue: 4)
  static let number = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)

  /// The types with their names, in the order of messages.
  static let all: [(name: String, type: TypeSet)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  /// The names of the types.
  var names: [String] { Self.all.filter { contains($0.type) }.map(\.name) }

  func allows(_ value: Value) -> Bool {
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
  static func name(of value: Value) -> String {
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
