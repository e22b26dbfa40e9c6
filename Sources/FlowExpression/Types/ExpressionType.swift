public import FlowCore

/// A type of the language as the checker sees it: finer than the kinds of values at run time.
public indirect enum ExpressionType: Sendable, Hashable, CustomStringConvertible {
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
  /// A text that is one of a few.
  ///
  /// A string in every other way.
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
  /// Any value.
  ///
  /// Its type is known only at run time.
  case dyn
  /// A type parameter of a function, by its number from 0.
  case parameter(Int)
  /// A type that only declared functions create and take.
  case abstract(String, [ExpressionType])
  /// The type of a part with a problem.
  ///
  /// It fits everywhere.
  case unknown

  /// The type of the values of a component's field.
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

  /// The type as a component's field has it, or nil if no field can have it.
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

  /// The type of the values other than null.
  package var withoutNull: ExpressionType {
    if case .nullable(let wrapped) = self { return wrapped }
    return self
  }

  var isOptional: Bool { if case .optional = self { true } else { false } }

  /// True if values of the type are decimals, or contain some.
  var holdsDecimals: Bool {
    switch self {
    case .decimal: true
    case .nullable(let wrapped), .list(let wrapped), .map(_, let wrapped), .optional(let wrapped):
      wrapped.holdsDecimals
    default: false
    }
  }

  /// True if types of values, or of their parts, are unknown before the run.
  var holdsAnything: Bool {
    switch self {
    case .dyn: true
    case .nullable(let wrapped), .list(let wrapped), .map(_, let wrapped): wrapped.holdsAnything
    default: false
    }
  }

  var mayBeNumber: Bool {
    switch self {
    case .int, .uint, .double, .decimal, .dyn, .unknown, .parameter: true
    default: false
    }
  }

  /// True if both are numbers and one is a decimal, or both are lists of such numbers.
  static func mixesDecimal(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    switch (left.withoutNull, right.withoutNull) {
    case (.decimal, .int), (.decimal, .uint), (.decimal, .double), (.int, .decimal),
      (.uint, .decimal), (.double, .decimal):
      true
    case (.list(let a), .list(let b)): mixesDecimal(a, b)
    default: false
    }
  }

  /// The name in messages, the same as in `flow list`: `int`, `list(string)`, `optional(int)`.
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
    // Both are absent or of a type, and their difference is reported where it matters.
    case .nullable(let wrapped), .optional(let wrapped): "optional(\(wrapped))"
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

/// The parameter types and the result type of a function, for the checker.
package struct Signature: Sendable {
  /// The parameters' types, the receiver first.
  package let parameters: [ExpressionType]
  /// The result's type.
  package let result: ExpressionType
  /// The number of type parameters, which are numbered from 0 and belong to this signature alone.
  package let typeParameterCount: Int

  /// A signature whose types name `typeParameterCount` parameters.
  package init(
    _ parameters: [ExpressionType], _ result: ExpressionType, typeParameterCount: Int = 0
  ) {
    self.parameters = parameters
    self.result = result
    self.typeParameterCount = typeParameterCount
  }

  /// The type with the parameters of this signature numbered from `base`.
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

/// The checker's knowledge of type parameters, and the relations between types.
///
/// After the definition's "Gradual Type Checking": `dyn` fits everything, and a parameter stands
/// for the most general of its given types.
struct TypeRelations {
  private var bindings: [ExpressionType?] = []

  mutating func fresh() -> ExpressionType {
    bindings.append(nil)
    return .parameter(bindings.count - 1)
  }

  /// Returns true if a value of one type is accepted as another, and binds parameters then.
  mutating func isAssignable(_ source: ExpressionType, to target: ExpressionType) -> Bool {
    let saved = bindings
    if assign(source, target) { return true }
    bindings = saved
    return false
  }

  /// The more general of two types that are assignable to each other.
  func general(_ left: ExpressionType, _ right: ExpressionType) -> ExpressionType {
    if case .enumeration = left, case .enumeration = right, left != right { return .string }
    return isAtLeastAsGeneral(left, right) ? left : right
  }

  /// The type with all parameters replaced by their types, or by `dyn` for an open one.
  func resolved(_ type: ExpressionType) -> ExpressionType {
    switch type {
    case .parameter(let index): bindings[index].map(resolved) ?? .dyn
    case .list(let element): .list(resolved(element))
    case .map(let key, let value): .map(resolved(key), resolved(value))
    case .nullable(let wrapped): .nullable(resolved(wrapped))
    case .optional(let wrapped): .optional(resolved(wrapped))
    case .abstract(let name, let types): .abstract(name, types.map(resolved))
    default: type
    }
  }

  /// The bound type of a parameter, or the type itself.
  func root(_ type: ExpressionType) -> ExpressionType {
    guard case .parameter(let index) = type, let bound = bindings[index] else { return type }
    return root(bound)
  }

  /// The common type of all of these, or `dyn`.
  mutating func joined(_ types: [ExpressionType]) -> ExpressionType {
    guard var joined = types.first else { return fresh() }
    for type in types.dropFirst() {
      guard isAssignable(joined, to: type) else { return .dyn }
      joined = general(joined, type)
    }
    return joined
  }

  /// True if values of two types may be equal: one fits the other, or both are numbers and one is a
  /// decimal.
  mutating func areComparable(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    isAssignable(left, to: right) || ExpressionType.mixesDecimal(resolved(left), resolved(right))
  }

  // MARK: - Signatures

  /// The result type of a function with these signatures: `dyn` if several fit, nil if none does.
  mutating func result(
    of signatures: [Signature], _ arguments: [ExpressionType]
  ) -> ExpressionType? {
    let mayFitSeveral = arguments.contains { isOpen($0) }
    var result: ExpressionType?
    for signature in signatures {
      guard let candidate = instance(of: signature, fitting: arguments) else { continue }
      guard mayFitSeveral else { return candidate }
      if let first = result, first != candidate { return .dyn }
      result = candidate
    }
    return result
  }

  private mutating func instance(
    of signature: Signature, fitting arguments: [ExpressionType]
  ) -> ExpressionType? {
    let saved = bindings
    let isGeneric = signature.typeParameterCount > 0
    let base = isGeneric ? reserve(signature.typeParameterCount) : 0
    for (argument, parameter) in zip(arguments, signature.parameters) {
      let parameter = isGeneric ? Signature.instance(parameter, base) : parameter
      guard isAssignable(argument, to: parameter) else {
        bindings = saved
        return nil
      }
    }
    return isGeneric ? Signature.instance(signature.result, base) : signature.result
  }

  private func isOpen(_ type: ExpressionType) -> Bool {
    switch root(type) {
    case .dyn, .unknown, .parameter: true
    default: false
    }
  }

  /// Reserves the parameters of a used signature, and returns the number of the first.
  private mutating func reserve(_ count: Int) -> Int {
    bindings.append(contentsOf: repeatElement(nil, count: count))
    return bindings.count - count
  }

  // MARK: - Assignment

  private mutating func assign(_ source: ExpressionType, _ target: ExpressionType) -> Bool {
    if case .parameter(let index) = target { return bind(index, source) }
    if case .parameter(let index) = source { return bind(index, target) }
    switch (source, target) {
    case (.dyn, _), (_, .dyn), (.unknown, _), (_, .unknown): return true
    case (.null, .null): return true
    case (.null, let other), (let other, .null): return Self.bearsNull(other)
    case (.nullable(let a), .nullable(let b)): return assign(a, b)
    case (.nullable(let a), let b), (let b, .nullable(let a)): return assign(a, b)
    case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return assign(a, b)
    case (.map(let key, let value), .map(let key2, let value2)):
      return assign(key, key2) && assign(value, value2)
    case (.abstract(let a, let types), .abstract(let b, let types2)):
      guard a == b, types.count == types2.count else { return false }
      for (type, type2) in zip(types, types2) where !assign(type, type2) { return false }
      return true
    case (.enumeration, .enumeration), (.enumeration, .string), (.string, .enumeration): return true
    default: return source == target
    }
  }

  private mutating func bind(_ index: Int, _ type: ExpressionType) -> Bool {
    if type == .parameter(index) { return true }
    if let bound = bindings[index] {
      guard assign(type, bound) else { return false }
      let general = general(type, bound)
      if !occurs(index, in: general) { bindings[index] = general }
      return true
    }
    if case .parameter = type, root(type) == .parameter(index) { return true }
    guard !occurs(index, in: type) else { return false }
    bindings[index] = type
    return true
  }

  private func occurs(_ index: Int, in type: ExpressionType) -> Bool {
    switch type {
    case .parameter(let other):
      other == index || (bindings[other].map { occurs(index, in: $0) } ?? false)
    case .list(let wrapped), .nullable(let wrapped), .optional(let wrapped):
      occurs(index, in: wrapped)
    case .map(let key, let value): occurs(index, in: key) || occurs(index, in: value)
    case .abstract(_, let types): types.contains { occurs(index, in: $0) }
    default: false
    }
  }

  /// True for types that include null: wrappers, and types created only by functions.
  private static func bearsNull(_ type: ExpressionType) -> Bool {
    switch type {
    case .nullable, .optional, .abstract, .timestamp, .duration, .record: true
    default: false
    }
  }

  private func isAtLeastAsGeneral(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    switch (left, right) {
    case (.dyn, _), (.parameter, _), (.unknown, _): true
    case (_, .dyn), (_, .parameter): false
    case (.null, _): right == .null
    case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)),
      (.nullable(let a), .nullable(let b)):
      isAtLeastAsGeneral(a, b)
    case (.map(let key, let value), .map(let key2, let value2)):
      isAtLeastAsGeneral(key, key2) && isAtLeastAsGeneral(value, value2)
    case (.abstract(_, let types), .abstract(_, let types2)):
      zip(types, types2).allSatisfy { isAtLeastAsGeneral($0, $1) }
    case (_, .nullable): false
    case (.enumeration, .string): false
    default: true
    }
  }
}
