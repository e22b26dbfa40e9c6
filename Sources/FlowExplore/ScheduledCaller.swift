internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// A caller that lets other tasks run before and after each call of another caller, and injects the
/// faults of a schedule.
final class ScheduledCaller: Caller {
  private let caller: any Caller
  private let time: VirtualTime
  private let faults: InjectedFaults

  /// Creates the caller of a run ordered by `time`.
  init(_ caller: any Caller, in time: VirtualTime, faults: InjectedFaults) {
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
    faults.note(invocation)
    switch fault {
    case .error(let code, _): return .error(Self.error(ErrorCode(code, "")))
    case .typical(let name, _):
      return try await answer(with: invocation.operation?.fault(name), invocation)
    case .silence, .duplicate:
      try await faults.staySilent(invocation)
      return .cancelled
    }
  }

  /// The outcome of a call with a typical failure, or without it if the operation has none of this
  /// name.
  private func answer(
    with fault: FaultDescription?, _ invocation: Invocation
  ) async throws -> Outcome {
    switch fault?.effect {
    case .error(let code)?: return .error(Self.error(code))
    case .answer(let value)?: return .answer(invocation.role?.answer(value) ?? value)
    case .lost(let code)?:
      // A recorded answer is left for another attempt if that is as good as the first one.
      if !invocation.isSafeToRepeat { _ = try await caller.call(invocation) }
      return .error(Self.error(code))
    case .changed(let change)?:
      let outcome = try await caller.call(invocation)
      guard case .answer(let value) = outcome, let changed = change(value) else { return outcome }
      return .answer(changed)
    case .late(let span)?:
      try await time.clock.sleep(for: span)
      return try await caller.call(invocation)
    case nil: return try await caller.call(invocation)
    }
  }

  private static func error(_ code: ErrorCode) -> ComponentError {
    ComponentError(code, RunWatch.injectedMessage)
  }

  func close(_ scope: Address) async { await caller.close(scope) }

  func finish() async throws { try await caller.finish() }
}

extension Invocation {
  /// The called operation, or nil.
  fileprivate var operation: OperationDescription? {
    if case .operation(let operation) = target { operation.description } else { nil }
  }

  /// True if doing the same once more is as good as once.
  fileprivate var isSafeToRepeat: Bool {
    operation?.isSafeToRepeat(role?.input(input) ?? input) ?? false
  }
}

extension OperationDescription {
  fileprivate func fault(_ name: String) -> FaultDescription? {
    faults.first { $0.name == name }
  }
}
