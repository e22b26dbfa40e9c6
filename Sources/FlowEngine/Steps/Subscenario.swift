internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `scenario`: runs another scenario and returns its outputs.
extension PlannedScenario: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let values = execution.values
    guard case .record(let inputs) = try values.evaluate(input) else {
      throw .evaluation(EvaluationFailure(message: "'with' is not a record", place: place))
    }
    if inputs.type.hasSecrets { try execution.run.hideSecrets(in: .record(inputs)) }
    let inclusion = RunReport.Inclusion(
      file: plan.file,
      places: [place.span(in: values.plan.file)] + (values.parent?.inclusion.places ?? []))
    let boundary = execution.run.parts.boundary
    boundary.hand(handed, to: address, from: values.parent?.address)
    defer { boundary.takeBack(from: address) }
    let step = Subscenario(self, in: values.moment(at: address), inclusion)
    var inner = ScenarioRun(Execution(step, in: execution, inputs: inputs.values))
    let report = await inner.run()
    execution.add(report.counts, report.failures)
    execution.add(report.cases)
    guard report.passed else { throw .inner }
    let given = input.smallValues(values.activation)
    execution.values.note(inner.values, given: given, at: address)
    return .record(RecordValue(plan.outputType, report.outputs.map(\.value)))
  }
}
