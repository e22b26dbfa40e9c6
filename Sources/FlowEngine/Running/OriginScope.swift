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
}

/// A step that runs another scenario.
///
/// A class, so a run without one carries a single empty reference.
final class Subscenario: Sendable {
  /// The other scenario.
  let plan: Plan
  /// The step's action, and the moment around it, which tells the origins of its inputs.
  let scenario: PlannedScenario
  let outer: OriginScope
  /// The address of the step, and the prefix of the other scenario's addresses.
  ///
  /// The owner of its components.
  let address: Address
  /// The address's path with a slash, the prefix of the other scenario's step paths.
  let prefix: String
  /// The other scenario's file, and the places that include it.
  let inclusion: RunReport.Inclusion
  /// The components used in place of its own, by the positions of its own.
  let handed: [Int: HandedComponent]

  init(_ scenario: PlannedScenario, in outer: OriginScope, _ inclusion: RunReport.Inclusion) {
    self.scenario = scenario
    self.outer = outer
    self.inclusion = inclusion
    plan = scenario.plan
    address = outer.address
    handed = scenario.handed
    prefix = address.path + "/"
  }
}
