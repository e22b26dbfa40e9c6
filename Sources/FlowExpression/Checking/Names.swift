internal import FlowCore

/// One use of a variable in an expression.
public struct Reference: Sendable, Hashable {
  /// A condition under which a use is reached, or has no effect.
  public struct Condition: Sendable, Hashable {
    /// The condition in a normal form, the same for equal conditions.
    public let text: String
    /// True if the condition holds where the variable is used, false in the other arm.
    public let holds: Bool
  }

  /// The variable's name as it was declared.
  public let name: String
  /// The place of its value.
  public let slot: Slot
  private let stretch: Stretch
  /// True if the variable may be unset here.
  ///
  /// The use is in `has()`, is optional (`steps.?page`), or is reached only after such a test has
  /// found a value.
  public let isGuarded: Bool
  /// The conditions known at the use, from the outside in.
  ///
  /// `a && b` also lists `a` and `b`.
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

/// The meanings of names at the checker's position, and the uses of variables found so far.
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
  /// The most macro variables in use at once.
  private(set) var localCount = 0
  private(set) var references: [Reference] = []
  /// The meanings of the names looked up, and the names without one.
  ///
  /// The expression means the same wherever they do.
  private(set) var found: [Environment.Binding] = []
  private(set) var absent: [String] = []
  private var assumptions: [Assumption] = []
  /// The number of parts of conditions that may still be visited.
  private var conditionParts = Limits.conditionParts

  /// The names of an environment.
  ///
  /// Macro variables have types only if types are checked.
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

  /// The meaning of a name in the environment, or nil for an undeclared one.
  mutating func meaning(of name: String, isRooted: Bool) -> Environment.Binding? {
    let binding = environment.variable(name, isRooted: isRooted)
    if let binding { found.append(binding) } else { absent.append(name) }
    return binding
  }

  /// The meaning of the whole of `operand.field`, or nil if a shorter name is a variable.
  mutating func meaning(_ operand: SyntaxNode, _ field: SyntaxNode.Name) -> Environment.Binding? {
    name(operand, field).flatMap { meaning(of: $0.text, isRooted: $0.isRooted) }
  }

  /// Returns the variable for a name looked up before.
  func variable(_ operand: SyntaxNode, _ field: SyntaxNode.Name) -> Environment.Binding? {
    name(operand, field).flatMap { environment.variable($0.text, isRooted: $0.isRooted) }
  }

  /// The whole of `operand.field` as a name, or nil if it is none or starts with a macro variable.
  private func name(
    _ operand: SyntaxNode, _ field: SyntaxNode.Name
  ) -> (text: String, isRooted: Bool)? {
    guard var name = operand.qualifiedName, local(name) == nil else { return nil }
    name.parts.append(field)
    return (name.prefix(name.parts.count), name.isRooted)
  }

  // MARK: - Uses

  /// Notes a use of a variable.
  ///
  /// A test is a use of a variable that may be unset.
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

  /// Assumes that conditions hold, or do not, until the assumption is ended.
  mutating func assume(_ conditions: some Sequence<SyntaxNode>, _ holds: Bool) {
    assumptions += conditions.map { Assumption(condition: $0, holds: holds) }
  }

  mutating func endAssumptions(_ count: Int) { assumptions.removeLast(count) }

  /// True if a variable has a value whenever the condition holds, or does not.
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

  /// The variable tested by `has(steps.page)` or `steps.?page.hasValue()`.
  private func tested(_ call: SyntaxNode.Call) -> String? {
    switch (call.name.text, call.target?.kind, call.arguments.first?.kind, call.arguments.count) {
    case ("has", nil, .select(let operand, let field, isOptional: false), 1),
      ("hasValue", .select(let operand, let field, isOptional: true), nil, 0):
      variable(operand, field)?.name
    default: nil
    }
  }

  /// The conditions known if a condition holds, or does not: itself, and the parts joined in it.
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

  /// The problem of an undeclared name, at its wrong part.
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

  /// Returns true if a variable has this name, or this name and more after a point.
  private func isDeclared(_ beginning: String) -> Bool {
    environment.names.contains { name in
      guard name.hasPrefix(beginning) else { return false }
      let next = name.utf8.dropFirst(beginning.utf8.count).first
      return next == nil || next == UInt8(ascii: ".")
    }
  }

  /// The parts of variable names after a prefix, up to the next point.
  private func declaredParts(after prefix: String) -> Set<String> {
    var parts: Set<String> = []
    for name in environment.names where name.hasPrefix(prefix) {
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      parts.insert(String(Substring(rest.prefix { $0 != UInt8(ascii: ".") })))
    }
    return parts
  }

  // MARK: - Unknown functions

  /// `math.abs` if `math` is a prefix of function names, otherwise the name alone.
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
