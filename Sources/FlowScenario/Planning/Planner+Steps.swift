internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// The steps of a block, in the present scope.
  ///
  /// `path` is what stands before the steps' own parts, ending in `/` or empty.
  mutating func block(_ nodes: [Node], path: String) -> [PlannedStep] {
    var ordinals: [String: Int] = [:]
    var steps: [PlannedStep] = []
    steps.reserveCapacity(nodes.count)
    for node in nodes {
      guard let step = Step(reading: node, problems) else {
        // A step that cannot be read keeps its id, like one that cannot be planned.
        _ = declare(node["id"], .dyn)
        keepSecrets(in: node["with"])
        continue
      }
      let path = path + Self.pathPart(of: step, &ordinals)
      if let planned = plan(step, path: path) { steps.append(planned) }
    }
    return steps
  }

  /// The id, or the action's name and its ordinal among its like siblings.
  private static func pathPart(of step: Step, _ ordinals: inout [String: Int]) -> String {
    if let id = step.id { return id.text }
    let kind = step.action.kindName
    let ordinal = ordinals[kind, default: 0] + 1
    ordinals[kind] = ordinal
    return ordinal == 1 ? kind : "\(kind)[\(ordinal)]"
  }

  private mutating func plan(_ step: Step, path: String) -> PlannedStep? {
    let condition = step.condition.flatMap { node in
      expressions.expression(node, .bool, owner: "'if'", scope.environment)
    }
    let first = Slot(level: scope.level, index: scope.slotCount)
    let assignedCount = use.assignedCount
    // With 'else' the condition chooses between two blocks, and the step itself always runs.
    let hasElse = step.action.hasElse
    let facts = hasElse ? [] : facts(condition, holds: true)
    use.know(facts)
    let planned =
      hasElse
      ? choice(step, condition, path) : plan(step.action, step: step, path: path)
    let finally = finally(step.finally ?? [], path: path + "/finally/", after: first.index)
    use.forget(facts.count)
    if condition != nil && !hasElse || step.continuesOnError != nil || step.action.isLoop {
      use.forgetAssigned(after: assignedCount, below: first)
    }
    guard let (action, output) = planned else {
      // A broken step keeps its id, so that the steps after it are checked as if it were whole.
      _ = declare(step.id, .dyn)
      return nil
    }
    let slot = declare(step.id, output)
    let options = options(of: step, hasElse ? nil : condition, action, finally)
    if condition != nil && !hasElse {
      markAbsent(first.index..<scope.slotCount, .condition(facts.first))
    }
    if let slot, case .call(let call) = action, case .error(let code)? = call.expectation {
      use.mark(slot, .error(code))
    }
    if options?.continuesOnError ?? false { markAbsent(first.index..<scope.slotCount, .failure) }
    return PlannedStep(step, path: path, slot: slot, action: action, options: options)
  }

  /// The steps of a `finally`, which runs after steps whose slots begin at `first`.
  mutating func finally(_ nodes: [Node], path: String, after first: Int) -> [PlannedStep] {
    if nodes.isEmpty { return [] }
    use.uncertainSlots.append((scope.level, first..<scope.slotCount))
    defer { use.uncertainSlots.removeLast() }
    return block(nodes, path: path)
  }

  /// What is known where a condition was found true, or false; the best way to say it first.
  ///
  /// Nothing where it reads a variable that may be set again.
  func facts(_ condition: PlannedExpression?, holds: Bool) -> [Fact] {
    guard let expression = condition?.expression,
      !expression.references.contains(where: { scope.variable($0.name) != nil })
    else { return [] }
    return expression.conditions(where: holds).map {
      Fact($0, reading: expression.references)
    }
  }

  func markAbsent(_ indices: Range<Int>, _ absence: DefiniteAssignment.Absence) {
    for index in indices { use.mark(Slot(level: scope.level, index: index), absence) }
  }

  private mutating func declare(_ id: Node?, _ type: ExpressionType) -> Slot? {
    guard let id else { return nil }
    let name = "steps." + id.text
    if let line = scope.line(of: name) {
      problems.add(.duplicateID(id.text, first: line), at: id.span)
      return nil
    }
    return scope.declare(name, type, line: id.span.start.line)
  }

  private mutating func plan(
    _ action: Step.Action, step: Step, path: String
  ) -> (PlannedAction, ExpressionType)? {
    switch action {
    case .call(let call): return plan(call, besides: step.unknown)
    case .loop(let loop): return plan(loop, failsFast: step.failsFast, path: path)
    case .block(let inner):
      let steps = block(inner.steps, path: path + "/")
      return (.block(PlannedBlock(steps: steps)), .record(.empty))
    case .parallel(let branches): return plan(branches, failsFast: step.failsFast, path: path)
    case .await(let event): return plan(event)
    case .scenario(let inclusion): return plan(inclusion, besides: step.unknown)
    case .wait(let node):
      if case .duration(let duration)? = Value(node, as: .duration), duration < .zero {
        problems.add(.negative(node.text, owner: "'wait'"), at: node.span)
      }
      return templates.value(node, as: .duration, owner: "'wait'").map {
        (.wait($0.template), .record(.empty))
      }
    case .set(let entries): return (.set(entries.compactMap { assignment($0) }), .record(.empty))
    case .assert(let nodes):
      let compiler = expressions
      return (
        .assert(
          nodes.compactMap {
            compiler.expression($0, .bool, owner: "an assertion", scope.environment)
          }), .record(.empty)
      )
    }
  }

  private mutating func plan(
    _ call: Step.Call, besides unknown: [Node.Entry]
  ) -> (PlannedAction, ExpressionType)? {
    guard let operation = operation(call.uses) else {
      keepSecrets(in: call.input)
      return nil
    }
    let type = operation.description.input
    let input = templates(misplaced: unknown, of: type).record(
      call.input, type, owner: "'\(operation.name)'",
      missingAt: call.uses.span)
    let expectation = call.expectation.flatMap {
      ExpectationCompiler(templates).expectation($0, operation)
    }
    let place = Place(call.expectation?.span ?? call.uses.span)
    let planned = PlannedCall(
      operation: operation, input: input ?? .constant(.null), expectation: expectation,
      place: place)
    return (.call(planned), operation.answerType)
  }

  private mutating func assignment(_ entry: Node.Entry) -> PlannedAssignment? {
    let name = entry.key.text
    guard
      Name.check(
        entry.key, owner: "a variable", reserved: Name.reservedForVariables, problems)
    else { return nil }
    guard let known = scope.variable(name) else {
      guard let value = templates.value(entry.value, as: .dynamic, owner: "'\(name)'") else {
        _ = scope.declareVariable(name, .dynamic)
        return nil
      }
      let slot = scope.declareVariable(name, value.type)
      return PlannedAssignment(name: name, slot: slot, value: value.template)
    }
    if scope.isShared(known.slot) { problems.add(.setInParallel(name), at: entry.key.span) }
    let value = templates.value(entry.value, as: known.type, owner: "'\(name)'")
    use.assign(known.slot)
    guard let value else { return nil }
    return PlannedAssignment(name: name, slot: known.slot, value: value.template)
  }
}

extension Step.Action {
  /// The word of a step without an id in a structural path.
  fileprivate var kindName: String {
    switch self {
    case .call(let call): call.uses.text
    case .loop(let loop):
      switch loop.kind {
      case .each: "for"
      case .repeated: "repeat"
      }
    case .block: "do"
    case .parallel: "parallel"
    case .set: "set"
    case .assert: "assert"
    case .wait: "wait"
    case .await: "await"
    case .scenario: "scenario"
    }
  }

  fileprivate var isLoop: Bool {
    if case .loop = self { return true }
    return false
  }

  /// Whether it is a block with an `else`.
  fileprivate var hasElse: Bool {
    if case .block(let block) = self { return block.alternative != nil }
    return false
  }
}
