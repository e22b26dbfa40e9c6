internal import FlowCore

extension Checker {
  /// A call of a macro, a function, a function with a qualified name, or a method.
  mutating func call(_ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role) -> Checked {
    let inner = role.ofValues
    if let macro = Macro(call), let checked = expand(macro, call, span, inner) { return checked }
    guard let target = call.target else { return globalCall(call, span, inner) }
    if let function = namespaced(target, call) {
      return apply(function, call.arguments, CallName(name: function.name, span: span), inner)
    }
    let key = Function.Key(name: call.name.text, isMember: true, count: call.arguments.count + 1)
    guard let function = names.environment.function(key) else {
      return unknownFunction(call, [target] + call.arguments, isMember: true)
    }
    let name = CallName(name: call.name.text, span: span)
    return apply(function, [target] + call.arguments, name, inner)
  }

  private mutating func globalCall(
    _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    guard let function = global(call.name.text, call, isRooted: call.isRooted) else {
      return unknownFunction(call, call.arguments, isMember: false)
    }
    return apply(function, call.arguments, CallName(name: function.name, span: span), role)
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

  /// Checks the arguments and calls the function with them.
  private mutating func apply(
    _ function: Function, _ syntax: [SyntaxNode], _ name: CallName, _ role: Role
  ) -> Checked {
    if function.name == "decimal", syntax.count == 1, syntax[0].isNumberLiteral {
      return apply(function, [decimal(syntax[0])], name)
    }
    var arguments: [Checked] = []
    for argument in syntax { arguments.append(check(argument, as: role)) }
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
    return call(function, arguments, result, name)
  }

  /// Calls a function whose arguments are known to fit.
  mutating func call(
    _ function: Function, _ arguments: [Checked], _ result: ExpressionType, _ name: CallName
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

  /// Notes that no function of the name takes arguments of these types.
  mutating func mismatch(
    _ arguments: [Checked], _ name: CallName, _ signatures: [Signature] = []
  ) -> Checked {
    let types = arguments.map { relations.resolved($0.type) }
    return failure(.noOverload(name.name, types, signatures, name.span))
  }
}
