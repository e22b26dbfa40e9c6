package import FlowCore
internal import FlowSystem

/// One validation of a value by a schema.
package struct Validator {
  let code: SchemaCode
  /// True to stop at the first violation, and to collect none.
  private(set) var isQuick: Bool
  var violations: [Violation] = []
  /// Violations beyond the limit.
  var omitted = 0
  /// The path to the value, empty in the quick mode.
  var path: [FieldPath.Step] = []
  /// The number of branches around the current check.
  private var branching = 0
  /// The violations of all branches.
  private var branchTotal = 0
  private var steps = 0
  private var nesting = 0
  /// The number of parts from the root to the value.
  var depth = 0
  /// For each node that is being checked, the depth of its value plus one.
  private var active: [Int]
  /// The resources on the way to the current node, for `$dynamicRef`.
  private var scope: [Int] = []

  package init(_ code: SchemaCode, isQuick: Bool) {
    self.code = code
    self.isQuick = isQuick
    active = [Int](repeating: 0, count: code.nodes.count)
  }

  /// Checks a whole value.
  package mutating func run(_ value: Value) throws(SchemaError) -> Bool {
    guard let plain = PlainValue.of(value) else {
      throw SchemaError(
        .limit(.depth(PlainValue.greatestDepth)), at: code.nodes[code.root].location)
    }
    var evaluated = Evaluated(isWanted: false)
    return try check(code.root, plain, &evaluated)
  }

  /// Counts steps.
  mutating func take(_ count: Int, _ node: Int) throws(SchemaError) {
    steps += count
    guard steps <= code.limits.steps else {
      throw SchemaError(.limit(.steps(code.limits.steps)), at: code.nodes[node].location)
    }
  }

  /// Checks a value by a node, and adds what it evaluated if the value is valid.
  mutating func check(
    _ number: Int, _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    try take(1, number)
    let node = code.nodes[number]
    if node.isNever { return fail(number, "false", value, .never) }
    if node.keywords.isEmpty { return true }
    let before = try enter(number)
    let isNewResource = scope.last != node.resource
    if isNewResource { scope.append(node.resource) }
    var isValid = true
    if node.needsEvaluated || evaluated.isWanted {
      var own = Evaluated(isWanted: true)
      isValid = try check(node, number, value, &own)
      // What a violating part has named is no violation of `unevaluatedProperties` as well.
      if isValid || !isQuick { evaluated.formUnion(own) }
    } else {
      isValid = try check(node, number, value, &evaluated)
    }
    if isNewResource { scope.removeLast() }
    active[number] = before
    nesting -= 1
    return isValid
  }

  private mutating func check(
    _ node: SchemaNode, _ number: Int, _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    var isValid = true
    for keyword in node.keywords where !(try check(keyword, number, value, &evaluated)) {
      if isQuick { return false }
      isValid = false
    }
    return isValid
  }

  /// Begins the check of a node, and returns the state to restore at its end.
  private mutating func enter(_ number: Int) throws(SchemaError) -> Int {
    let before = active[number]
    // The same node for the same value again would go on for ever.
    if before == depth + 1 { throw SchemaError(.endless, at: code.nodes[number].location) }
    active[number] = depth + 1
    nesting += 1
    guard nesting <= code.limits.nesting else {
      throw SchemaError(.limit(.nesting(code.limits.nesting)), at: code.nodes[number].location)
    }
    return before
  }

  /// Checks a part of a value by a node.
  mutating func check(
    _ number: Int, _ value: Value, at step: @autoclosure () -> FieldPath.Step
  ) throws(SchemaError) -> Bool {
    if !isQuick { path.append(step()) }
    depth += 1
    var evaluated = Evaluated(isWanted: false)
    let isValid = try check(number, value, &evaluated)
    depth -= 1
    if !isQuick { path.removeLast() }
    return isValid
  }

  /// The node that a `$dynamicRef` stands for: of the outermost resource that has the name.
  func dynamicTarget(_ name: String, _ initial: Int) -> Int {
    for resource in scope {
      if let node = code.dynamicAnchors[resource][name] { return node }
    }
    return initial
  }

  // MARK: - Violations

  /// Notes a violation, and returns false.
  mutating func fail(
    _ node: Int, _ keyword: String, _ value: Value, _ reason: @autoclosure () -> Violation.Reason,
    branches: [[Violation]] = []
  ) -> Bool {
    if isQuick { return false }
    let isFull = branching > 0 && branchTotal >= code.limits.violations * 10
    guard violations.count < code.limits.violations, !isFull else {
      omitted += 1
      return false
    }
    if branching > 0 { branchTotal += 1 }
    let location = code.nodes[node].location
    violations.append(
      Violation(
        instance: pointer,
        // The schema `false` has no keyword.
        location: keyword == "false"
          ? location : location + JSONPointer.root.appending(keyword).description,
        keyword: keyword, value: value, reason: reason(), branches: branches))
    return false
  }

  private var pointer: JSONPointer {
    path.reduce(.root) { pointer, step in
      switch step {
      case .field(let name): pointer.appending(name)
      case .index(let index): pointer.appending(index)
      }
    }
  }

  /// Checks a value by a branch, and returns its violations apart from the others.
  mutating func branch(
    _ number: Int, _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> (isValid: Bool, violations: [Violation]) {
    if isQuick { return (try check(number, value, &evaluated), []) }
    let (others, omitted) = (violations, omitted)
    violations = []
    branching += 1
    var own = Evaluated(isWanted: evaluated.isWanted)
    let isValid = try check(number, value, &own)
    if isValid { evaluated.formUnion(own) }
    let found = violations
    branching -= 1
    (violations, self.omitted) = (others, omitted)
    return (isValid, found)
  }

  /// Returns true if a node allows a value, without violations.
  mutating func allows(
    _ number: Int, _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    let before = isQuick
    isQuick = true
    let isValid = try check(number, value, &evaluated)
    isQuick = before
    return isValid
  }

  /// Returns true if a node allows a part of a value, without violations.
  mutating func allows(part: Value, _ number: Int) throws(SchemaError) -> Bool {
    depth += 1
    var none = Evaluated(isWanted: false)
    let isValid = try allows(number, part, &none)
    depth -= 1
    return isValid
  }
}
