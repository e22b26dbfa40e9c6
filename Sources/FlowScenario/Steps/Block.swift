internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `do`: steps that run once, or with `else` one of two lists of steps.
struct WrittenBlock: WrittenAction {
  static let kind = StepKind(
    .body,
    companions: [
      Key("else", "The steps that run if the condition is false.", .steps, with: "if"),
      .retryOfBlock, .finally, .comparison,
    ], yields: true,
    nested: { ["do", "else"].compactMap($0.nestedSteps) }
  ) { reader in
    guard let steps = reader.body else { return nil }
    reader.demandContent("else")
    if reader["else"] != nil, reader["if"] == nil, !reader.mistyped.contains("if") {
      reader.diagnostics.add(.needsCondition, at: reader.place(of: "else"))
    }
    let alternative = reader["else"].map { _ in reader.items("else") }
    return WrittenBlock(steps: steps, alternative: alternative)
  }

  let steps: [Node]
  let alternative: [Node]?

  var choosesByCondition: Bool { alternative != nil }

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    guard let alternative else {
      let steps = planner.block(steps, path: context.path + "/")
      return (.block(PlannedBlock(steps: steps)), .record(.empty))
    }
    let first = Slot(level: planner.scope.level, index: planner.scope.slotCount)
    let (path, condition) = (context.path, context.condition)
    let yes = Self.arm(steps, path: path + "/", (condition, holds: true), &planner)
    let no = Self.arm(alternative, path: path + "/else/", (condition, holds: false), &planner)
    for slot in no.assigned {
      if slot.level == first.level && slot.index >= first.index {
        // A variable of the first block that the other one sets too lacks its value in neither.
        planner.use.removeLatestAbsence(of: slot)
      } else if yes.assigned.contains(slot) {
        planner.use.assign(slot, before: planner.scope.slotCount)
      }
    }
    return condition.map {
      let block = PlannedBlock(condition: $0, steps: yes.steps, alternative: no.steps)
      return (.block(block), .record(.empty))
    }
  }

  /// The steps for a true, or false, condition, and the earlier variables that they assign.
  private static func arm(
    _ nodes: [Node], path: String, _ condition: (expression: PlannedExpression?, holds: Bool),
    _ planner: inout Planner
  ) -> (steps: [PlannedStep], assigned: Set<Slot>) {
    let first = Slot(level: planner.scope.level, index: planner.scope.slotCount)
    let count = planner.use.assignedCount
    let facts = planner.facts(condition.expression, holds: condition.holds)
    planner.use.assume(facts)
    let steps = planner.block(nodes, path: path)
    planner.use.endAssumptions(facts.count)
    let assigned = planner.use.forgetAssigned(after: count, below: first)
    // After a wrong condition, nothing is known about readable variables.
    if condition.expression != nil {
      let own = planner.scope.stretch(from: first.index)
      planner.markAbsent(own, because: .condition(facts.first, own))
    }
    return (steps, Set(assigned))
  }
}
