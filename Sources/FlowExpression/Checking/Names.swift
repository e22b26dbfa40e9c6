internal import FlowCore

/// One use of a variable in an expression.
public struct Reference: Sendable, Hashable {
  /// A condition under which a use is reached, or decides nothing.
  public struct Condition: Sendable, Hashable {
    /// The condition in the one way of writing that equal conditions share.
    public let text: String
    /// Whether the condition holds where the variable is used; false in the other arm.
    public let holds: Bool
  }

  /// The variable's name as it was declared.
  public let name: String
  /// Where its value is kept.
  public let slot: Slot
  private let stretch: Stretch
  /// Whether the variable may be unset here: the use is in `has()`, is optional (`steps.?page`), or
  /// is reached only where such a test has found a value.
  public let isGuarded: Bool
  /// The conditions known where the variable is used, from the outside in; `a && b` also lists `a`
  /// and `b`.
  public let conditions: [Condition]

  init(
    name: String, slot: Slot, span: Range<Int>, isGuarded: Bool, conditions: [Condition]
  ) {
    self.name = name
    self.slot = slot
    stretch = Stretch(span)
    self.isGuarded = isGuarded
    self.conditions = conditions
  }

  /// The place of the use, in unicode scalars from 0.
  public var span: Range<Int> { stretch.range }
}

/// What names mean where the checker is, and the uses of variables that it has found.
struct Names {
  struct Local {
    let name: String
    let type: ExpressionType
    let index: Int
  }

  private struct Assumption {
    let condition: SyntaxNode
    let holds: Bool
  }

  let environment: Environment
  private let isTyped: Bool
  private var locals: [Local] = []
  /// How many variables of macros are in use at once, at most.
  private(set) var localCount = 0
  private(set) var references: [Reference] = []
  /// What the names mean that were looked up, and which ones mean nothing: the expression means the same wherever they do.
  private(set) var found: [Environment.Binding] = []
  private(set) var absent: [String] = []
  private var assumptions: [Assumption] = []
  /// How much of conditions may still be looked at.
  private var conditionParts = Limits.conditionParts

  /// The names of an environment; variables of macros have types only where types are checked.
  init(_ environment: Environment, isTyped: Bool) {
    self.environment = environment
    self.isTyped = isTyped
  }

  // MARK: - Variables

  mutating func declare(_ name: String, _ type: ExpressionType) -> Int {
    let index = locals.count
    locals.append(Local(name: name, type: isTyped ? type : .dyn, index: index))
    localCount = max(localCount, locals.count)
    return index
  }

  mutating func removeLocals(_ count: Int) { locals.removeLast(count) }

  func local(_ name: QualifiedName) -> Local? {
    name.isRooted ? nil : locals.last { $0.name == name.parts[0].text }
  }

  /// What a name means in the environment; nil for one that is not declared.
  mutating func meaning(of name: String, isRooted: Bool) -> Environment.Binding? {
    let binding = environment.variable(name, isRooted: isRooted)
    if let binding { found.append(binding) } else { absent.append(name) }
    return binding
  }

  /// What all of `operand.field` means; nil when a shorter name is a variable.
  mutating func meaning(_ operand: SyntaxNode, _ field: SyntaxNode.Name) -> Environment.Binding? {
    name(operand, field).flatMap { meaning(of: $0.text, isRooted: $0.isRooted) }
  }

  /// The same, where that was looked up before.
  func variable(_ operand: SyntaxNode, _ field: SyntaxNode.Name) -> Environment.Binding? {
    name(operand, field).flatMap { environment.variable($0.text, isRooted: $0.isRooted) }
  }

  /// All of `operand.field`; nil where that begins with a variable of a macro, or is no name.
  private func name(
    _ operand: SyntaxNode, _ field: SyntaxNode.Name
  ) -> (text: String, isRooted: Bool)? {
    guard var name = operand.qualifiedName, local(name) == nil else { return nil }
    name.parts.append(field)
    return (name.prefix(name.parts.count), name.isRooted)
  }

  // MARK: - Uses

  /// Notes a use of a variable; a test is a use for which the variable may be unset.
  mutating func refer(to variable: Environment.Binding, _ span: Range<Int>, isTest: Bool) {
    // Without the work of finding out, nothing is known.
    conditionParts -= assumptions.reduce(0) { $0 + $1.condition.size * $1.condition.depth }
    let known = conditionParts < 0 ? [] : assumptions
    let isGuarded = isTest || known.contains { isFound(variable.name, $0.condition, $0.holds) }
    references.append(
      Reference(
        name: variable.name, slot: variable.slot, span: span, isGuarded: isGuarded,
        conditions: known.flatMap { Self.conditions($0.condition, $0.holds) }))
  }

  mutating func forgetReferences(from count: Int) {
    references.removeLast(references.count - count)
  }

  /// Takes conditions for granted, or their opposites, until that is ended.
  mutating func assume(_ conditions: some Sequence<SyntaxNode>, _ holds: Bool) {
    assumptions += conditions.map { Assumption(condition: $0, holds: holds) }
  }

  mutating func endAssumptions(_ count: Int) { assumptions.removeLast(count) }

