public import FlowCore

/// A type of the language as the checker sees it: finer than the kinds of values at run time.
public indirect enum ExpressionType: Sendable, Hashable {
  /// The type of `null`.
  case null
  /// True or false.
  case bool
  /// A signed whole number.
  case int
  /// An unsigned whole number.
  case uint
  /// A binary floating-point number.
  case double
  /// An exact decimal number.
  case decimal
  /// Unicode text.
  case string
  /// A text that is one of a few; a string in every other way.
  case enumeration([String])
  /// Raw bytes.
  case bytes
  /// An instant.
  case timestamp
  /// A span of time.
  case duration
  /// Values of one type in order.
  case list(ExpressionType)
  /// Values of one type by keys of another.
  case map(ExpressionType, ExpressionType)
  /// Named fields, each with its own type.
  case record(RecordType)
  /// A value of the type, or null: the definition's wrapper types.
  case nullable(ExpressionType)
  /// A value of the type inside an optional, or nothing.
  case optional(ExpressionType)
  /// The type of a type, as `type(1)` has it.
  case type
  /// Any value; what it is shows only at run time.
  case dyn
  /// A type parameter of a function, by its number from 0.
  case parameter(Int)
  /// A type that only declared functions make and take.
  case abstract(String, [ExpressionType])
  /// The type of a part that has a problem already; it fits everywhere.
  case unknown

  /// The type of values that a component's field holds.
  public init(_ type: ValueType) {
    switch type {
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .enumeration(let names): self = .enumeration(names)
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .list(let element): self = .list(ExpressionType(element))
    case .map(let element): self = .map(.string, ExpressionType(element))
    case .record(let type): self = .record(type)
    case .optional(let wrapped): self = .nullable(ExpressionType(wrapped))
    case .dynamic: self = .dyn
    }
  }

  /// The type as a component's field has it; nil for what no field can hold.
  public var valueType: ValueType? {
    switch self {
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .enumeration(let names): .enumeration(names)
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .list(let element): element.valueType.map(ValueType.list)
    case .map(.string, let element), .map(.enumeration, let element), .map(.dyn, let element):
      element.valueType.map(ValueType.map)
    case .record(let type): .record(type)
    case .nullable(let wrapped): wrapped.valueType.map(ValueType.optional)
    case .null: .optional(.dynamic)
    case .dyn, .unknown: .dynamic
    case .map, .optional, .type, .parameter, .abstract: nil
    }
  }
}

extension ExpressionType {
  /// The type of the values other than null.
  var withoutNull: ExpressionType {
    if case .nullable(let wrapped) = self { return wrapped }
    return self
  }

  var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }

  /// Whether values of the type are decimals, or contain some.
  var holdsDecimals: Bool {
    switch self {
    case .decimal: true
    case .nullable(let wrapped), .list(let wrapped), .map(_, let wrapped), .optional(let wrapped):
      wrapped.holdsDecimals
    default: false
    }
  }

  var mayBeNumber: Bool {
    switch self {
    case .int, .uint, .double, .decimal, .dyn, .unknown, .parameter: true
    default: false
    }
  }

  /// Whether both are numbers and one is a decimal, or both are lists of such numbers.
  static func mixesDecimal(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    switch (left.withoutNull, right.withoutNull) {
    case (.decimal, .int), (.decimal, .uint), (.decimal, .double), (.int, .decimal),
      (.uint, .decimal), (.double, .decimal):
      true
    case (.list(let a), .list(let b)): mixesDecimal(a, b)
    default: false
    }
  }
}

extension ExpressionType: CustomStringConvertible {
  /// The name that messages use: `int`, `list(string)`, `int or null`.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .decimal: "decimal"
    case .string, .enumeration: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .record: "record"
    case .nullable(let wrapped): "\(wrapped) or null"
    case .optional(let wrapped): "optional(\(wrapped))"
    case .type: "type"
    case .dyn, .unknown: "dyn"
    case .parameter: "any type"
    case .abstract(let name, let types): name + Self.list(types)
    }
  }

  /// Types in parentheses, as the parameters of a function: `(int, string)`.
  static func list(_ types: [ExpressionType]) -> String {
    "(" + types.map(\.description).joined(separator: ", ") + ")"
  }
}

/// The types that a function takes and answers with, for the checker.
package struct Signature: Sendable {
  /// The parameters' types, the receiver first.
  package let parameters: [ExpressionType]
  /// The result's type.
  package let result: ExpressionType
  /// How many type parameters there are, numbered from 0; they belong to this signature alone.
  package let typeParameterCount: Int

  /// A signature whose types name `typeParameterCount` parameters.
  package init(
    _ parameters: [ExpressionType], _ result: ExpressionType, typeParameterCount: Int = 0
  ) {
    self.parameters = parameters
    self.result = result
    self.typeParameterCount = typeParameterCount
  }

  /// The type with the parameters of this signature renumbered to begin at `base`.
  static func instance(_ type: ExpressionType, _ base: Int) -> ExpressionType {
    switch type {
    case .parameter(let index): .parameter(base + index)
    case .list(let element): .list(instance(element, base))
    case .map(let key, let value): .map(instance(key, base), instance(value, base))
    case .nullable(let wrapped): .nullable(instance(wrapped, base))
    case .optional(let wrapped): .optional(instance(wrapped, base))
    case .abstract(let name, let types): .abstract(name, types.map { instance($0, base) })
    default: type
    }
  }
}
