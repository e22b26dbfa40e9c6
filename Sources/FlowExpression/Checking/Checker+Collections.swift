internal import FlowCore

extension Checker {
  /// `[first, ?second]`: a list of the most general type, or of `dyn`.
  mutating func list(_ elements: [SyntaxNode.Element], _ span: Range<Int>) -> Checked {
    var parts = elements.map { element(element: $0) }
    harmonize(&parts, elements.map(\.value), integers: true)
    let nodes = zip(elements, parts).map {
      ListNode.Element(value: $1.node, isOptional: $0.isOptional, span: $0.value.span)
    }
    let type = joined(zip(elements, parts).map { $0.isOptional ? unwrapped($1.type) : $1.type })
    let isConstant = parts.allSatisfy { $0.node.constant != nil }
    return Checked(node: folded(ListNode(nodes), if: isConstant), type: .list(type))
  }

  /// `{key: value, ?key2: value2}`.
  mutating func map(_ entries: [SyntaxNode.Entry], _ span: Range<Int>) -> Checked {
    var nodes: [MapNode.Entry] = []
    var keys: [ExpressionType] = []
    var values: [ExpressionType] = []
    for entry in entries {
      let key = check(entry.key)
      let value = element(
        element: SyntaxNode.Element(value: entry.value, isOptional: entry.isOptional))
      keys.append(keyType(key.type, entry.key.span))
      values.append(entry.isOptional ? unwrapped(value.type) : value.type)
      nodes.append(
        MapNode.Entry(
          key: key.node, value: value.node, isOptional: entry.isOptional,
          keySpan: entry.key.span, valueSpan: entry.value.span))
    }
    let isConstant = nodes.allSatisfy { $0.key.constant != nil && $0.value.constant != nil }
    return Checked(
      node: folded(MapNode(nodes), if: isConstant), type: .map(joined(keys), joined(values)))
  }

  private mutating func element(element: SyntaxNode.Element) -> Checked {
    let checked = check(element.value)
    guard element.isOptional else { return checked }
    let wrapped = relations.fresh()
    if !relations.isAssignable(checked.type, to: .optional(wrapped)) {
      note(.notOptional(relations.resolved(checked.type), element.value.span))
    }
    return checked
  }

  private func unwrapped(_ type: ExpressionType) -> ExpressionType {
    if case .optional(let wrapped) = relations.root(type) { return wrapped }
    return .dyn
  }

  /// The type that all of these fit; `dyn` when there is none.
  private mutating func joined(_ types: [ExpressionType]) -> ExpressionType {
    guard var joined = types.first else { return relations.fresh() }
    for type in types.dropFirst() {
      guard relations.isAssignable(joined, to: type) else { return .dyn }
      joined = relations.general(joined, type)
    }
    return joined
  }

  /// The type of a key; unknown after noting that no map has such keys.
  private mutating func keyType(_ type: ExpressionType, _ span: Range<Int>) -> ExpressionType {
    switch Self.withoutNull(relations.root(type)) {
    case .bool, .int, .uint, .string, .enumeration, .dyn, .unknown, .parameter: return type
    default:
      note(.badKey(relations.resolved(type), span))
      // A key that held its own map's type twice over would double with every level.
      return .unknown
    }
  }

  // MARK: - Indexing

  /// `operand[index]` or `operand[?index]`.
  mutating func index(
    _ syntax: SyntaxNode, _ operand: SyntaxNode, _ index: SyntaxNode, isOptional: Bool,
    _ role: Role
  ) -> Checked {
    let container = check(operand)
    let key = check(index)
    let sides = [container, key]
    var root = relations.root(container.type)
    var isWrapped = isOptional
    if case .optional(let wrapped) = root {
      root = relations.root(wrapped)
      isWrapped = true
    }
    let name = CallName(name: "[]", span: syntax.span)
    guard let type = elementType(of: Self.withoutNull(root), key, index) else {
      return mismatch(sides, name)
    }
    let node = IndexNode(container.node, key.node, isOptional: isOptional, syntax.span)
    let isConstant = container.node.constant != nil && key.node.constant != nil
    let checked = Checked(
      node: folded(node, if: isConstant), type: isWrapped ? .optional(type) : type)
    if role == .assertion, !isConstant { operands.append((syntax.span, checked.node)) }
    return checked
  }

  private mutating func elementType(
    of container: ExpressionType, _ key: Checked, _ index: SyntaxNode
  ) -> ExpressionType? {
    switch container {
    case .list(let element): return relations.isAssignable(key.type, to: .int) ? element : nil
    case .map(let keyType, let value):
      return relations.isAssignable(key.type, to: keyType) ? value : nil
    case .record(let record): return recordElement(record, key, index)
    case .dyn, .unknown: return .dyn
    case .parameter:
      _ = relations.isAssignable(.dyn, to: container)
      return .dyn
    default: return nil
    }
  }

  /// `record['field']`, whose type is known when the name is.
  private mutating func recordElement(
    _ record: RecordType, _ key: Checked, _ index: SyntaxNode
  ) -> ExpressionType? {
    guard relations.isAssignable(key.type, to: .string) else { return nil }
    guard case .string(let name) = key.node.constant else { return .dyn }
    if let field = record.field(name) { return ExpressionType(field.type) }
    note(.unknownField(SyntaxNode.Name(text: name, span: index.span), of: record))
    return .unknown
  }
}
