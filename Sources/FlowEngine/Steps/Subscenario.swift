import FlowCore
import FlowScenario

// `scenario`: another scenario as a step.

extension Execution {
  /// Runs another scenario; the answer holds its outputs.
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
    let step = Subscenario(
      plan: scenario.plan, address: address, inclusion: inclusion, handed: scenario.handed)
    let boundary = run.session.boundary
    boundary.hand(scenario.handed, to: address, from: parent?.address)
    defer { boundary.takeBack(from: address) }
    var inner = Execution(run: run, parent: step, inputs: inputs.values)
    inner.order = order
    await inner.run()
    report.counts += inner.report.counts
    report.failures += inner.report.failures
    guard inner.report.passed else { throw .inner }
    return .record(RecordValue(scenario.plan.outputType, inner.report.outputs.map(\.value)))
  }
}

/// The step of a scenario that runs another one.
///
/// A class, so that a run without any carries one empty reference.
final class Subscenario: Sendable {
  /// The other scenario.
  let plan: Plan
  /// Where the step is; the other scenario's addresses begin with it, and its components belong to it.
  let address: Address
  /// The address's path with a slash, which the paths of the other scenario's steps follow.
  let prefix: String
  /// The other scenario's file, and who includes it.
  let inclusion: RunReport.Inclusion
  /// What it uses in the place of components of its own, by the positions of those.
  let handed: [Int: HandedComponent]

  init(plan: Plan, address: Address, inclusion: RunReport.Inclusion, handed: [Int: HandedComponent])
  {
    self.plan = plan
    self.address = address
    self.inclusion = inclusion
    self.handed = handed
    prefix = address.path + "/"
  }
}
