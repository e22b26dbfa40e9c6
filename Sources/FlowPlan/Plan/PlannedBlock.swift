/// Steps that run once, one after another, with the variables of the block around them.
public struct PlannedBlock: Sendable {
  /// The choice between the steps and the alternative.
  ///
  /// Nil runs the steps.
  public var condition: PlannedExpression?
  /// The steps without a condition, or for a true one.
  public let steps: [PlannedStep]
  /// The steps for a false condition, may be empty.
  public var alternative: [PlannedStep] = []

  package init(
    condition: PlannedExpression? = nil, steps: [PlannedStep], alternative: [PlannedStep] = []
  ) {
    self.condition = condition
    self.steps = steps
    self.alternative = alternative
  }
}

extension PlannedBlock {
  /// The steps inside it.
  var blocks: [StepBlock] {
    [StepBlock(label: "do", steps: steps), StepBlock(label: "else", steps: alternative)]
  }
}

extension PlannedBlock: PlannedContent {
  package var expressions: [PlannedExpression] { condition.map { [$0] } ?? [] }
  package var waiting: Waiting { .nothing }
  package var lines: [String] { condition.map { ["if: \($0.text)"] } ?? [] }
  package var summary: String { "do" }
}
