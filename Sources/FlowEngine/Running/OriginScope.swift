package import FlowCore
package import FlowExpression
package import FlowPlan

/// A moment of a run, as far as it tells the origins of values.
///
///     steps.total ← set at line 11 ← steps.a.json.price, answered at line 8
package struct OriginScope: Sendable {
  /// The scenario whose expressions it explains.
  package let plan: Plan
  /// The address of the step, or of a loop in one of its iterations, or of an output.
  package let address: Address
  /// The values at the moment.
  package let activation: Activation
  /// The latest assignments before the moment.
  let assignments: Assignments
  /// The step around the scenario, or nil for the main scenario.
  let parent: Subscenario?

  /// Returns the origins of the variables that an expression reads, in text order.
  ///
  /// Only of those with a value, and only as far as they are known.
  package func origins(of expression: Expression) -> [ValueOrigin] {
    origins(of: expression.reads)
  }

  /// Returns the origins of variables and their parts.
  package func origins(of reads: [ValueRead]) -> [ValueOrigin] {
    var finder = OriginFinder()
    let moment = OriginMoment(self)
    return reads.filter { $0.value(in: activation) != nil }.map {
      finder.origin(of: $0, nil, at: moment)
    }
  }
}

extension Execution {
  /// The present moment at the address of a step, or of a loop in one of its iterations.
  func moment(at address: Address) -> OriginScope {
    OriginScope(
      plan: plan, address: address, activation: activation, assignments: assignments,
      parent: parent)
  }

  /// Notes the assignment of a variable.
  mutating func note(_ assignment: PlannedAssignment, _ index: Int, at address: Address) {
    assignments.add(
      Assignments.Entry(
        slot: assignment.slot, part: index, address: address,
        values: assignment.value.smallValues(activation)))
  }

  /// Notes an output of an iteration.
  mutating func note(_ output: PlannedOutput, _ index: Int, at address: Address) {
    assignments.add(
      Assignments.Entry(
        slot: nil, part: index, address: address, values: output.value.smallValues(activation)))
  }

  /// Notes the outputs of an inner scenario, given the values behind its inputs.
  mutating func note(_ inner: Execution, given values: [Value?], at address: Address) {
    if inner.plan.outputs.isEmpty { return }
    let ended = EndedScenario(
      plan: inner.plan, assignments: inner.assignments,
      outputs: inner.plan.outputs.map { $0.value.smallValues(inner.activation) })
    assignments.add(
      Assignments.Entry(slot: nil, part: 0, address: address, values: values, scenario: ended))
  }
}
