internal import FlowExpression
internal import FlowPlan

typealias PlannedResult = (action: PlannedAction, answer: ExpressionType)

/// The step being planned.
struct StepContext {
  let step: Step
  let path: String
  /// Its `if`, or nil without one or for a wrong one.
  let condition: PlannedExpression?
}

/// The action of a step as written.
///
/// Each file of `Steps/` has the type of its kind.
protocol WrittenAction {
  /// The step's part of a path without an id.
  ///
  /// By default nil, for the kind's key.
  var word: String? { get }
  /// True if the step's condition chooses between inner steps, so the step itself always runs.
  ///
  /// False by default.
  var choosesByCondition: Bool { get }
  /// True if none of the inner steps may run.
  ///
  /// False by default.
  var mayRunNothing: Bool { get }
  /// Plans it.
  ///
  /// Called once, after everything before it is planned. Nil after a problem.
  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult?
}

extension WrittenAction {
  var word: String? { nil }
  var choosesByCondition: Bool { false }
  var mayRunNothing: Bool { false }
}
