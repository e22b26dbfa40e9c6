import FlowCore
import FlowPlan

extension Execution {
  /// `wait`: lets time pass.
  func wait(_ wait: PlannedWait, _ address: Address) async throws(StepFailure) {
    guard case .duration(let duration) = try evaluate(wait.duration) else { return }
    try await run.sleep(for: duration, .wait, at: address)
  }
}
