import FlowCore
import FlowScenario

extension Execution {
  /// `wait`: lets time pass.
  func wait(_ wait: PlannedWait) async throws(StepFailure) {
    guard case .duration(let duration) = try evaluate(wait.duration) else { return }
    try await sleep(for: duration)
  }

  func sleep(for duration: Duration) async throws(StepFailure) {
    guard duration > .zero else { return }
    do { try await run.session.clock.sleep(for: duration) } catch { throw .cancelled }
  }
}
