import FlowCore
import FlowPlan

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
