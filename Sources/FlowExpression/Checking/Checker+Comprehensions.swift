internal import FlowCore

extension Checker {
  /// What a comprehension was given: its variables and the parts evaluated with them.
  private struct Parts {
    let loop: Loop
    let predicate: Checked?
    let result: Checked?
    let keyType: ExpressionType
    let elementType: ExpressionType
  }

  /// `range.all(x, ...)` and its like, with one variable or two.
  mutating func comprehension(
    _ macro: Macro, _ call: SyntaxNode.Call, _ target: SyntaxNode, _ role: Role,
    _ span: Range<Int>
  ) -> Checked {
    let range = check(target, as: role)
    let variableCount = Self.variableCount(macro, call.arguments.count)
    var names: [String] = []
    for argument in call.arguments.prefix(variableCount) {
      guard let name = argument.simpleName, !names.contains(name) else {
        return failure(.badVariable(call.name.text, argument.span))
      }
      names.append(name)
    }
    let rest = Array(call.arguments.dropFirst(variableCount))
    return build(macro, parts(macro, range, names, rest, target.span, span), span)
  }

  private static func variableCount(_ macro: Macro, _ argumentCount: Int) -> Int {
    switch macro {
    case .transformList, .transformMap, .transformMapEntry: 2
    case .all, .exists, .existsOne, .exists_one: argumentCount - 1
    default: 1
    }
  }

  private mutating func parts(
    _ macro: Macro, _ range: Checked, _ names: [String], _ rest: [SyntaxNode],
    _ rangeSpan: Range<Int>, _ span: Range<Int>
  ) -> Parts {
    let types = elementTypes(of: range.type, rangeSpan)
    let first = names.count == 2 || types.isMap ? types.key : types.value
    let index = declare(names[0], first)
    if names.count == 2 { _ = declare(names[1], types.value) }
    let before = nodeCount
    var predicate: Checked?
    var result: Checked?
    switch macro {
    case .all, .exists, .existsOne, .exists_one, .filter:
      predicate = condition(rest[0], macro.rawValue)
    case .sortBy: result = check(rest[0])
    default:
      if rest.count == 2 { predicate = condition(rest[0], macro.rawValue) }
      result = check(rest[rest.count - 1])
    }
    scope.removeLast(names.count)
    let loop = Loop(
      range: range.node, firstLocal: index, hasSecond: names.count == 2,
      cost: 1 + nodeCount - before, span: rangeSpan)
    return Parts(
      loop: loop, predicate: predicate, result: result, keyType: types.key, elementType: first)
  }

  private mutating func build(_ macro: Macro, _ parts: Parts, _ span: Range<Int>) -> Checked {
    let (loop, predicate) = (parts.loop, parts.predicate?.node)
    let result = parts.result ?? Checked(node: ConstantNode(.null), type: .dyn)
    switch macro {
    case .all, .exists:
      let node = QuantifierNode(loop, predicate ?? result.node, deciding: macro == .exists, span)
      return Checked(node: node, type: .bool)
    case .existsOne, .exists_one:
      return Checked(node: ExistsOneNode(loop, predicate ?? result.node, span), type: .bool)
    case .filter:
      return Checked(
        node: FilterNode(loop, predicate ?? result.node, span), type: .list(parts.elementType))
    case .transformMap:
      let node = TransformMapNode(loop, predicate, result.node, span)
      return Checked(node: node, type: .map(parts.keyType, result.type))
    case .transformMapEntry:
      let node = TransformEntryNode(loop, predicate, result.node, span)
      return Checked(node: node, type: entryType(result.type, span))
    case .sortBy:
      return Checked(
        node: SortNode(loop, result.node, span), type: .list(parts.elementType))
    default:
      return Checked(
        node: TransformNode(loop, predicate, result.node, span), type: .list(result.type))
    }
  }

  /// The types of the variables of a range: index or key, and value.
  private mutating func elementTypes(
    of range: ExpressionType, _ span: Range<Int>
  ) -> (key: ExpressionType, value: ExpressionType, isMap: Bool) {
    switch Self.withoutNull(relations.root(range)) {
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
