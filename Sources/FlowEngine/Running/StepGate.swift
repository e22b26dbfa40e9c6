package import FlowCore
package import FlowExpression
package import FlowPlan
internal import FlowRedaction

/// A reader of the moments of a run, which can stop the run there, as a debugger does.
///
/// A run without one does not describe its moments. A reader of a replay stops nothing, because
/// the order of the replay would no longer be the recorded one.
package protocol StepGate: Sendable {
  /// Takes a moment, and returns its number and true to stop the run there.
  ///
  /// Called on the run's tasks, so it must be quick and must not block. Moments of parallel
  /// branches may interleave.
  func note(_ moment: StepMoment) -> (number: Int, stops: Bool)
  /// Waits until the run may go on from a moment.
  ///
  /// Returns true to run the step of an `after` again, with the values before it.
  func wait(at number: Int) async -> Bool
}

/// A moment of a run between two actions, with the values there.
package struct StepMoment: Sendable {
  /// The kind of a moment.
  package enum Kind: Sendable {
    /// A scenario begins, with its inputs in a level of values.
    case scenario
    /// An iteration or an invariant begins, with a new level of values.
    case level
    /// A step is about to run, or to be left out by its condition.
    case before
    /// A step has ended. `opened` is the number of the moment before it.
    case after(StepState, opened: Int)
  }

  /// The kind of the moment.
  package let kind: Kind
  /// The number of the moment whose values it continues, nil for the start of the run.
  ///
  /// For the start of an inner scenario, the moment of the step around it.
  package let base: Int?
  /// The address of the step, or of the step around a level or a scenario.
  package let address: Address
  /// The step, or nil for the start of the main scenario and of an invariant.
  package let step: PlannedStep?
  /// The scenario of the values.
  package let plan: Plan
  /// The values.
  package let activation: Activation
  /// Tells the origins of the values.
  package let origins: OriginScope
  /// The problems of a failed step and of the steps inside it, with secrets hidden.
  package var problems: [Diagnostic] = []
}

extension Execution {
  /// Runs one step and reports it.
  ///
  /// Returns false if it failed.
  mutating func runStep(_ step: PlannedStep, _ iterations: [Int]) async -> Bool {
    guard let gate = run.session.gate else { return await runOnce(step, iterations).goesOn }
    let address = address(of: step, iterations)
    _ = await pass(gate, moment(.before, address, step))
    let (before, opened) = (self, latestMoment ?? 0)
    while true {
      let end = await runOnce(step, iterations)
      var ended = moment(.after(end.state, opened: opened), address, step)
      ended.problems = problems(of: end.state, address, step, after: before.report.failures.count)
      guard await pass(gate, ended), !Task.isCancelled else { return end.goesOn }
      self = before
    }
  }

  /// Tells the gate that an inner level of values was opened.
  mutating func noteLevel(_ address: Address, _ step: PlannedStep? = nil) async {
    guard let gate = run.session.gate else { return }
    _ = await pass(gate, moment(.level, address, step))
  }

  /// Tells the gate that the scenario begins.
  mutating func noteBeginning() async {
    guard let gate = run.session.gate else { return }
    let address = parent?.address ?? Address(path: "")
    _ = await pass(gate, moment(.scenario, address, nil))
  }

  private func moment(
    _ kind: StepMoment.Kind, _ address: Address, _ step: PlannedStep?
  ) -> StepMoment {
    StepMoment(
      kind: kind, base: latestMoment, address: address, step: step, plan: plan,
      activation: activation, origins: moment(at: address))
  }

  /// Passes a moment, and returns true if its step is to run again.
  private mutating func pass(_ gate: any StepGate, _ moment: StepMoment) async -> Bool {
    let (number, stops) = gate.note(moment)
    latestMoment = number
    return stops ? await gate.wait(at: number) : false
  }

  /// The problems of a failed step, also of one after which the scenario goes on.
  private func problems(
    of state: StepState, _ address: Address, _ step: PlannedStep, after count: Int
  ) -> [Diagnostic] {
    guard case .failed(let failure) = state else { return [] }
    var failed = RunReport()
    failed.failures = Array(report.failures.dropFirst(count))
    if failed.failures.isEmpty {
      failed.failures = [describedFailure(address, step.place, failure, of: step)]
    }
    return failed.redacted(by: run.session.redactor).explained(by: run.session.plan).diagnostics
  }
}