  /// Whether a variable has a value when the condition holds, or does not.
  private func isFound(_ name: String, _ condition: SyntaxNode, _ holds: Bool) -> Bool {
    switch condition.kind {
    case .unary(.not, let operand): isFound(name, operand, !holds)
    case .logic(.and, let operands) where holds: operands.contains { isFound(name, $0, true) }
    case .logic(.or, let operands) where !holds: operands.contains { isFound(name, $0, false) }
    case .logic(_, let operands): operands.allSatisfy { isFound(name, $0, holds) }
    case .call(let call) where holds: tested(call) == name
    default: false
    }
  }

  /// The variable that `has(steps.page)` or `steps.?page.hasValue()` tests.
  private func tested(_ call: SyntaxNode.Call) -> String? {
    switch (call.name.text, call.target?.kind, call.arguments.first?.kind, call.arguments.count) {
    case ("has", nil, .select(let operand, let field, isOptional: false), 1),
      ("hasValue", .select(let operand, let field, isOptional: true), nil, 0):
      variable(operand, field)?.name
    default: nil
    }
  }

  /// What is known where a condition holds, or does not: itself, and what it joins.
  static func conditions(_ condition: SyntaxNode, _ holds: Bool) -> [Reference.Condition] {
    let whole = Reference.Condition(text: condition.normalizedText, holds: holds)
    switch condition.kind {
    case .unary(.not, let operand): return [whole] + conditions(operand, !holds)
    case .logic(.and, let operands) where holds:
      return [whole] + operands.flatMap { conditions($0, true) }
    case .logic(.or, let operands) where !holds:
      return [whole] + operands.flatMap { conditions($0, false) }
    default: return [whole]
    }
  }

  // MARK: - Unknown names

  /// The problem with a name that nothing declares, at the part of it that is wrong.
  func undeclared(_ name: QualifiedName) -> ExpressionProblem {
    for index in name.parts.indices {
      if isDeclared(name.prefix(index + 1)) { continue }
      guard environment.offersNames else {
        return .undeclared(name.prefix(index + 1), name.parts[index].span, [])
      }
      let known = declaredParts(after: index == 0 ? "" : name.prefix(index) + ".")
      let part = name.parts[index]
      let near =
        index == 0 ? near(root: part.text) : Suggestion.nearest(to: part.text, among: known)
      var problem = ExpressionProblem.undeclared(name.prefix(index + 1), part.span, near)
      problem.known = (index == 0 ? known.union(locals.map(\.name)) : known).sorted()
      return problem
    }
    // A proper prefix of declared names, as in `steps` alone.
    return .incomplete(name.prefix(name.parts.count), name.span(name.parts.count))
  }

  /// Suggestions for an undeclared name: a longer one that ends with it, as `steps.page` does
  /// with `page`, or else one like it.
  private func near(root: String) -> [String] {
    let longer = environment.names.filter { $0.hasSuffix("." + root) }
    if !longer.isEmpty { return Array(longer.sorted().prefix(4)) }
    return OtherWords.names(
      like: root, among: declaredParts(after: "").union(locals.map(\.name)))
  }

  /// True if a variable has this name, or one that goes on behind a point.
  private func isDeclared(_ beginning: String) -> Bool {
    environment.names.contains { name in
      guard name.hasPrefix(beginning) else { return false }
      let next = name.utf8.dropFirst(beginning.utf8.count).first
      return next == nil || next == UInt8(ascii: ".")
    }
  }

  /// What follows a prefix in the names of variables, up to the next point.
  private func declaredParts(after prefix: String) -> Set<String> {
    var parts: Set<String> = []
    for name in environment.names where name.hasPrefix(prefix) {
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      parts.insert(String(Substring(rest.prefix { $0 != UInt8(ascii: ".") })))
    }
    return parts
  }

  // MARK: - Unknown functions

  /// `math.abs` where `math` is the beginning of functions' names, the name alone otherwise.
  func fullName(_ call: SyntaxNode.Call) -> String {
    guard let target = call.target?.simpleName, locals.allSatisfy({ $0.name != target }),
      environment.variable(target, isRooted: false) == nil,
      Library.names.contains(where: { $0.hasPrefix(target + ".") })
    else { return call.name.text }
    return target + "." + call.name.text
  }

  /// The problem with a call of a function that does not exist, or not for so many arguments.
  func unknownFunction(
    _ name: String, _ call: SyntaxNode.Call, isMember: Bool
  ) -> ExpressionProblem {
    let start = name == call.name.text ? call.name.span : call.target?.span ?? call.name.span
    let span = start.lowerBound..<call.name.span.upperBound
    let macroCounts = Macro.counts(of: name)
    let receivers = isMember && macroCounts == nil ? 1 : 0
    let counts = macroCounts ?? Library.counts(of: name, isMember: isMember)
    guard counts.isEmpty else {
      return .argumentCount(
        of: name, counts.map { $0 - receivers }, given: call.arguments.count, span)
    }
    if !Library.counts(of: name, isMember: !isMember).isEmpty {
      return .wrongStyle(name, isMember: isMember, span)
    }
    let longer = Library.names.filter { $0.hasSuffix("." + name) }
    let near = longer.isEmpty ? OtherWords.functions(like: name, among: Library.names) : longer
    return .undeclaredFunction(name, span, near)
  }
}
