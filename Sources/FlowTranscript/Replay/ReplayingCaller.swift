public import FlowCore
public import FlowEngine

/// Serves recorded answers in place of the components.
///
/// Strict: a call that was not recorded, a call with another input, and a recorded call that never
/// came are failures. Calls are found by their address, so their order among others is free.
public final class ReplayingCaller: Caller {
  private let calls: RecordedCalls
  private let clock: any Clock<Duration>
  private let sinks: EventSinks

  /// A caller that answers calls from a transcript.
  ///
  /// A call that was cancelled when it was recorded waits on the clock until it is cancelled again.
  /// The advice is told with every departure from the transcript.
  public init(
    _ transcript: Transcript, sinks: EventSinks, clock: any Clock<Duration> = ContinuousClock(),
    advice: String = "record again with --record if the change is meant"
  ) {
    calls = RecordedCalls(transcript.calls, advice: advice)
    self.clock = clock
    self.sinks = sinks
  }

  /// The recorded answer to the same call at the same address.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    let invocation = sinks.redacted(invocation)
    guard let recorded = try calls.next(for: invocation), let answer = recorded.answer else {
      throw calls.notRecorded(invocation)
    }
    try calls.emit(recorded, invocation, sinks)
    let outcome = try calls.outcome(of: answer, invocation)
    if case .answer(let value) = outcome { sinks.redactor.learnPlaceholders(in: value) }
    guard case .cancelled = outcome else { return outcome }
    try await clock.sleepUntilCancelled()
    throw CancellationError()
  }

  /// Does nothing: the components are absent.
  public func close(_ scope: Address) async {}

  /// Checks that every recorded call was made.
  public func finish() async throws {
    try calls.finish()
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits for the task's cancellation, as a call that was stopped by a timeout did.
  func sleepUntilCancelled() async throws {
    // Longer than any timeout, short enough for every clock: 100 years.
    try await sleep(for: .seconds(3_153_600_000))
  }
}
