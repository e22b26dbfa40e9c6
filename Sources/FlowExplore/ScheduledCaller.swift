internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// A caller that lets other tasks run before and after each call of another caller, and injects the
/// faults of a schedule.
final class ScheduledCaller: Caller {
  private let caller: any Caller
  private let time: VirtualTime
  private let faults: InjectedFaults
  private let lost: LostAnswers

  /// Creates the caller of a run ordered by `time`.
  ///
  /// `lost` keeps the answers that faults take away.
  init(
    _ caller: any Caller, in time: VirtualTime, faults: InjectedFaults, keeping lost: LostAnswers
  ) {
    self.caller = caller
    self.time = time
    self.faults = faults
    self.lost = lost
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
      if let answer = lost.take(for: invocation) { return answer }
      let outcome = try await caller.call(invocation)
      lost.note(outcome, of: invocation)
      return outcome
    }
    switch fault {
    case .error(let code, _):
      return begin(invocation, with: .error(Self.error(ErrorCode(code, ""))))
    case .typical(let name, _):
      return try await answer(with: invocation.operation?.fault(name), invocation)
    case .silence, .duplicate:
      faults.note(invocation)
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
    case .error(let code)?: return begin(invocation, with: .error(Self.error(code)))
    case .answer(let answer)?:
      guard let value = answer(invocation.wholeInput) else {
        return try await caller.call(invocation)
      }
      return begin(invocation, with: .answer(invocation.inItsRole(value)))
    case .lost(let code)?:
      faults.note(invocation)
      // As good as the first one, another attempt does what it was to do.
      if !invocation.isSafeToRepeat { lost.keep(try await caller.call(invocation), of: invocation) }
      return .error(Self.error(code))
    case .changed(let change)?:
      let outcome = try await caller.call(invocation)
      guard case .answer(let value) = outcome, let changed = change(value, invocation.wholeInput)
      else { return outcome }
      lost.keep(outcome, of: invocation)
      lost.note(outcome, of: invocation)
      return begin(invocation, with: .answer(invocation.inItsRole(changed)))
    case .late(let span)?:
      faults.note(invocation)
      try await time.clock.sleep(for: span)
      return try await caller.call(invocation)
    case nil: return try await caller.call(invocation)
    }
  }

  /// Notes that a fault happens to a call, and returns the outcome that it has then.
  private func begin(_ invocation: Invocation, with outcome: Outcome) -> Outcome {
    faults.note(invocation)
    lost.keepRequest(continuedBy: invocation)
    return outcome
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

  /// The fields of an operation's answer that the caller reads.
  fileprivate func inItsRole(_ answer: Value) -> Value { role?.answer(answer) ?? answer }

  /// True if doing the same once more is as good as once.
  fileprivate var isSafeToRepeat: Bool {
    operation?.isSafeToRepeat(wholeInput) ?? false
  }
}

extension OperationDescription {
  fileprivate func fault(_ name: String) -> FaultDescription? {
    faults.first { $0.name == name }
  }
}
