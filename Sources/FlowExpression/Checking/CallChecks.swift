internal import FlowCore

extension Checker {
  /// A call of a macro, a function, a function with a qualified name, or a method.
  mutating func call(_ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role) -> Checked {
    let inner = role.ofValues
    if let macro = Macro(call), let checked = expand(macro, call, at: span, as: inner) {
      return checked
    }
    guard let target = call.target else { return globalCall(call, span, inner) }
    if let function = namespaced(target, call) {
      return apply(
        function, to: call.arguments, CallName(name: function.name, span: span), as: inner)
    }
    let key = Function.Key(name: call.name.text, isMember: true, count: call.arguments.count + 1)
    guard let function = names.environment.function(key) else {
      return unknownFunction(call, [target] + call.arguments, isMember: true)
    }
    let name = CallName(name: call.name.text, span: span)
    return apply(function, to: [target] + call.arguments, name, as: inner)
  }

  private mutating func globalCall(
    _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    guard let function = global(call.name.text, call, isRooted: call.isRooted) else {
      return unknownFunction(call, call.arguments, isMember: false)
    }
    return apply(function, to: call.arguments, CallName(name: function.name, span: span), as: role)
  }

  /// `math.abs(x)`: a function whose name has points, not a method of `math`.
  private func namespaced(_ target: SyntaxNode, _ call: SyntaxNode.Call) -> Function? {
    guard let name = target.qualifiedName, names.local(name) == nil else { return nil }
    let full = name.prefix(name.parts.count) + "." + call.name.text
    return global(full, call, isRooted: name.isRooted)
  }

  private func global(_ name: String, _ call: SyntaxNode.Call, isRooted: Bool) -> Function? {
    for candidate in names.environment.candidates(name, isRooted: isRooted) {
      let key = Function.Key(name: candidate, isMember: false, count: call.arguments.count)
      if let function = names.environment.function(key) { return function }
    }
    return nil
  }

  private mutating func unknownFunction(
    _ call: SyntaxNode.Call, _ arguments: [SyntaxNode], isMember: Bool
  ) -> Checked {
    let name = names.fullName(call)
    let isSimple = name == call.name.text
    let failed = failure(names.unknownFunction(name, call, isMember: isMember && isSimple))
    // The arguments have problems of their own, but those of a macro are not values, and neither is
    // the `math` of `math.abs`.
    if isSimple, Macro.counts(of: name) == nil {
      for argument in arguments { _ = check(argument) }
    }
    return failed
  }

  // MARK: - Arguments

  private mutating func apply(
    _ function: Function, to syntax: [SyntaxNode], _ name: CallName, as role: Role
  ) -> Checked {
    if function.name == "decimal", syntax.count == 1, syntax[0].isNumberLiteral {
      return apply(function, [decimal(syntax[0])], name)
    }
    if function.name == SchemaFunction.name { return schemaCall(syntax, name, as: role) }
    var arguments: [Checked] = []
    for argument in syntax { arguments.append(check(argument, as: role)) }
    if function.name == MergeFunction.name { return merge(arguments, name, function) }
    var mustAgree = false
    if case .fallback = function.body { mustAgree = true }
    harmonize(&arguments, syntax, integers: mustAgree)
    return apply(function, arguments, name)
  }

  /// Calls a function by the signature that fits the arguments.
  mutating func apply(_ function: Function, _ arguments: [Checked], _ name: CallName) -> Checked {
    guard let result = relations.result(of: function.signatures, arguments.map(\.type)) else {
      return mismatch(arguments, name, function.signatures)
    }
    return call(function, arguments, result: result, name)
  }

  mutating func call(
    _ function: Function, _ arguments: [Checked], result: ExpressionType, _ name: CallName
  ) -> Checked {
    do {
      let code = try function.call(name, arguments.map(\.code))
      return Checked(code: folded(code, arguments), type: result)
    } catch {
      let located = name.located(error, arguments.compactMap(\.code.constant))
      note(.invalidArgument(located.message, name.span))
      return Checked(code: .failing(located), type: result)
    }
  }

  mutating func mismatch(
    _ arguments: [Checked], _ name: CallName, _ signatures: [Signature] = []
  ) -> Checked {
    let types = arguments.map { relations.resolved($0.type) }
    return failure(.noOverload(name.name, for: types, among: signatures, name.span))
  }
}

extension Checker {
  mutating func unary(
    _ sign: UnaryOperator, _ operand: SyntaxNode, at span: Range<Int>, as role: Role
  ) -> Checked {
    let function = sign == .not ? Operators.not : Operators.negate
    let checked = check(operand, as: sign == .not ? role.ofConditions : role.ofValues)
    return apply(function, [checked], CallName(name: sign.rawValue, span: span))
  }

