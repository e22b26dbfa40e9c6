internal import FlowCore

extension Checker {
  /// Checks a whole expression; a number literal is a decimal where one is expected.
  mutating func check(_ syntax: SyntaxNode, expecting expected: ValueType?) -> Checked {
    guard let expected, Self.holdsDecimals(ExpressionType(expected)), Self.isLiteral(syntax) else {
      return check(syntax, as: .assertion)
    }
    return decimal(syntax)
  }

  /// Reads number literals as decimals where the part beside them is one, exactly as written.
  ///
  /// Whole numbers (`integers`) become decimals too where all parts must be of one type.
  mutating func harmonize(
    _ parts: inout [Checked], _ syntax: [SyntaxNode], integers: Bool = false
  ) {
    guard !readsDecimals,
      parts.contains(where: { Self.holdsDecimals(relations.resolved($0.type)) })
    else { return }
    for index in parts.indices where isBinary(parts[index].type, integers: integers) {
      guard Self.isLiteral(syntax[index]) else { continue }
      parts[index] = decimal(syntax[index])
    }
  }

  /// Checks literals as decimals.
  mutating func decimal(_ syntax: SyntaxNode) -> Checked {
    readsDecimals = true
    defer { readsDecimals = false }
    return forgetting { $0.check(syntax) }
  }

  private static func holdsDecimals(_ type: ExpressionType) -> Bool {
    switch type {
    case .decimal: true
    case .nullable(let wrapped), .list(let wrapped), .map(_, let wrapped), .optional(let wrapped):
      holdsDecimals(wrapped)
    default: false
    }
  }

  /// Whether numbers of the type would lose digits next to a decimal.
  private func isBinary(_ type: ExpressionType, integers: Bool) -> Bool {
    switch type {
    case .double: true
    case .int: integers
    case .list(let element): isBinary(relations.root(element), integers: true) || element == .dyn
    default: false
    }
  }

  /// Whether a part is made of number literals alone.
  static func isLiteral(_ syntax: SyntaxNode) -> Bool {
    switch syntax.kind {
    case .double, .literal(.int): true
    case .unary(.negate, let operand): isLiteral(operand)
    case .binary(let sign, let left, let right):
      sign.precedence > 1 && isLiteral(left) && isLiteral(right)
    case .conditional(_, let first, let second): isLiteral(first) && isLiteral(second)
    case .list(let elements): elements.allSatisfy { isLiteral($0.value) && !$0.isOptional }
    default: false
    }
  }
}
