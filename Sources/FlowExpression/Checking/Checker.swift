internal import FlowCore

/// A part that was checked: how to compute it, and its type.
struct Checked {
  let node: any Node
  let type: ExpressionType
}

/// Checks an expression's types and compiles it, in one walk over its tree.
///
/// A part with a problem gets the type `.unknown`, which fits everywhere, so that every problem
/// found is one of its own. Without checking (`isLenient`) every type is `dyn` and what would be a
/// problem fails at run time instead, as the definition asks of expressions that were not checked.
struct Checker {
  /// What a part is for when operands are collected for the message of a failed assertion.
  enum Role {
    /// The assertion itself, or an operand of a logical operator in it: look inside.
    case assertion
    /// A value that the assertion is about.
    case operand
    /// Anything else.
    case part
  }

  /// A variable of a macro.
  struct Local {
    let name: String
    let type: ExpressionType
    let index: Int
  }

  let environment: Environment
  let isLenient: Bool
  var relations = TypeRelations()
  var references: [Reference] = []
  var operands: [(span: Range<Int>, node: any Node)] = []
  var scope: [Local] = []
  /// How many variables of macros are in use at once, at most.
  var localCount = 0
  /// What is known to hold where the walk is.
  var assumptions: [Assumption] = []
  /// How much of conditions may still be looked at.
  var conditionParts = Limits.conditionParts
  /// Whether numbers with a point are decimals here: they stand next to one.
  var readsDecimals = false
  /// Parts compiled so far; the difference is the cost of a part.
  var nodeCount = 0
  private(set) var problems: [ExpressionProblem] = []
  private var foldingSteps = Limits.foldingSteps

  init(_ environment: Environment, isLenient: Bool) {
    self.environment = environment
    self.isLenient = isLenient
  }

  /// Checks a part and everything in it.
  mutating func check(_ syntax: SyntaxNode, as role: Role = .part) -> Checked {
    nodeCount += 1
    // Finding near names costs more than everything else, so the walk ends with a long list.
    guard problems.count < Limits.problems else {
      return Checked(node: ConstantNode(.null), type: .unknown)
    }
    let checked = compiled(syntax, role)
    if role == .operand, checked.node.constant == nil {
      operands.append((syntax.span, checked.node))
    }
    return isLenient ? Checked(node: checked.node, type: .dyn) : checked
  }

  private mutating func compiled(_ syntax: SyntaxNode, _ role: Role) -> Checked {
    switch syntax.kind {
    case .literal(let value): literal(value)
    case .double(let number, let text): double(number, text)
    case .name: name(syntax, role)
    case .select(let operand, let field, let isOptional):
      selection(syntax, operand, field, isOptional: isOptional, role)
    case .index(let operand, let index, let isOptional):
      self.index(syntax, operand, index, isOptional: isOptional, role)
    case .call(let call): self.call(call, syntax.span, role)
    case .unary(let sign, let operand): unary(sign, operand, syntax.span, role)
    case .binary(let sign, let left, let right): binary(sign, left, right, syntax.span, role)
    case .logic(let sign, let operands): logic(sign, operands, syntax.span, role)
    case .conditional(let condition, let first, let second):
      conditional(condition, first, second, syntax.span, role)
    case .list(let elements): list(elements, syntax.span)
    case .map(let entries): map(entries, syntax.span)
    }
  }

  // MARK: - Literals

  private func literal(_ value: Value) -> Checked {
    if readsDecimals, case .int(let number) = value {
      return Checked(node: ConstantNode(.decimal(Decimal(number))), type: .decimal)
    }
    return Checked(node: ConstantNode(value), type: Self.type(of: value))
  }

  private func double(_ number: Double, _ text: String) -> Checked {
    guard readsDecimals, let decimal = Decimal(text) else {
      return Checked(node: ConstantNode(.double(number)), type: .double)
    }
    return Checked(node: ConstantNode(.decimal(decimal)), type: .decimal)
  }

  private static func type(of literal: Value) -> ExpressionType {
    switch literal {
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .string: .string
    case .bytes: .bytes
    case .null: .null
    default: .dyn
    }
  }

  // MARK: - Problems

  /// Notes a problem; the part with it fits everywhere.
  mutating func failure(_ problem: ExpressionProblem) -> Checked {
    note(problem)
    let error = EvaluationError(.undeclared, problem.message, problem.span)
    return Checked(node: FailingNode(error), type: .unknown)
  }

  mutating func note(_ problem: ExpressionProblem) {
    if !isLenient { problems.append(problem) }
  }

  /// Forgets what a part added, because the part is checked again in another way.
  mutating func forgetting(
    _ check: (inout Checker) -> Checked
  ) -> Checked {
    let (references, operands, problems) = (references, operands, problems)
    let checked = check(&self)
    (self.references, self.operands, self.problems) = (references, operands, problems)
    return checked
  }

  // MARK: - Folding

  /// A constant in place of a part that is one; the part itself when it fails or takes long.
  mutating func folded(_ node: any Node, if isConstant: Bool) -> any Node {
    guard isConstant, foldingSteps > 0 else { return node }
    foldingSteps -= 1
    var frame = Frame(Activation(), locals: 0, steps: foldingSteps)
    // An error is the value of the part at run time, where `||` may absorb it.
    guard let value = try? node.value(&frame) else { return node }
    return ConstantNode(value)
  }
}
