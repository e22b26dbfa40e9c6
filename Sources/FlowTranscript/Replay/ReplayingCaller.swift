public import FlowCore
public import FlowEngine

/// Serves recorded answers in place of the components.
///
/// Strict: a call that was not recorded, a call with another input, and a recorded call that never
/// came are failures. Calls are found by their address and come in their recorded order, as far as the
/// scenario orders them: `compare` on its steps says how.
public final class ReplayingCaller: Caller {
  private let calls: RecordedCalls
  private let clock: any Clock<Duration>
  private let sinks: EventSinks

  /// How strict a replay is.
  public struct Options: Sendable {
    /// What to do when a departure is meant, told with every one.
    public var advice = "record again with --record if the change is meant"
    /// The departures that are noted and fail nothing; an unexpected call has no answer and always fails.
    public var allowed: Set<Allowance> = []
    /// What a call waits on that was cancelled when it was recorded.
    ///
    /// In virtual time, the run's own, calls of branches also wait for their turn where they are compared exactly, and
    /// branches are cut off where they were; with any other clock neither is so.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The strictest.
    public init() {}
  }

  /// A caller that answers calls from a transcript.
  ///
  /// A call that was cancelled when it was recorded waits on the clock until it is cancelled again.
  public convenience init(
    _ transcript: Transcript, sinks: EventSinks, clock: any Clock<Duration> = ContinuousClock()
  ) {
    var options = Options()
    options.clock = clock
    self.init(transcript, sinks: sinks, options: options)
  }

  /// A caller that answers calls from a transcript, as strict as the options say.
  public init(_ transcript: Transcript, sinks: EventSinks, options: Options) {
    calls = RecordedCalls(
      transcript.calls,
      options: .init(
        advice: options.advice, allowed: options.allowed, keepsOrder: true,
        comparesEvents: !transcript.isAltered))
    clock = options.clock
    self.sinks = sinks
  }

  /// How the run departed from the transcript so far, in its order; allowed departures too.
  public var mismatches: [ReplayMismatch] { calls.mismatches }

  /// The recorded answer to the same call at the same address.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    let invocation = sinks.redacted(invocation)
    try await untilItsTurn(invocation)
    guard let recorded = try calls.next(for: invocation), let answer = recorded.answer else {
      try await untilCutOff(invocation)
      throw calls.notRecorded(invocation)
    }
    try calls.emit(recorded, invocation, sinks)
    let outcome = try calls.outcome(of: answer, invocation)
    try calls.checkAwaited(outcome, recorded, invocation)
    if case .answer(let value) = outcome { sinks.redactor.learnPlaceholders(in: value) }
    guard case .cancelled = outcome else { return outcome }
    try await clock.sleepUntilCancelled()
    throw CancellationError()
  }

  /// Waits until the branches have made the recorded calls: answers come at once, and with them a failure.
  ///
  /// In virtual time alone; it also knows when there is nothing to wait for.
  public func delay(ofCutOffAt step: Address) -> (@Sendable () async -> Void)? {
    guard let clock = clock as? VirtualClock else { return nil }
    return { [calls] in
      await clock.orNothingElse { await calls.untilMade(inside: step) }
      await clock.settle()
    }
  }

  /// Waits until no call of the step is held back; it had not to wait when it was recorded.
  public func delay(ofTimeoutAt step: Address) -> (@Sendable () async -> Void)? {
    guard calls.isHolding(at: step) else { return nil }
    return { [calls] in await calls.untilReleased(at: step) }
  }

  /// Waits for the calls that began before this one, where branches are compared exactly and time can wait.
  private func untilItsTurn(_ invocation: Invocation) async throws {
    guard let step = invocation.order.exactStep, let clock = clock as? VirtualClock else { return }
    await calls.holding(invocation.address) {
      await clock.orNothingElse { [calls] in await calls.untilItsTurn(invocation, inside: step) }
    }
    try Task.checkCancellation()
  }

  /// Waits with a call of a branch that is not recorded: the branch may have been cut off before it came here.
  private func untilCutOff(_ invocation: Invocation) async throws {
    guard invocation.order.isInBranch, let clock = clock as? VirtualClock else { return }
    try await calls.holding(invocation.address) { try await clock.sleepUntilNothingElse() }
  }

  /// Does nothing: the components are absent.
  public func close(_ scope: Address) async {}

  /// Checks that every recorded call was made.
  public func finish() async throws {
    try calls.finish()
  }
}

extension VirtualClock {
  /// Waits for some work, but no longer than anything else goes on: what it waits for will never come then.
  fileprivate func orNothingElse(_ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { try? await self.sleepUntilNothingElse() }
      await group.next()
      group.cancelAll()
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits for the task's cancellation, as a call that was stopped by a timeout did.
  func sleepUntilCancelled() async throws {
    // Longer than any timeout, short enough for every clock: 100 years.
    try await sleep(for: .seconds(3_153_600_000))
  }
}
