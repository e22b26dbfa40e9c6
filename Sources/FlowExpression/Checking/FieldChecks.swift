internal import FlowCore

/// Names, and the fields of what they name.
extension Checker {
  /// A simple name: a variable or a type.
  mutating func name(_ syntax: SyntaxNode, _ role: Role) -> Checked {
    guard let name = syntax.qualifiedName else { return failure(.undeclared("", syntax.span)) }
    return noted(qualified(name), role, syntax.span)
  }

  /// `operand.field` or `operand.?field`.
  mutating func selection(
    _ syntax: SyntaxNode, _ operand: SyntaxNode, _ field: SyntaxNode.Name, isOptional: Bool,
    _ role: Role
  ) -> Checked {
    if !isOptional, let name = syntax.qualifiedName {
      return noted(qualified(name), role, syntax.span)
    }
    guard isOptional, let variable = names.variable(operand, field) else {
      return noted(select(check(operand), field, isOptional: isOptional), role, syntax.span)
    }
    names.refer(to: variable, syntax.span, isTest: true)
    let checked = Checked(code: .optionalVariable(variable.slot), type: .optional(variable.type))
    return noted(checked, role, syntax.span)
  }

  /// `has(operand.field)`.
  mutating func presence(
    _ operand: SyntaxNode, _ field: SyntaxNode.Name, _ span: Range<Int>
  ) -> Checked {
    if let variable = names.variable(operand, field) {
      names.refer(to: variable, span, isTest: true)
      return Checked(code: .isSet(variable.slot), type: .bool)
    }
    let checked = check(operand)
    guard fieldType(of: checked.type, field) != nil else {
      return Checked(code: .failing(.undeclared(field.text, field.span)), type: .bool)
    }
    return Checked(
      code: .fieldTest(checked.code, Selection(field.text, field.span)), type: .bool)
  }

  /// The value that an assertion is about, when it is a name by itself.
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
        let variable = names.environment.variable(name.prefix(count), isRooted: name.isRooted)
      else { continue }
      let span = name.span(count)
      names.refer(to: variable, span, isTest: false)
      let code = Code.variable(variable.name, variable.slot, span)
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
    for part in name.parts.dropFirst(first) {
      count()
      checked = select(checked, part, isOptional: false)
    }
    return checked
  }

  // MARK: - Fields

  private mutating func select(
    _ operand: Checked, _ field: SyntaxNode.Name, isOptional: Bool
  ) -> Checked {
    guard let type = fieldType(of: operand.type, field) else {
      return Checked(code: .failing(.undeclared(field.text, field.span)), type: .unknown)
    }
    let selection = Selection(field.text, field.span)
    let root = relations.root(operand.type)
    if isOptional || root.isOptional {
      let code = folded(.optionalSelection(operand.code, selection), [operand])
      return Checked(code: code, type: .optional(type.withoutNull))
    }
    if case .record(let record) = root.withoutNull, let index = record.index(of: field.text) {
      return Checked(code: .field(operand.code, record, index, selection), type: type)
    }
    return Checked(code: folded(.selection(operand.code, selection), [operand]), type: type)
  }

  /// The type of a field; nil after noting that there is no such field.
  private mutating func fieldType(
    of type: ExpressionType, _ field: SyntaxNode.Name
  ) -> ExpressionType? {
    switch relations.root(type) {
    case .map(_, let value): return value
    case .optional(let wrapped), .nullable(let wrapped): return fieldType(of: wrapped, field)
    case .record(let record):
      if let found = record.field(field.text) { return ExpressionType(found.type) }
      note(.unknownField(field.text, of: record, field.span))
      return nil
    case .dyn, .unknown: return .dyn
    case .parameter:
      // What the parameter stands for must not be settled later, when this part is compiled.
      _ = relations.isAssignable(.dyn, to: type)
      return .dyn
    default:
      note(.noFields(field.text, relations.resolved(type), field.span))
      return nil
    }
  }
}
