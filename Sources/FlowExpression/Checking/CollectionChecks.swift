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
    Code.Element(code: checked.code, isOptional: element.isOptional, span: element.value.span)
  }

  private mutating func element(_ element: SyntaxNode.Element) -> Checked {
    let checked = check(element.value)
    if element.isOptional { _ = wrappedType(of: checked, element.value.span) }
    return checked
  }

  /// The type inside an optional.
  ///
  /// Notes a part that is not one.
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

  /// The type of a key.
  ///
  /// Notes a key that no map has, and returns unknown.
  private mutating func keyType(_ type: ExpressionType, _ span: Range<Int>) -> ExpressionType {
    switch relations.root(type).withoutNull {
    case .bool, .int, .uint, .string, .enumeration, .dyn, .unknown, .parameter: return type
    default:
      note(.badKey(relations.resolved(type), span))
      // A key that contained its own map's type twice would double with every level.
      return .unknown
    }
  }

  // MARK: - Indexing

  /// `operand[index]` or `operand[?index]`.
  mutating func index(
    _ syntax: SyntaxNode, of operand: SyntaxNode, _ index: SyntaxNode, isOptional: Bool,
    as role: Role
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
    // A failing constant is not a subject of the assertion.
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

  /// `record['field']`, whose type is known if the name is a constant.
  private mutating func recordElement(
    _ record: RecordType, _ key: Checked, _ index: SyntaxNode
  ) -> ExpressionType? {
    guard relations.isAssignable(key.type, to: .string) else { return nil }
    guard case .string(let name) = key.code.constant else { return .dyn }
    return fieldType(name, of: record, index.span, isTest: true) ?? .unknown
  }
}

/// Names, and the fields of named values.
extension Checker {
  /// A simple name: a variable or a type.
  mutating func name(_ syntax: SyntaxNode, _ role: Role) -> Checked {
    guard let name = syntax.qualifiedName else { return failure(.undeclared("", syntax.span)) }
    return noted(qualified(name), role, syntax.span)
  }

  mutating func selection(
    _ syntax: SyntaxNode, of operand: SyntaxNode, _ field: SyntaxNode.Name, isOptional: Bool,
    as role: Role
  ) -> Checked {
    if !isOptional, let name = syntax.qualifiedName {
      return noted(qualified(name), role, syntax.span)
    }
    guard isOptional, let variable = names.meaning(operand, field) else {
      let selection = Selection(field, from: operand.span.lowerBound)
      let checked = select(check(operand), field, selection, isOptional: isOptional)
      return noted(checked, role, syntax.span)
    }
    names.refer(to: variable, syntax.span, isTest: true)
    let checked = Checked(code: .optionalVariable(variable.slot), type: .optional(variable.type))
    return noted(checked, role, syntax.span)
  }

  mutating func presence(
    _ operand: SyntaxNode, _ field: SyntaxNode.Name, _ span: Range<Int>
  ) -> Checked {
    if let variable = names.meaning(operand, field) {
      names.refer(to: variable, span, isTest: true)
      return Checked(code: .isSet(variable.slot), type: .bool)
    }
    let checked = check(operand)
    guard fieldType(of: checked.type, field, isTest: true) != nil else {
      return Checked(code: .failing(.undeclared(field.text, field.span)), type: .bool)
    }
    let selection = Selection(field, from: operand.span.lowerBound)
    return Checked(code: .fieldTest(checked.code, selection), type: .bool)
  }

  private mutating func noted(_ checked: Checked, _ role: Role, _ span: Range<Int>) -> Checked {
    if role == .assertion { collect(checked, span) }
    return checked
  }

  /// `a.b.c`: the longest prefix that is a variable, and fields of it.
  private mutating func qualified(_ name: QualifiedName) -> Checked {
    if let local = names.local(name) {
      return fields(name, from: 1, of: Checked(code: .local(local.index), type: local.type))
    }
    for count in stride(from: name.parts.count, to: 0, by: -1) {
      guard
        let variable = names.meaning(of: name.prefix(count), isRooted: name.isRooted)
      else { continue }
      let span = name.span(count)
      names.refer(to: variable, span, isTest: false)
      let code: Code =
        if case .nullable = variable.type {
          .nullableVariable(variable.slot)
        } else {
          .variable(variable.name, variable.slot, span)
        }
      return fields(name, from: count, of: Checked(code: code, type: variable.type))
    }
    for count in stride(from: name.parts.count, to: 0, by: -1) {
      guard let type = Library.types[name.prefix(count)] else { continue }
      return fields(name, from: count, of: Checked(code: .constant(.type(type)), type: .type))
    }
    return failure(names.undeclared(name))
  }

  private mutating func fields(
    _ name: QualifiedName, from first: Int, of base: Checked
  ) -> Checked {
    var checked = base
    for (part, start) in zip(name.parts, name.starts).dropFirst(first) {
      count()
      checked = select(checked, part, Selection(part, from: start), isOptional: false)
    }
    return checked
  }

  // MARK: - Fields

  private mutating func select(
    _ operand: Checked, _ field: SyntaxNode.Name, _ selection: Selection, isOptional: Bool
  ) -> Checked {
    guard let type = fieldType(of: operand.type, field, isTest: isOptional) else {
      return Checked(code: .failing(.undeclared(field.text, field.span)), type: .unknown)
    }
    let root = relations.root(operand.type)
    if isOptional || root.isOptional {
      let code = folded(.optionalSelection(operand.code, selection), [operand])
      return Checked(code: code, type: .optional(type.withoutNull))
    }
    if case .record(let record) = root.withoutNull, let index = record.index(of: field.text) {
      return Checked(code: .field(of: operand.code, record, at: index, selection), type: type)
    }
    return Checked(code: folded(.selection(operand.code, selection), [operand]), type: type)
  }

  /// The type of a field.
  ///
  /// Notes an unknown field, and returns nil.
  private mutating func fieldType(
    of type: ExpressionType, _ field: SyntaxNode.Name, isTest: Bool
  ) -> ExpressionType? {
    switch relations.root(type) {
    case .map(_, let value): return value
    case .optional(let wrapped), .nullable(let wrapped):
      return fieldType(of: wrapped, field, isTest: isTest)
    case .record(let record):
      return fieldType(field.text, of: record, field.span, isTest: isTest)
    case .dyn, .unknown: return .dyn
    case .parameter:
      // The parameter's type must not be settled later, after this part is compiled.
      _ = relations.isAssignable(.dyn, to: type)
      return .dyn
    default:
      note(.noFields(field.text, relations.resolved(type), field.span))
      return nil
    }
  }
}

extension Checker {
  /// The type of what a record has under a name.
  ///
  /// Notes a name that no value has, and returns nil. A name that the description of the values does
  /// not declare is a mistake, too, unless the expression asks whether it is there, or has it in
  /// brackets.
  fileprivate mutating func fieldType(
    _ name: String, of record: RecordType, _ span: Range<Int>, isTest: Bool
  ) -> ExpressionType? {
    if let field = record.field(name) { return ExpressionType(field.type) }
    switch record.others {
    case .declared(let type): return ExpressionType(type)
    case .unsaid where isTest: return .dyn
    case .unsaid, .none:
      note(.unknownField(name, of: record, span))
      return nil
    }
  }
}

extension Selection {
  /// The selection of a field whose operand starts at a place.
  fileprivate init(_ field: SyntaxNode.Name, from start: Int) {
    let place = PartPlace(span: field.span, path: start..<field.span.upperBound)
    self.init(field.text, place)
  }
}
