internal import FlowCore

/// Lists, maps, and the elements of them.
extension Checker {
  /// `[first, ?second]`: a list of the most general type, or of `dyn`.
  mutating func list(_ elements: [SyntaxNode.Element], _ span: Range<Int>) -> Checked {
    var parts = elements.map { element($0) }
    harmonize(&parts, elements.map(\.value), integers: true)
    let type = relations.joined(
      zip(elements, parts).map { $0.isOptional ? unwrapped($1.type) : $1.type })
    return Checked(
      code: folded(.list(zip(elements, parts).map(Self.code)), parts), type: .list(type))
  }

  /// `{key: value, ?key2: value2}`.
  mutating func map(_ entries: [SyntaxNode.Entry], _ span: Range<Int>) -> Checked {
    var codes: [Code.Entry] = []
    var parts: [Checked] = []
    var (keys, values): ([ExpressionType], [ExpressionType]) = ([], [])
    for entry in entries {
      let key = check(entry.key)
      let value = element(entry.value)
      parts += [key, value]
      keys.append(keyType(key.type, entry.key.span))
      values.append(entry.value.isOptional ? unwrapped(value.type) : value.type)
      codes.append(
        Code.Entry(key: key.code, keySpan: entry.key.span, value: Self.code(entry.value, value)))
    }
    return Checked(
      code: folded(.map(codes), parts),
      type: .map(relations.joined(keys), relations.joined(values)))
  }

  private static func code(_ element: SyntaxNode.Element, _ checked: Checked) -> Code.Element {
    Code.Element(
      code: checked.code, isOptional: element.isOptional, span: element.value.span)
  }

  private mutating func element(_ element: SyntaxNode.Element) -> Checked {
    let checked = check(element.value)
    if element.isOptional { _ = wrappedType(of: checked, element.value.span) }
    return checked
  }

  /// The type of what is inside of an optional; notes that a part is not one.
  mutating func wrappedType(of checked: Checked, _ span: Range<Int>) -> ExpressionType {
    let wrapped = relations.fresh()
    if !relations.isAssignable(checked.type, to: .optional(wrapped)) {
      note(.notOptional(relations.resolved(checked.type), span))
    }
    return wrapped
  }

  private func unwrapped(_ type: ExpressionType) -> ExpressionType {
    if case .optional(let wrapped) = relations.root(type) { return wrapped }
    return .dyn
  }

  /// The type of a key; unknown after noting that no map has such keys.
  private mutating func keyType(_ type: ExpressionType, _ span: Range<Int>) -> ExpressionType {
    switch relations.root(type).withoutNull {
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
    let sides = [check(operand), check(index)]
    var root = relations.root(sides[0].type)
    var isWrapped = isOptional
    if case .optional(let wrapped) = root {
      root = relations.root(wrapped)
      isWrapped = true
    }
    guard let type = elementType(of: root.withoutNull, sides[1], index) else {
      return mismatch(sides, CallName(name: "[]", span: syntax.span))
    }
    let code = Code.index(sides[0].code, sides[1].code, isOptional: isOptional, syntax.span)
    let checked = Checked(code: folded(code, sides), type: isWrapped ? .optional(type) : type)
    // One that fails is not what the assertion is about.
    let isConstant = sides.allSatisfy { $0.code.constant != nil }
    if role == .assertion, !isConstant { collect(checked, syntax.span) }
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
    guard case .string(let name) = key.code.constant else { return .dyn }
    if let field = record.field(name) { return ExpressionType(field.type) }
    note(.unknownField(name, of: record, index.span))
    return .unknown
  }
}
