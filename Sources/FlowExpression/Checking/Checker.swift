internal import FlowCore

/// A checked part: its code and its type.
struct Checked {
  let code: Code
  let type: ExpressionType
}

/// A checker of an expression's types, which also compiles it, in one walk over its tree.
///
/// A part with a problem gets the type `.unknown`, which fits everywhere, so every reported problem
/// is independent. Without checking (`isLenient`) every type is `dyn`, and a problem fails at run
/// time instead, as the definition asks of unchecked expressions.
struct Checker {
  /// The role of a part in the message of a failed assertion, which lists operands.
  enum Role {
    case assertion
    /// A value that the assertion compares or passes to a call.
    case operand
    /// Anything else.
    case part

    /// The role of the operands of `&&`, `||`, `!` and `?:`.
    var ofConditions: Role { self == .assertion ? .assertion : .part }
    /// The role of the operands of a comparison or the arguments of a call.
    var ofValues: Role { self == .assertion ? .operand : .part }
  }

  var names: Names
  var relations = TypeRelations()
  /// The number of parts compiled so far.
  ///
  /// The difference of two such numbers is the cost of a part.
  private(set) var partCount = 0
  private(set) var operands: [(span: Range<Int>, code: Code)] = []
  private(set) var problems: [ExpressionProblem] = []
  private let isLenient: Bool
  private var foldingSteps = Limits.foldingSteps
  /// True if numbers with a point are decimals here, because one is next to them.
  private var readsDecimals = false

  init(_ environment: Environment, isLenient: Bool) {
    names = Names(environment, isTyped: !isLenient)
    self.isLenient = isLenient
  }

  /// Checks a whole expression.
  ///
  /// A number literal is a decimal if one is expected.
  mutating func check(_ syntax: SyntaxNode, expecting expected: ValueType?) -> Checked {
    guard let expected, ExpressionType(expected).holdsDecimals, syntax.isNumberLiteral else {
      return check(syntax, as: .assertion)
    }
    return decimal(syntax)
  }

  mutating func check(_ syntax: SyntaxNode, as role: Role = .part) -> Checked {
    count()
    // Finding near names costs more than everything else, so the walk ends with a long list.
    guard problems.count < Limits.problems else {
      return Checked(code: .constant(.null), type: .unknown)
    }
    let checked = compiled(syntax, role)
    if role == .operand { collect(checked, syntax.span, isComputed: syntax.isOperation) }
    return isLenient ? Checked(code: checked.code, type: .dyn) : checked
  }

  mutating func check(
    _ syntax: SyntaxNode, as role: Role, assuming condition: SyntaxNode, _ holds: Bool
  ) -> Checked {
    names.assume([condition], holds)
    defer { names.endAssumptions(1) }
    return check(syntax, as: role)
  }

  private mutating func compiled(_ syntax: SyntaxNode, _ role: Role) -> Checked {
    switch syntax.kind {
    case .literal(let value): literal(value)
    case .double(let number, let text): double(number, text)
    case .name: name(syntax, role)
    case .select(let operand, let field, let isOptional):
      selection(syntax, of: operand, field, isOptional: isOptional, as: role)
    case .index(let operand, let index, let isOptional):
      self.index(syntax, of: operand, index, isOptional: isOptional, as: role)
    case .call(let call): self.call(call, syntax.span, role)
    case .unary(let sign, let operand): unary(sign, operand, at: syntax.span, as: role)
    case .binary(let sign, let left, let right):
      binary(sign, left, right, at: syntax.span, as: role)
    case .logic(let sign, let operands): logic(sign, operands, at: syntax.span, as: role)
    case .conditional(let condition, let first, let second):
      conditional(condition, then: first, else: second, at: syntax.span, as: role)
    case .list(let elements): list(elements, syntax.span)
    case .map(let entries): map(entries, syntax.span)
    }
  }

  /// Counts the present part, or a part without a node in the tree.
  mutating func count() { partCount += 1 }

  /// Keeps a value that an assertion is about, unless it is always the same and stands there as it is.
  mutating func collect(_ checked: Checked, _ span: Range<Int>, isComputed: Bool = false) {
    if isComputed || checked.code.constant == nil { operands.append((span, checked.code)) }
  }

  // MARK: - Literals

  private func literal(_ value: Value) -> Checked {
    if readsDecimals, case .int(let number) = value {
      return Checked(code: .constant(.decimal(Decimal(number))), type: .decimal)
    }
    return Checked(code: .constant(value), type: Self.type(of: value))
  }

