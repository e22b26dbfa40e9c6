internal import FlowCore

extension Checker {
  /// Compiles a macro; nil when the call is none after all.
  mutating func expand(
    _ macro: Macro, _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked? {
    switch macro {
    case .has: return has(call, span, role)
    case .bind: return bind(call)
    case .greatest, .least: return extreme(macro, call, span, role)
    default: break
    }
    guard let target = call.target else { return nil }
    if macro == .optMap || macro == .optFlatMap {
      return optionalMap(call, check(target, as: role), isFlat: macro == .optFlatMap, span)
    }
    return comprehension(macro, call, target, role, span)
  }

  private mutating func has(
    _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    guard case .select(let operand, let field, isOptional: false) = call.arguments[0].kind else {
      return failure(.badHas(call.arguments[0].span))
    }
    let checked = presence(operand, field, span)
    if role == .operand { operands.append((span, checked.node)) }
    return checked
  }

  private mutating func bind(_ call: SyntaxNode.Call) -> Checked? {
    guard let name = call.arguments[0].simpleName else {
      return failure(.badVariable("cel.bind", call.arguments[0].span))
    }
    let bound = check(call.arguments[1])
    let index = declare(name, bound.type)
    let result = check(call.arguments[2])
    scope.removeLast()
    return Checked(node: BindNode(index, bound.node, result.node), type: result.type)
  }

  /// `optional.optMap(name, value)` or, where the value is an optional itself, `optFlatMap`.
  private mutating func optionalMap(
    _ call: SyntaxNode.Call, _ target: Checked, isFlat: Bool, _ span: Range<Int>
  ) -> Checked {
    guard let name = call.arguments[0].simpleName else {
      return failure(.badVariable(call.name.text, call.arguments[0].span))
    }
    let wrapped = relations.fresh()
    if !relations.isAssignable(target.type, to: .optional(wrapped)) {
      note(.notOptional(relations.resolved(target.type), call.target?.span ?? span))
    }
    let index = declare(name, wrapped)
    let result = check(call.arguments[1])
    scope.removeLast()
    let node = OptionalMapNode(target.node, index, result.node, isFlat: isFlat, span)
    guard isFlat else { return Checked(node: node, type: .optional(result.type)) }
    let inner = relations.fresh()
    if !relations.isAssignable(result.type, to: .optional(inner)) {
      note(.notOptional(relations.resolved(result.type), call.arguments[1].span))
    }
    return Checked(node: node, type: .optional(inner))
  }

  /// `math.greatest` and `math.least`: of the arguments, or of the elements of one list.
  private mutating func extreme(
    _ macro: Macro, _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    var parts: [Checked] = []
    for argument in call.arguments { parts.append(check(argument, as: role)) }
    harmonize(&parts, call.arguments, integers: true)
    let types = parts.map { Self.withoutNull(relations.root($0.type)) }
    let name = CallName(name: macro.rawValue, span: span)
    var elements = types
    if types.count == 1, case .list(let element) = types[0] { elements = [relations.root(element)] }
    guard elements.allSatisfy(Self.isNumber) else { return mismatch(parts, name) }
    let result = elements.allSatisfy { $0 == elements[0] } ? elements[0] : .dyn
    let body: Function.Several = macro == .greatest ? MathExtension.greatest : MathExtension.least
    let function = Function(macro.rawValue, [], .several(parts.count, body))
    return self.call(function, parts, result, name)
  }

  private static func isNumber(_ type: ExpressionType) -> Bool {
    switch type {
    case .int, .uint, .double, .decimal, .dyn, .unknown, .parameter: true
    default: false
    }
  }

  // MARK: - Variables

  /// Declares a variable of a macro until the scope's last one is removed.
  mutating func declare(_ name: String, _ type: ExpressionType) -> Int {
    let index = scope.count
    scope.append(Local(name: name, type: isLenient ? .dyn : type, index: index))
    localCount = max(localCount, scope.count)
    return index
  }
}
