/// A type with its lists and its marks of what is never null.
indirect enum TypeReference: Sendable, Hashable {
  case named(String)
  case list(TypeReference)
  case nonNull(TypeReference)

  /// The name inside of lists.
  var name: String {
    switch self {
    case .named(let name): name
    case .list(let type), .nonNull(let type): type.name
    }
  }

  var isNonNull: Bool { if case .nonNull = self { true } else { false } }

  /// The same type with null among its values.
  var nullable: TypeReference { if case .nonNull(let type) = self { type } else { self } }

  init(_ node: TypeNode) {
    switch node {
    case .named(let name): self = .named(name.text)
    case .list(let type): self = .list(TypeReference(type))
    case .nonNull(let type): self = .nonNull(TypeReference(type))
    }
  }
}

extension TypeReference: CustomStringConvertible {
  /// `[User!]`, as in a schema.
  var description: String {
    switch self {
    case .named(let name): name
    case .list(let type): "[\(type)]"
    case .nonNull(let type): "\(type)!"
    }
  }
}

/// An argument, or a field of an input object.
struct InputDefinition: Sendable {
  let name: String
  let type: TypeReference
  let summary: String
  let hasDefault: Bool

  /// True if a value must be given.
  var isRequired: Bool { type.isNonNull && !hasDefault }
}

/// A field of an object or of an interface.
struct FieldDefinition: Sendable {
  let name: String
  let type: TypeReference
  let summary: String
  let arguments: [InputDefinition]
  /// The place in the file of the schema, in bytes, or nil for an introspection.
  let offset: Int?
}

/// A type of a schema.
struct TypeDefinition: Sendable {
  enum Kind: String, Sendable {
    case scalar
    case object
    case interface
    case union
    case enumeration
    case input
  }

  let name: String
  let kind: Kind
  var offset: Int?
  /// The fields of an object or interface, in file order.
  private(set) var fields: [FieldDefinition] = []
  private var fieldIndex: [String: Int] = [:]
  /// The interfaces that an object or interface implements.
  var interfaces: [String] = []
  /// The objects of a union.
  var members: [String] = []
  /// The values of an enumeration.
  var values: [String] = []
  /// The fields of an input object.
  var inputs: [InputDefinition] = []
  /// True for an input object with exactly one field.
  var isOneOf = false

  init(_ name: String, _ kind: Kind, at offset: Int? = nil) {
    (self.name, self.kind, self.offset) = (name, kind, offset)
  }

  /// Returns the field of this name, or nil.
  func field(_ name: String) -> FieldDefinition? { fieldIndex[name].map { fields[$0] } }

  /// Returns the field of an input object, or nil.
  func input(_ name: String) -> InputDefinition? { inputs.first { $0.name == name } }

  /// Adds a field, and returns false if there is one of its name, which stays.
  mutating func add(_ field: FieldDefinition) -> Bool {
    guard fieldIndex[field.name] == nil else { return false }
    fieldIndex[field.name] = fields.count
    fields.append(field)
    return true
  }

  /// True for a type with selected fields.
  var isComposite: Bool { [.object, .interface, .union].contains(kind) }
  /// True for a type of values without parts.
  var isLeaf: Bool { kind == .scalar || kind == .enumeration }
  /// True for a type of arguments and variables.
  var isInput: Bool { isLeaf || kind == .input }
}

/// A directive that documents may use.
struct DirectiveDefinition: Sendable {
  let name: String
  let arguments: [InputDefinition]
  let locations: [String]
  let isRepeatable: Bool
}
