internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `set`: assigns variables.
struct WrittenSet: WrittenAction {
  static let kind = StepKind(
    Key(
      "set", "Variables and their values.",
      .names(.value, mayBeEmpty: false, reserved: Name.reservedForVariables), isRequired: true),
    isInTranscripts: false
  ) { reader in
    reader.demandContent("set")
    return WrittenSet(entries: reader.entries("set"))
  }

  let entries: [Node.Entry]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    let assignments = entries.compactMap { Self.assignment($0, &planner) }
    return (.set(PlannedSet(assignments: assignments)), .record(.empty))
  }

  private static func assignment(
    _ entry: Node.Entry, _ planner: inout Planner
  ) -> PlannedAssignment? {
    let (name, place) = (entry.key.text, Place(entry.key.span))
    guard
      Name.check(
        entry.key, owner: "a variable", reserved: Name.reservedForVariables, planner.diagnostics)
    else { return nil }
    guard let known = planner.scope.variable(name) else {
      let value = planner.templates.value(entry.value, as: .dynamic, owner: "'\(name)'")
      let slot = planner.scope.declareVariable(
        name, value?.type ?? .dynamic, at: entry.key.span)
      return value.map {
        PlannedAssignment(name: name, slot: slot, value: $0.template, keyPlace: place)
      }
    }
    if planner.scope.isShared(known.slot) {
      planner.diagnostics.add(.setInParallel(name), at: entry.key.span)
    }
    let value = planner.templates.value(entry.value, as: known.type, owner: "'\(name)'")
    planner.use.assign(known.slot, before: planner.scope.slotCount)
    planner.scope.index?.use(name, known.slot, at: entry.key.span)
    return value.map {
      PlannedAssignment(name: name, slot: known.slot, value: $0.template, keyPlace: place)
    }
  }
}

extension [PlannedStep] {
  /// The variables that have values whatever fails: those that the first steps set to constants or
  /// inputs.
  var certainSlots: [Slot] {
    var slots: [Slot] = []
    for step in self {
      guard step.options?.condition == nil, case .set(let set) = step.action,
        set.assignments.allSatisfy(\.value.cannotFail)
      else { break }
      slots += set.assignments.map(\.slot)
    }
    return slots
  }
}

extension PlannedAction {
  /// The steps with which it starts, empty for any other action than a block without a condition.
  var firstSteps: [PlannedStep] {
    if case .block(let block) = self, block.condition == nil { block.steps } else { [] }
  }
}

extension Template {
  /// True for a constant and for an input.
  fileprivate var cannotFail: Bool {
    if case .expression(let planned, _) = self {
      return planned.expression.references.contains {
        $0.name.hasPrefix("inputs.") && $0.name == planned.expression.text
      }
    }
    return constant != nil
  }
}
