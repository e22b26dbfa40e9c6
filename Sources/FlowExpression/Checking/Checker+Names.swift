internal import FlowCore

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
    if isOptional, let variable = variable(operand, field) {
      refer(to: variable, syntax.span, isTest: true)
      return noted(
        Checked(node: OptionalVariableNode(variable), type: .optional(variable.type)), role,
        syntax.span)
    }
    let selected = select(check(operand), field, isOptional: isOptional)
    return noted(selected, role, syntax.span)
  }

  /// `has(operand.field)`.
  mutating func presence(_ operand: SyntaxNode, _ field: SyntaxNode.Name, _ span: Range<Int>)
    -> Checked
  {
    if let variable = variable(operand, field) {
      refer(to: variable, span, isTest: true)
      return Checked(node: VariableTestNode(variable), type: .bool)
    }
    let checked = check(operand)
    guard fieldType(of: checked.type, field) != nil else {
      return Checked(node: FailingNode(.undeclared(field.text, field.span)), type: .bool)
    }
    return Checked(node: FieldTestNode(checked.node, Selection(field)), type: .bool)
  }

  /// The value that an assertion is about, when it is a name by itself.
  private mutating func noted(_ checked: Checked, _ role: Role, _ span: Range<Int>) -> Checked {
    if role == .assertion, checked.node.constant == nil { operands.append((span, checked.node)) }
    return checked
  }

  // MARK: - Resolution

  /// `a.b.c`: the longest prefix that is a variable, and fields of it.
  private mutating func qualified(_ name: QualifiedName) -> Checked {
    if let local = local(name) {
      let node = LocalNode(local.index)
      return fields(name, from: 1, of: Checked(node: node, type: local.type))
    }
    for count in stride(from: name.parts.count, to: 0, by: -1) {
      let prefix = name.prefix(count)
      if let variable = environment.variable(prefix, isRooted: name.isRooted) {
        let span = name.span(count)
        refer(to: variable, span, isTest: false)
        let checked = Checked(node: VariableNode(variable, span), type: variable.type)
        return fields(name, from: count, of: checked)
      }
    }
    for count in stride(from: name.parts.count, to: 0, by: -1) {
      if let type = Library.types[name.prefix(count)] {
        let checked = Checked(node: ConstantNode(.type(type)), type: .type)
        return fields(name, from: count, of: checked)
      }
    }
    return failure(undeclared(name))
  }

  private mutating func fields(
    _ name: QualifiedName, from first: Int, of base: Checked
  ) -> Checked {
    var checked = base
    for part in name.parts.dropFirst(first) {
      nodeCount += 1
      checked = select(checked, part, isOptional: false)
    }
    return checked
  }

  /// The variable of a macro that a name begins with.
  func local(_ name: QualifiedName) -> Local? {
    name.isRooted ? nil : scope.last { $0.name == name.parts[0].text }
  }

  /// The variable that is named by all of `operand.field`; nil when a shorter name is one.
  func variable(
    _ operand: SyntaxNode, _ field: SyntaxNode.Name
  ) -> Environment.Binding? {
    guard var name = operand.qualifiedName, local(name) == nil else { return nil }
    name.parts.append(field)
    return environment.variable(name.prefix(name.parts.count), isRooted: name.isRooted)
  }

  // MARK: - Fields

  mutating func select(
    _ operand: Checked, _ field: SyntaxNode.Name, isOptional: Bool
  ) -> Checked {
    guard let type = fieldType(of: operand.type, field) else {
      return Checked(node: FailingNode(.undeclared(field.text, field.span)), type: .unknown)
    }
    let root = relations.root(operand.type)
    if isOptional { return optionalField(operand, field, type) }
    if case .optional = root { return optionalField(operand, field, type) }
    let selection = Selection(field)
    if case .record(let record) = Self.withoutNull(root), let index = record.index(of: field.text) {
      return Checked(node: FieldNode(operand.node, record, index, selection), type: type)
    }
    let node = SelectNode(operand.node, selection)
    return Checked(node: folded(node, if: operand.node.constant != nil), type: type)
  }

  private mutating func optionalField(
    _ operand: Checked, _ field: SyntaxNode.Name, _ type: ExpressionType
  ) -> Checked {
    let node = OptionalSelectNode(operand.node, Selection(field))
    let folded = folded(node, if: operand.node.constant != nil)
    return Checked(node: folded, type: .optional(Self.withoutNull(type)))
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
      note(.unknownField(field, of: record))
      return nil
    case .dyn, .unknown: return .dyn
    case .parameter:
      // What the parameter stands for must not be settled later, when this part is compiled.
      _ = relations.isAssignable(.dyn, to: type)
      return .dyn
    default:
      note(.noFields(field, relations.resolved(type)))
      return nil
    }
  }

  static func withoutNull(_ type: ExpressionType) -> ExpressionType {
    if case .nullable(let wrapped) = type { return wrapped }
    return type
  }
}
