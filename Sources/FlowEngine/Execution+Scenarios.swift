import FlowCore
import FlowExpression
import FlowScenario

/// The step of a scenario that runs another one.
///
/// A class, so that a run without any carries one empty reference.
final class CallingStep: Sendable {
  /// The other scenario.
  let plan: Plan
  /// Where the step is; the other scenario's addresses begin with it, and its components belong to it.
  let address: Address
  /// The address's path with a slash, which the paths of the other scenario's steps follow.
  let prefix: String
  /// The other scenario's file, and who includes it.
  let inclusion: RunResult.Inclusion

  init(plan: Plan, address: Address, inclusion: RunResult.Inclusion) {
    self.plan = plan
    self.address = address
    self.inclusion = inclusion
    prefix = address.path + "/"
  }
}

extension Execution {
  /// Runs another scenario; the answer holds its outputs.
  mutating func perform(
    _ scenario: PlannedScenario, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard case .record(let inputs) = try evaluate(scenario.input) else {
      throw .evaluation(
        EvaluationFailure(message: "'with' is no record", place: scenario.place))
    }
    let inclusion = RunResult.Inclusion(
      file: scenario.plan.file,
      places: [scenario.place.span(in: plan.file)] + (caller?.inclusion.places ?? []))
    let step = CallingStep(plan: scenario.plan, address: address, inclusion: inclusion)
    var inner = Execution(runner: runner, caller: step, inputs: inputs.values)
    inner.order = order
    await inner.run()
    result.counts += inner.result.counts
    result.failures += inner.result.failures
    guard inner.result.passed else { throw .inner }
    return .record(RecordValue(scenario.plan.outputType, inner.result.outputs.map(\.value)))
  }

  // MARK: - Addresses

  /// The iterations around all steps of the plan.
  var iterations: [Int] { caller?.address.iterations ?? [] }

  /// Where a step is.
  func address(of step: PlannedStep, _ iterations: [Int]) -> Address {
    // Without a text of its own for the steps of the main scenario.
    guard let caller else { return Address(path: step.path, iterations: iterations) }
    return Address(path: caller.prefix + step.path, iterations: iterations)
  }

  /// Where something is that is no step, such as `components/balance`.
  func address(ofPart path: String) -> Address {
    Address(path: (caller?.prefix ?? "") + path, iterations: iterations)
  }

  // MARK: - Failures

  /// Notes a failure in this scenario's file.
  mutating func fail(_ address: Address, _ place: Place?, _ failure: StepFailure) {
    result.failures.append(
      .init(address: address, place: place, failure: failure, inclusion: caller?.inclusion))
  }
}
