internal import FlowCore

extension Checker {
  /// A call of a macro, a function, a function with a qualified name, or a method.
  mutating func call(_ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role) -> Checked {
    let inner = role == .assertion ? Role.operand : .part
    if let macro = Macro(call), let checked = expand(macro, call, span, inner) { return checked }
    guard let target = call.target else { return globalCall(call, span, inner) }
    if let function = namespaced(target, call) {
      return apply(function, call.arguments, CallName(name: function.name, span: span), inner)
    }
    let key = Function.Key(name: call.name.text, isMember: true, count: call.arguments.count + 1)
    let name = CallName(name: call.name.text, span: span)
    guard let function = environment.function(key) else {
      return unknownFunction(call, [target] + call.arguments, isMember: true)
    }
    return apply(function, [target] + call.arguments, name, inner)
  }

  private mutating func globalCall(
    _ call: SyntaxNode.Call, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    let count = call.arguments.count
    for name in environment.candidates(call.name.text, isRooted: call.isRooted) {
      let key = Function.Key(name: name, isMember: false, count: count)
      guard let function = environment.function(key) else { continue }
      return apply(function, call.arguments, CallName(name: name, span: span), role)
    }
    return unknownFunction(call, call.arguments, isMember: false)
  }

  /// `math.abs(x)`: a function whose name has points, not a method of `math`.
  private func namespaced(_ target: SyntaxNode, _ call: SyntaxNode.Call) -> Function? {
    guard let name = target.qualifiedName, local(name) == nil else { return nil }
    let full = name.prefix(name.parts.count) + "." + call.name.text
    for candidate in environment.candidates(full, isRooted: name.isRooted) {
      let key = Function.Key(name: candidate, isMember: false, count: call.arguments.count)
      if let function = environment.function(key) { return function }
    }
    return nil
  }

  /// Checks the arguments and calls the function with them.
  private mutating func apply(
    _ function: Function, _ syntax: [SyntaxNode], _ name: CallName, _ role: Role
  ) -> Checked {
    if function.name == "decimal", syntax.count == 1, Self.isLiteral(syntax[0]) {
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
  mutating func apply(
    _ function: Function, _ arguments: [Checked], _ name: CallName
  ) -> Checked {
    guard let result = result(of: function.signatures, arguments) else {
      let types = arguments.map { relations.resolved($0.type) }
      return failure(.noOverload(name, types, function.signatures))
    }
    return call(function, arguments, result, name)
  }

  /// Calls a function whose arguments are known to fit.
  mutating func call(
    _ function: Function, _ arguments: [Checked], _ result: ExpressionType, _ name: CallName
  ) -> Checked {
    do {
      let node = try function.call(name, arguments.map(\.node))
      let isConstant = arguments.allSatisfy { $0.node.constant != nil }
      return Checked(node: folded(node, if: isConstant), type: result)
    } catch {
      let located = name.located(error, arguments.compactMap(\.node.constant))
      note(.invalidArgument(located.message, name.span))
      return Checked(node: FailingNode(located), type: result)
    }
  }

  // MARK: - Overloads

  /// The result's type; `dyn` when several signatures fit, nil when none does.
  private mutating func result(
    of signatures: [Signature], _ arguments: [Checked]
  ) -> ExpressionType? {
    let mayFitSeveral = arguments.contains { isOpen($0.type) }
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
    of signature: Signature, fitting arguments: [Checked]
  ) -> ExpressionType? {
    let saved = relations
    let isGeneric = signature.typeParameterCount > 0
    let base = isGeneric ? relations.reserve(signature.typeParameterCount) : 0
    for (argument, parameter) in zip(arguments, signature.parameters) {
      let parameter = isGeneric ? Signature.instance(parameter, base) : parameter
      guard relations.isAssignable(argument.type, to: parameter) else {
        relations = saved
        return nil
      }
    }
    return isGeneric ? Signature.instance(signature.result, base) : signature.result
  }

  private func isOpen(_ type: ExpressionType) -> Bool {
    switch relations.root(type) {
    case .dyn, .unknown, .parameter: true
    default: false
    }
  }

  // MARK: - Unknown functions

  private mutating func unknownFunction(
    _ call: SyntaxNode.Call, _ arguments: [SyntaxNode], isMember: Bool
  ) -> Checked {
    let name = fullName(call)
    let failed = failure(unknown(name, call, isMember: isMember && name == call.name.text))
    // The arguments have problems of their own, but those of a macro are no values, and `math` of
    // `math.abs` is none either.
    if name == call.name.text, Macro.counts(of: name) == nil {
      for argument in arguments { _ = check(argument) }
    }
    return failed
  }

  /// `math.abs` where `math` is the beginning of functions' names, the name alone otherwise.
  private func fullName(_ call: SyntaxNode.Call) -> String {
    guard let target = call.target?.simpleName, scope.allSatisfy({ $0.name != target }),
      environment.variable(target, isRooted: false) == nil,
      Library.names.contains(where: { $0.hasPrefix(target + ".") })
    else { return call.name.text }
    return target + "." + call.name.text
  }

  private func unknown(
    _ name: String, _ call: SyntaxNode.Call, isMember: Bool
  ) -> ExpressionProblem {
    let start = name == call.name.text ? call.name.span : call.target?.span ?? call.name.span
    let span = start.lowerBound..<call.name.span.upperBound
    let macroCounts = Macro.counts(of: name)
    let receivers = isMember && macroCounts == nil ? 1 : 0
    let counts = macroCounts ?? Library.counts(of: name, isMember: isMember)
    guard counts.isEmpty else {
      return .argumentCount(
        name, counts.map { $0 - receivers }, call.arguments.count, span)
    }
    if !Library.counts(of: name, isMember: !isMember).isEmpty {
      return .wrongStyle(name, isMember: isMember, span)
    }
    let longer = Library.names.filter { $0.hasSuffix("." + name) }
    let near = longer.isEmpty ? Suggestion.nearest(to: name, among: Library.names) : longer
    return .undeclaredFunction(name, span, near)
  }
}
