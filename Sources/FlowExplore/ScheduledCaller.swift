internal import FlowCore
internal import FlowEngine

/// Calls another caller, with a moment before and after each call at which others may go on instead, and with the errors
/// that a schedule wants.
struct ScheduledCaller: Caller {
  private let caller: any Caller
  private let time: VirtualTime
  private let faults: [String: String]

  /// The calls of a run whose work `time` orders.
  init(_ caller: any Caller, in time: VirtualTime, faults: [Schedule.Fault]) {
    self.caller = caller
    self.time = time
    self.faults = Dictionary(faults.map { ($0.address, $0.error) }) { first, _ in first }
  }

  func call(_ invocation: Invocation) async throws -> Outcome {
    if case .event = invocation.target { return try await caller.call(invocation) }
    await time.pause()
    let outcome = try await answer(invocation)
    await time.pause()
    return outcome
  }

  private func answer(_ invocation: Invocation) async throws -> Outcome {
    if !faults.isEmpty, let code = faults["\(invocation.address)"] {
      return .error(ComponentError(ErrorCode(code, ""), "a fault of this schedule"))
    }
    return try await caller.call(invocation)
  }

  func close(_ scope: Address) async { await caller.close(scope) }

  func finish() async throws { try await caller.finish() }
}
