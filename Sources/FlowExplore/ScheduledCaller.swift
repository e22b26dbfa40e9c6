internal import FlowCore
internal import FlowEngine

/// A caller that lets other tasks run before and after each call of another caller, and injects the
/// faults of a schedule.
final class ScheduledCaller: Caller {
  private let caller: any Caller
  private let time: VirtualTime
  /// An attempt after one of them has an answer.
  private let faults: InjectedFaults
  private let isRecorded: @Sendable (Invocation) -> Bool

  /// Creates the caller of a run ordered by `time`.
  ///
  /// A recorded answer is taken from the transcript even if a fault replaces it.
  init(
    _ caller: any Caller, in time: VirtualTime, faults: InjectedFaults,
    recorded isRecorded: @escaping @Sendable (Invocation) -> Bool
  ) {
    self.isRecorded = isRecorded
    self.caller = caller
    self.time = time
    self.faults = faults
  }

  func call(_ invocation: Invocation) async throws -> Outcome {
    if case .event = invocation.target { return try await caller.call(invocation) }
    await time.pause()
    let outcome = try await answer(invocation)
    await time.pause()
    return outcome
  }

  private func answer(_ invocation: Invocation) async throws -> Outcome {
    guard let fault = faults.take(at: invocation.address) else {
      return try await caller.call(invocation)
    }
    if isRecorded(invocation) { _ = try await caller.call(invocation) }
    guard case .error(let code, _) = fault else {
      try await faults.staySilent(invocation)
      return .cancelled
    }
    return .error(ComponentError(ErrorCode(code, ""), InjectedFaults.message))
  }

  func close(_ scope: Address) async { await caller.close(scope) }

  func finish() async throws { try await caller.finish() }
}
