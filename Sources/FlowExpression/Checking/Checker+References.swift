internal import FlowCore

/// A condition that is known to hold, or not to hold, where a part is evaluated.
struct Assumption {
  let condition: SyntaxNode
  let holds: Bool
}

extension Checker {
  /// Notes a use of a variable; a test is one that an unset variable does not harm.
  mutating func refer(to variable: Environment.Binding, _ span: Range<Int>, isTest: Bool) {
    // Without the work of finding out, nothing is known.
    conditionParts -= assumptions.reduce(0) { $0 + $1.condition.size * $1.condition.depth }
    let known = conditionParts < 0 ? [] : assumptions
    let isGuarded = isTest || known.contains { isFound(variable.name, $0.condition, $0.holds) }
    references.append(
      Reference(
        name: variable.name, slot: variable.slot, span: span, isGuarded: isGuarded,
        conditions: known.flatMap { Self.conditions($0.condition, $0.holds) }))
  }

  /// Checks a part under an assumption.
  mutating func check(
    _ syntax: SyntaxNode, as role: Role, assuming condition: SyntaxNode, _ holds: Bool
  ) -> Checked {
    assumptions.append(Assumption(condition: condition, holds: holds))
    defer { assumptions.removeLast() }
    return check(syntax, as: role)
  }

  /// Whether a variable has a value when the condition holds, or does not.
  private func isFound(_ name: String, _ condition: SyntaxNode, _ holds: Bool) -> Bool {
    switch condition.kind {
    case .unary(.not, let operand): isFound(name, operand, !holds)
    case .logic(.and, let operands) where holds: operands.contains { isFound(name, $0, true) }
    case .logic(.or, let operands) where !holds: operands.contains { isFound(name, $0, false) }
    case .logic(_, let operands): operands.allSatisfy { isFound(name, $0, holds) }
    case .call(let call) where holds: tested(call) == name
    default: false
    }
  }

  /// The variable that `has(steps.page)` or `steps.?page.hasValue()` tests.
  private func tested(_ call: SyntaxNode.Call) -> String? {
    switch (call.name.text, call.target, call.arguments.count) {
    case ("has", nil, 1):
      guard case .select(let operand, let field, isOptional: false) = call.arguments[0].kind
      else { return nil }
      return variable(operand, field)?.name
    case ("hasValue", let target?, 0):
      guard case .select(let operand, let field, isOptional: true) = target.kind else {
        return nil
      }
      return variable(operand, field)?.name
    default: return nil
    }
  }

  static func conditions(
    _ condition: SyntaxNode, _ holds: Bool
  ) -> [Reference.Condition] {
    let whole = Reference.Condition(text: condition.normalizedText, holds: holds)
    switch condition.kind {
    case .unary(.not, let operand): return [whole] + conditions(operand, !holds)
    case .logic(.and, let operands) where holds:
      return [whole] + operands.flatMap { conditions($0, true) }
    case .logic(.or, let operands) where !holds:
      return [whole] + operands.flatMap { conditions($0, false) }
    default: return [whole]
    }
  }

  // MARK: - Unknown names

  /// The problem with a name that nothing declares, at the part of it that is wrong.
  func undeclared(_ name: QualifiedName) -> ExpressionProblem {
    for index in name.parts.indices {
      let prefix = index == 0 ? "" : name.prefix(index) + "."
      let known = declaredParts(after: prefix)
      if known.contains(name.parts[index].text) { continue }
      let part = name.parts[index]
      let near =
        index == 0 ? near(root: part.text) : Suggestion.nearest(to: part.text, among: known)
      return .undeclared(name.prefix(index + 1), part.span, near)
    }
    // A proper prefix of declared names, as in `steps` alone.
    return .incomplete(name.prefix(name.parts.count), name.span(name.parts.count))
  }

  /// What a name without a declaration may have meant: a longer one that ends with it, as `steps.page` does
  /// with `page`, or else one like it.
  private func near(root: String) -> [String] {
    let longer = environment.names.filter { $0.hasSuffix("." + root) }
    if !longer.isEmpty { return Array(longer.sorted().prefix(4)) }
    return Suggestion.nearest(
      to: root, among: declaredParts(after: "").union(scope.map(\.name)))
  }

  /// What stands behind a prefix in the names of variables, up to the next point.
  private func declaredParts(after prefix: String) -> Set<String> {
    var parts: Set<String> = []
    for name in environment.names where name.hasPrefix(prefix) {
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      parts.insert(String(Substring(rest.prefix { $0 != UInt8(ascii: ".") })))
    }
    return parts
  }
}
