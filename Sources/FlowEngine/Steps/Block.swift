import FlowCore
import FlowPlan

extension Execution {
  /// `do`: runs its steps, or the steps of `else`.
  mutating func runBlock(
    _ block: PlannedBlock, _ address: Address
  ) async throws(StepFailure) {
    var steps = block.steps
    if let condition = block.condition, try !isTrue(condition, .condition, at: address) {
      steps = block.alternative
    }
    guard await self.block(steps, address.iterations) else { throw .inner }
  }
}
