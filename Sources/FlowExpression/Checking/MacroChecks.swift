extension Checker {
  mutating func expand(
    _ macro: Macro, _ call: SyntaxNode.Call, at span: Range<Int>, as role: Role
  ) -> Checked? {
    switch macro {
    case .has: return has(call, span, role)
    case .bind: return bind(call)
    case .greatest, .least: return extreme(macro, call, at: span, as: role)
    default: break
    }
    guard let target = call.target else { return nil }
    if macro == .optMap || macro == .optFlatMap {
      return optionalMap(call, check(target, as: role), isFlat: macro == .optFlatMap, span)
    }
    return comprehension(macro, call, over: target, as: role, at: span)
  }

  private mutating func has(_ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role) -> Checked {
    guard case .select(let operand, let field, isOptional: false) = call.arguments[0].kind else {
      return failure(.badHas(call.arguments[0].span))
    }
    let checked = presence(operand, field, span)
    if role == .operand { collect(checked, span) }
    return checked
  }

  private mutating func bind(_ call: SyntaxNode.Call) -> Checked? {
    guard let name = call.arguments[0].simpleName else {
      return failure(.badVariable("cel.bind", call.arguments[0].span))
    }
    let bound = check(call.arguments[1])
    let index = names.declare(name, bound.type)
    let result = check(call.arguments[2])
    names.removeLocals(1)
    return Checked(code: .bind(index, bound.code, result.code), type: result.type)
  }

  /// `optional.optMap(name, value)`, or `optFlatMap` if the value is an optional itself.
  private mutating func optionalMap(
    _ call: SyntaxNode.Call, _ target: Checked, isFlat: Bool, _ span: Range<Int>
  ) -> Checked {
    guard let name = call.arguments[0].simpleName else {
      return failure(.badVariable(call.name.text, call.arguments[0].span))
    }
    let index = names.declare(name, wrappedType(of: target, call.target?.span ?? span))
    let result = check(call.arguments[1])
    names.removeLocals(1)
    let code = Code.optionalMap(
      target.code, local: index, to: result.code, isFlat: isFlat, at: span)
    guard isFlat else { return Checked(code: code, type: .optional(result.type)) }
    return Checked(code: code, type: .optional(wrappedType(of: result, call.arguments[1].span)))
  }

  /// `math.greatest` and `math.least`: of the arguments, or of the elements of one list.
  private mutating func extreme(
    _ macro: Macro, _ call: SyntaxNode.Call, at span: Range<Int>, as role: Role
  ) -> Checked {
    var parts: [Checked] = []
    for argument in call.arguments { parts.append(check(argument, as: role)) }
    harmonize(&parts, call.arguments, integers: true)
    let types = parts.map { relations.root($0.type).withoutNull }
    let name = CallName(name: macro.rawValue, span: span)
    var elements = types
    if types.count == 1, case .list(let element) = types[0] { elements = [relations.root(element)] }
    guard elements.allSatisfy(\.mayBeNumber) else { return mismatch(parts, name) }
    let result = elements.allSatisfy { $0 == elements[0] } ? elements[0] : .dyn
    let body: Code.Several = macro == .greatest ? MathFunctions.greatest : MathFunctions.least
    let function = Function(macro.rawValue, [], .several(parts.count, body))
    return self.call(function, parts, result: result, name)
  }

  // MARK: - Comprehensions

  /// `range.all(x, ...)` and its like, with one variable or two.
  private mutating func comprehension(
    _ macro: Macro, _ call: SyntaxNode.Call, over target: SyntaxNode, as role: Role,
    at span: Range<Int>
  ) -> Checked {
    let range = check(target, as: role)
    let variableCount = macro.variableCount(of: call.arguments.count)
    var variables: [String] = []
    for argument in call.arguments.prefix(variableCount) {
      guard let name = argument.simpleName, !variables.contains(name) else {
        return failure(.badVariable(call.name.text, argument.span))
      }
      variables.append(name)
    }
    let types = elementTypes(of: range.type, target.span)
    let first = variables.count == 2 || types.isMap ? types.key : types.value
    let index = names.declare(variables[0], first)
    if variables.count == 2 { _ = names.declare(variables[1], types.value) }
    let before = partCount
    let parts = parts(macro, Array(call.arguments.dropFirst(variableCount)))
    names.removeLocals(variables.count)
    let loop = Loop(
      range: range.code, rangeSpan: target.span, firstLocal: index,
      hasSecond: variables.count == 2, predicate: parts.predicate,
      cost: 1 + partCount - before, span: span)
    return build(macro, loop, parts.result, key: types.key, element: first)
  }

  /// The parts evaluated with the variables: the filter and the transformation.
  private mutating func parts(
    _ macro: Macro, _ rest: [SyntaxNode]
  ) -> (predicate: Code?, result: Checked) {
    switch macro {
    case .all, .exists: return (nil, condition(rest[0], macro.rawValue))
    case .existsOne, .exists_one, .filter:
      let predicate = condition(rest[0], macro.rawValue)
      return (predicate.code, predicate)
    default:
      let predicate = rest.count == 2 ? condition(rest[0], macro.rawValue) : nil
      return (predicate?.code, check(rest[rest.count - 1]))
    }
  }

  private mutating func build(
    _ macro: Macro, _ loop: Loop, _ result: Checked, key: ExpressionType, element: ExpressionType
  ) -> Checked {
    switch macro {
    case .all, .exists:
      let code = Code.quantifier(loop, result.code, deciding: macro == .exists)
      return Checked(code: code, type: .bool)
    case .existsOne, .exists_one: return Checked(code: .existsOne(loop), type: .bool)
    case .filter: return Checked(code: .filter(loop), type: .list(element))
    case .sortBy: return Checked(code: .sort(loop, result.code), type: .list(element))
    case .transformMap:
      return Checked(code: .transformMap(loop, result.code), type: .map(key, result.type))
    case .transformMapEntry:
      let type = entryType(result.type, loop.span)
      return Checked(code: .transformMapEntry(loop, result.code), type: type)
    default: return Checked(code: .transform(loop, result.code), type: .list(result.type))
    }
  }

  private mutating func elementTypes(
    of range: ExpressionType, _ span: Range<Int>
  ) -> (key: ExpressionType, value: ExpressionType, isMap: Bool) {
    switch relations.root(range).withoutNull {
    case .list(let element): return (.int, element, false)
    case .map(let key, let value): return (key, value, true)
    case .dyn, .unknown: return (.dyn, .dyn, false)
    case .parameter:
      _ = relations.isAssignable(.dyn, to: range)
      return (.dyn, .dyn, false)
    default:
      note(.notIterable(relations.resolved(range), span))
      return (.unknown, .unknown, false)
    }
  }

  private mutating func entryType(_ type: ExpressionType, _ span: Range<Int>) -> ExpressionType {
    switch relations.root(type) {
    case .map, .dyn, .unknown, .parameter: return type
    default:
      note(.notMap(relations.resolved(type), span))
      return .unknown
    }
  }
}
