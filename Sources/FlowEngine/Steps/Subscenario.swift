import FlowCore
import FlowScenario

// `scenario`: another scenario as a step.

extension Execution {
  /// Runs another scenario and returns its outputs.
  mutating func runScenario(
    _ scenario: PlannedScenario, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard case .record(let inputs) = try evaluate(scenario.input) else {
      throw .evaluation(
        EvaluationFailure(message: "'with' is not a record", place: scenario.place))
    }
    if inputs.type.hasSecrets { try hideSecrets(in: .record(inputs)) }
    let inclusion = RunReport.Inclusion(
      file: scenario.plan.file,
      places: [scenario.place.span(in: plan.file)] + (parent?.inclusion.places ?? []))
    let given = scenario.input.smallValues(activation)
    let boundary = run.session.boundary
    boundary.hand(scenario.handed, to: address, from: parent?.address)
    defer { boundary.takeBack(from: address) }
    let step = Subscenario(scenario, in: moment(at: address), inclusion)
    var inner = Execution(run: run, parent: step, inputs: inputs.values)
    (inner.order, inner.loopCase, inner.latestMoment) = (order, loopCase, latestMoment)
    await inner.run()
    report.counts += inner.report.counts
    report.failures += inner.report.failures
    report.add(inner.report.cases)
    guard inner.report.passed else { throw .inner }
    note(inner, given: given, at: address)
    return .record(RecordValue(scenario.plan.outputType, inner.report.outputs.map(\.value)))
  }
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
