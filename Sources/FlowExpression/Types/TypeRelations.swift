/// What the checker knows of type parameters, and the relations between types.
///
/// After the definition's "Gradual Type Checking": `dyn` fits everything, and a parameter stands for
/// the most general of the types that were given for it.
struct TypeRelations {
  private var bindings: [ExpressionType?] = []

  /// A new parameter that stands for no type yet.
  mutating func fresh() -> ExpressionType {
    bindings.append(nil)
    return .parameter(bindings.count - 1)
  }

  /// Whether a value of one type is accepted where another is expected; binds parameters if so.
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

  /// The type with all parameters replaced by what they stand for; `dyn` where that is open.
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

  /// The type itself when it is a parameter that stands for one.
  func root(_ type: ExpressionType) -> ExpressionType {
    guard case .parameter(let index) = type, let bound = bindings[index] else { return type }
    return root(bound)
  }

  /// The type that all of these fit; `dyn` when there is none.
  mutating func joined(_ types: [ExpressionType]) -> ExpressionType {
    guard var joined = types.first else { return fresh() }
    for type in types.dropFirst() {
      guard isAssignable(joined, to: type) else { return .dyn }
      joined = general(joined, type)
    }
    return joined
  }

  /// Whether two types may be equal: one fits the other, or both are numbers and one is a decimal.
  mutating func areComparable(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    isAssignable(left, to: right) || ExpressionType.mixesDecimal(resolved(left), resolved(right))
  }

  // MARK: - Signatures

  /// What a function with these signatures answers; `dyn` when several fit, nil when none does.
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

  /// Where the parameters of a signature begin when it is used here.
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
    case (.enumeration, .enumeration), (.enumeration, .string), (.string, .enumeration):
      return true
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

  /// The types that have null beside their values: wrappers, and those made by functions alone.
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
