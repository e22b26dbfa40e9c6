package import FlowCore
package import FlowPlan

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
  /// The step, or nil for the start of the main scenario and of an invariant.
  package let step: PlannedStep?
  /// The values at the address of the step, or of the step around a level or a scenario.
  package let scope: OriginScope
  /// The problems of a failed step and of the steps inside it, with secrets hidden.
  package var problems: [Diagnostic] = []
}