  mutating func binary(
    _ sign: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode, at span: Range<Int>,
    as role: Role
  ) -> Checked {
    var sides = [check(left, as: role.ofValues), check(right, as: role.ofValues)]
    harmonize(&sides, [left, right])
    let name = CallName(name: sign.rawValue, span: span)
    let literal = sign.isComparison ? exactLiteral(sides, [left, right]) : nil
    switch sign {
    case .equal, .unequal:
      checkNames(sides[0], right)
      checkNames(sides[1], left)
      guard relations.areComparable(sides[0].type, sides[1].type) else {
        return mismatch(sides, name)
      }
      let function = sign == .equal ? Operators.equal : Operators.unequal
      return call(function.reading(literal), sides, result: .bool, name)
    case .isIn: return membership(sides, in: right, reading: literal, name)
    default:
      // Null fits where a timestamp does, but it has no order and no sum.
      guard let function = Operators.arithmetic[sign],
        !sides.contains(where: { relations.root($0.type) == .null })
      else { return mismatch(sides, name) }
      return apply(function.reading(literal), sides, name)
    }
  }

  private mutating func membership(
    _ sides: [Checked], in right: SyntaxNode, reading literal: ExactLiteral?, _ name: CallName
  ) -> Checked {
    let element: ExpressionType
    switch relations.root(sides[1].type).withoutNull {
    case .list(let type): element = type
    case .map(let key, _): element = key
    case .record: element = .string
    case .dyn, .unknown, .parameter: element = .dyn
    default: return mismatch(sides, name)
    }
    if case .list(let elements) = right.kind {
      for element in elements { checkNames(sides[0], element.value) }
    }
    guard relations.areComparable(sides[0].type, element) else { return mismatch(sides, name) }
    return call(Operators.isIn.reading(literal), sides, result: .bool, name)
  }

  /// Reports a comparison of an enumeration with a literal outside it, which is never equal.
  private mutating func checkNames(_ checked: Checked, _ other: SyntaxNode) {
    guard case .enumeration(let names) = relations.root(checked.type).withoutNull,
      case .literal(.string(let text)) = other.kind, !names.contains(text)
    else { return }
    note(.unknownName(text, names, other.span))
  }

  // MARK: - Conditions

  /// `&&` or `||`: an operand matters only when the others do not decide.
  mutating func logic(
    _ sign: LogicOperator, _ operands: [SyntaxNode], at span: Range<Int>, as role: Role
  ) -> Checked {
    var parts: [Checked] = []
    // What the others say is kept for a row of ordinary length: the work is quadratic.
    let isAssuming = operands.count <= 32
    for (index, operand) in operands.enumerated() {
      let others = isAssuming ? operands[..<index] + operands[(index + 1)...] : []
      names.assume(others, sign == .and)
      parts.append(condition(operand, sign.rawValue, role.ofConditions))
      names.endAssumptions(others.count)
    }
    let code = Code.logic(sign.rawValue, deciding: sign == .or, parts.map(\.code), span)
    return Checked(code: folded(code, parts), type: .bool)
  }

  mutating func condition(_ syntax: SyntaxNode, _ name: String, _ role: Role = .part) -> Checked {
    let checked = check(syntax, as: role)
    noteUnlessBool(checked, name, syntax.span)
    return checked
  }

  private mutating func noteUnlessBool(_ checked: Checked, _ name: String, _ span: Range<Int>) {
    guard !relations.isAssignable(checked.type, to: .bool) else { return }
    note(.notBool(name, relations.resolved(checked.type), span))
  }

  mutating func conditional(
    _ condition: SyntaxNode, then first: SyntaxNode, else second: SyntaxNode, at span: Range<Int>,
    as role: Role
  ) -> Checked {
    let role = role.ofConditions
    let test = check(condition, as: role, readingDecimals: false)
    noteUnlessBool(test, "?:", condition.span)
    var arms = [
      check(first, as: role, assuming: condition, true),
      check(second, as: role, assuming: condition, false),
    ]
    harmonize(&arms, [first, second], integers: true)
    let code = Code.conditional(test.code, then: arms[0].code, else: arms[1].code, at: span)
    guard relations.isAssignable(arms[1].type, to: arms[0].type) else {
      note(.differentArms(arms.map { relations.resolved($0.type) }, span))
      return Checked(code: code, type: .unknown)
    }
    let type = relations.general(arms[0].type, arms[1].type)
    return Checked(code: folded(code, [test] + arms), type: type)
  }
}

extension Checker {
  /// A call of `matches_schema`.
  mutating func schemaCall(
    _ arguments: [SyntaxNode], _ name: CallName, as role: Role
  ) -> Checked {
    let value = check(arguments[0], as: role)
    guard case .literal(.string(let text)) = arguments[1].kind else {
      return failure(.schemaName(arguments[1].span))
    }
    // One that cannot be read is reported by the owner of the files.
    guard let schema = names.environment.schemas[text] else {
      return Checked(code: .failing(.noSchemas), type: .bool)
    }
    if role == .operand || role == .assertion {
      collect(
        Checked(code: SchemaFunction.violations(value.code, schema, name), type: .dyn), name.span)
    }
    return Checked(code: SchemaFunction.test(value.code, schema, name), type: .bool)
  }
}
