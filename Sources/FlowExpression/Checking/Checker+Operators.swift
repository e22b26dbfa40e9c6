internal import FlowCore

extension Checker {
  /// `!operand` or `-operand`.
  mutating func unary(
    _ sign: UnaryOperator, _ operand: SyntaxNode, _ span: Range<Int>, _ role: Role
  ) -> Checked {
    let function = sign == .not ? OperatorFunctions.not : OperatorFunctions.negate
    let inner = role == .assertion ? (sign == .not ? Role.assertion : .operand) : .part
    return apply(function, [check(operand, as: inner)], CallName(name: sign.rawValue, span: span))
  }

  /// An operator between two operands.
  mutating func binary(
    _ sign: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode, _ span: Range<Int>,
    _ role: Role
  ) -> Checked {
    let inner = role == .assertion ? Role.operand : .part
    var sides = [check(left, as: inner), check(right, as: inner)]
    harmonize(&sides, [left, right])
    let name = CallName(name: sign.rawValue, span: span)
    switch sign {
    case .equal, .unequal:
      checkNames(sides[0], right, of: name)
      checkNames(sides[1], left, of: name)
      guard areComparable(sides[0].type, sides[1].type) else { return mismatch(sides, name) }
      return call(
        sign == .equal ? OperatorFunctions.equal : OperatorFunctions.unequal, sides, .bool, name)
    case .isIn: return membership(sides, right, name)
    default:
      // Null fits where a timestamp does, but it has no order and no sum.
      guard let function = OperatorFunctions.arithmetic[sign],
        !sides.contains(where: { relations.root($0.type) == .null })
      else { return mismatch(sides, name) }
      return apply(function, sides, name)
    }
  }

  /// `element in collection`.
  private mutating func membership(
    _ sides: [Checked], _ right: SyntaxNode, _ name: CallName
  ) -> Checked {
    let element: ExpressionType
    switch Self.withoutNull(relations.root(sides[1].type)) {
    case .list(let type): element = type
    case .map(let key, _): element = key
    case .record: element = .string
    case .dyn, .unknown, .parameter: element = .dyn
    default: return mismatch(sides, name)
    }
    if case .list(let elements) = right.kind {
      for element in elements { checkNames(sides[0], element.value, of: name) }
    }
    guard areComparable(sides[0].type, element) else { return mismatch(sides, name) }
    return call(OperatorFunctions.isIn, sides, .bool, name)
  }

  /// `&&` or `||`: each operand is evaluated only to effect when the others do not decide.
  mutating func logic(
    _ sign: LogicOperator, _ operands: [SyntaxNode], _ span: Range<Int>, _ role: Role
  ) -> Checked {
    let inner = role == .assertion ? Role.assertion : .part
    var nodes: [any Node] = []
    // What the others say is kept for a row of ordinary length: the work is quadratic.
    let isAssuming = operands.count <= 32
    for (index, operand) in operands.enumerated() {
      let count = assumptions.count
      if isAssuming {
        for (other, condition) in operands.enumerated() where other != index {
          assumptions.append(Assumption(condition: condition, holds: sign == .and))
        }
      }
      nodes.append(condition(operand, sign.rawValue, inner).node)
      assumptions.removeLast(assumptions.count - count)
    }
    let node = LogicNode(sign, nodes, span)
    let isConstant = nodes.allSatisfy { $0.constant != nil }
    return Checked(node: folded(node, if: isConstant), type: .bool)
  }

  /// Checks a part that must be true or false.
  mutating func condition(_ syntax: SyntaxNode, _ name: String, _ role: Role = .part) -> Checked {
    let checked = check(syntax, as: role)
    if !relations.isAssignable(checked.type, to: .bool) {
      note(.notBool(name, relations.resolved(checked.type), syntax.span))
    }
    return checked
  }

  /// `condition ? first : second`.
  mutating func conditional(
    _ condition: SyntaxNode, _ first: SyntaxNode, _ second: SyntaxNode, _ span: Range<Int>,
    _ role: Role
  ) -> Checked {
    let inner = role == .assertion ? Role.assertion : .part
    let readsDecimals = readsDecimals
    self.readsDecimals = false
    let test = self.condition(condition, "?:", inner)
    self.readsDecimals = readsDecimals
    var arms = [
      check(first, as: inner, assuming: condition, true),
      check(second, as: inner, assuming: condition, false),
    ]
    harmonize(&arms, [first, second], integers: true)
    let node = ConditionalNode(test.node, arms[0].node, arms[1].node, span)
    guard relations.isAssignable(arms[1].type, to: arms[0].type) else {
      note(.differentArms(arms.map { relations.resolved($0.type) }, span))
      return Checked(node: node, type: .unknown)
    }
    let isConstant = ([test] + arms).allSatisfy { $0.node.constant != nil }
    let type = relations.general(arms[0].type, arms[1].type)
    return Checked(node: folded(node, if: isConstant), type: type)
  }

  // MARK: - Comparison

  /// Whether two types may be equal: one fits the other, or both are numbers and one is a decimal.
  private mutating func areComparable(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    if relations.isAssignable(left, to: right) { return true }
    let (a, b) = (relations.resolved(left), relations.resolved(right))
    return Self.mixesDecimal(a, b)
  }

  private static func mixesDecimal(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
    switch (withoutNull(left), withoutNull(right)) {
    case (.decimal, .int), (.decimal, .uint), (.decimal, .double), (.int, .decimal),
      (.uint, .decimal), (.double, .decimal):
      true
    case (.list(let a), .list(let b)): mixesDecimal(a, b)
    default: false
    }
  }

  /// A text that is one of a few is never equal to a literal that is none of them.
  private mutating func checkNames(_ checked: Checked, _ other: SyntaxNode, of name: CallName) {
    guard case .enumeration(let names) = Self.withoutNull(relations.root(checked.type)),
      case .literal(.string(let text)) = other.kind, !names.contains(text)
    else { return }
    note(.unknownName(text, names, other.span))
  }

  mutating func mismatch(_ arguments: [Checked], _ name: CallName) -> Checked {
    let types = arguments.map { relations.resolved($0.type) }
    return failure(.noOverload(name, types, []))
  }
}
