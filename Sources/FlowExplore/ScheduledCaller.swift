internal import FlowCore
internal import FlowEngine
private import Synchronization

/// Calls another caller, with a moment before and after each call at which others may go on instead, and with the errors
/// that a schedule wants.
final class ScheduledCaller: Caller {
  /// What an error says that a schedule injects.
  static let message = "the error is injected by the schedule"

  private let caller: any Caller
  private let time: VirtualTime
  /// The errors that are still to come, by the addresses of their calls: an attempt after it has an answer.
  private let faults: Mutex<[String: String]>
  private let hasFaults: Bool
  private let isRecorded: @Sendable (Invocation) -> Bool

  /// The calls of a run whose work `time` orders.
  ///
  /// What is recorded is taken from the transcript also where an error is answered in its place.
  init(
    _ caller: any Caller, in time: VirtualTime, faults: [Schedule.Fault],
    recorded isRecorded: @escaping @Sendable (Invocation) -> Bool
  ) {
    self.isRecorded = isRecorded
    self.caller = caller
    self.time = time
    hasFaults = !faults.isEmpty
    self.faults = Mutex(Dictionary(faults.map { ($0.address, $0.error) }) { first, _ in first })
  }

  func call(_ invocation: Invocation) async throws -> Outcome {
    if case .event = invocation.target { return try await caller.call(invocation) }
    await time.pause()
    let outcome = try await answer(invocation)
    await time.pause()
    return outcome
  }

  private func answer(_ invocation: Invocation) async throws -> Outcome {
    if hasFaults,
      let code = faults.withLock({ $0.removeValue(forKey: "\(invocation.address)") })
    {
      if isRecorded(invocation) { _ = try await caller.call(invocation) }
      return .error(ComponentError(ErrorCode(code, ""), Self.message))
    }
    return try await caller.call(invocation)
  }

  func close(_ scope: Address) async { await caller.close(scope) }

  func finish() async throws { try await caller.finish() }
}