  private func double(_ number: Double, _ text: String) -> Checked {
    guard readsDecimals else { return Checked(code: .constant(.double(number)), type: .double) }
    guard let decimal = Decimal(text) else {
      // Compared by its digits, and computed with as the double that it is.
      let value = WrittenNumber(text).map(Value.number) ?? .double(number)
      return Checked(code: .constant(value), type: .double)
    }
    return Checked(code: .constant(.decimal(decimal)), type: .decimal)
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

  // MARK: - Decimals

  /// Reads number literals as decimals, exactly as written, if the part next to them is one.
  ///
  /// Whole numbers (`integers`) become decimals too if all parts must have one type.
  mutating func harmonize(
    _ parts: inout [Checked], _ syntax: [SyntaxNode], integers: Bool = false
  ) {
    guard !readsDecimals, parts.contains(where: { relations.resolved($0.type).holdsDecimals })
    else { return }
    for index in parts.indices where isBinary(parts[index].type, integers: integers) {
      guard syntax[index].isNumberLiteral else { continue }
      parts[index] = decimal(syntax[index])
    }
  }

  /// The exactly read literal of a comparison with a value of any type.
  mutating func exactLiteral(_ sides: [Checked], _ syntax: [SyntaxNode]) -> ExactLiteral? {
    guard !readsDecimals,
      let index = sides.indices.first(where: { index in
        (syntax[index].isNumberLiteral && isBinary(sides[index].type, integers: false)
          || syntax[index].isLiteralWithDouble)
          && relations.resolved(sides[1 - index].type).holdsAnything
      }),
      let value = decimal(syntax[index]).code.constant
    else { return nil }
    return ExactLiteral(isLeft: index == 0, value: value)
  }

  /// Checks literals again, as decimals, and drops the results of the first check.
  mutating func decimal(_ syntax: SyntaxNode) -> Checked {
    let (uses, operandCount, problemCount) = (
      names.references.count, operands.count, problems.count
    )
    let checked = check(syntax, readingDecimals: true)
    names.forgetReferences(from: uses)
    operands.removeLast(operands.count - operandCount)
    problems.removeLast(problems.count - problemCount)
    return checked
  }

  /// Checks a part with its numbers as decimals, or as written.
  mutating func check(
    _ syntax: SyntaxNode, as role: Role = .part, readingDecimals: Bool
  ) -> Checked {
    let outer = readsDecimals
    readsDecimals = readingDecimals
    defer { readsDecimals = outer }
    return check(syntax, as: role)
  }

  /// True if numbers of the type would lose digits next to a decimal.
  private func isBinary(_ type: ExpressionType, integers: Bool) -> Bool {
    switch type {
    case .double: true
    case .int: integers
    case .list(let element): isBinary(relations.root(element), integers: true) || element == .dyn
    default: false
    }
  }

  // MARK: - Problems

  var sortedProblems: [ExpressionProblem] {
    problems.enumerated()
      .sorted { ($0.element.span.lowerBound, $0.offset) < ($1.element.span.lowerBound, $1.offset) }
      .map(\.element)
  }

  /// Notes a problem.
  ///
  /// The part with it fits everywhere.
  mutating func failure(_ problem: ExpressionProblem) -> Checked {
    note(problem)
    let error = EvaluationError(.undeclared, problem.message, problem.span)
    return Checked(code: .failing(error), type: .unknown)
  }

  mutating func note(_ problem: ExpressionProblem) {
    if !isLenient { problems.append(problem) }
  }

  // MARK: - Folding

  /// A constant in place of code with constant parts, or the code itself if it fails or takes long.
  mutating func folded(_ code: Code, _ parts: [Checked]) -> Code {
    guard foldingSteps > 0, parts.allSatisfy({ $0.code.constant != nil }) else { return code }
    foldingSteps -= 1
    var frame = Frame(Activation(), locals: 0, steps: foldingSteps)
    // An error is the value of the part at run time, where `||` may absorb it.
    return (try? code.value(&frame)).map(Code.constant) ?? code
  }

  /// The whole expression, computed in advance when it reads no variable and takes few steps.
  func constantRoot(_ code: Code) -> Code {
    guard names.references.isEmpty, code.constant == nil else { return code }
    var frame = Frame(Activation(), locals: names.localCount, steps: Limits.foldingSteps)
    // An error is the value of the expression at run time.
    return (try? frame.result(of: code)).map(Code.constant) ?? code
  }
}
