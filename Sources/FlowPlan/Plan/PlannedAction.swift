/// The action of a step.
public enum PlannedAction: Sendable {
  /// Calls an operation of a component.
  case call(PlannedCall)
  /// Repeats its steps.
  indirect case loop(PlannedLoop)
  /// Runs its steps once, or others.
  indirect case block(PlannedBlock)
  /// Runs branches of steps at the same time.
  indirect case parallel(PlannedParallel)
  /// Gives variables their values, in file order.
  indirect case set(PlannedSet)
  /// Checks that every expression is true.
  indirect case assert(PlannedAssert)
  /// Waits for some time.
  indirect case wait(PlannedWait)
  /// Waits until a component reports something.
  indirect case await(PlannedAwait)
  /// Runs another scenario.
  indirect case scenario(PlannedScenario)

  /// The code of the error that a call expects, or nil.
  package var expectedError: String? {
    guard case .call(let call) = self, case .error(let code, _)? = call.expectation else {
      return nil
    }
    return code
  }

  /// The parts of the step, whatever its kind.
  ///
  /// Code that walks a plan asks for them, not for the kind.
  package var content: any PlannedContent {
    switch self {
    case .call(let call): call
    case .loop(let loop): loop
    case .block(let block): block
    case .parallel(let parallel): parallel
    case .set(let set): set
    case .assert(let assert): assert
    case .wait(let wait): wait
    case .await(let event): event
    case .scenario(let scenario): scenario
    }
  }
}
