internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import Synchronization

/// A resumed run on the answers of a journal alone, as far as it goes without its components.
///
/// It is the run that `flow resume` would do, with the same caller, up to the calls that the journal
/// does not answer. There it stops, so it does nothing outside and writes nothing.
struct JournalTrial {
  /// The result of the run so far.
  let report: RunReport
  /// The differences from the journal, in the order of the run.
  let mismatches: [ReplayMismatch]
  /// The recorded calls of steps that were not made.
  let left: [Transcript.Call]
  /// The first call that the journal does not answer, or nil if the run ended before.
  let next: Invocation?
  /// The first step that failed before, or nil.
  let failed: Address?
  /// True if no answer of a component failed the run.
  let isDecided: Bool

  /// Runs a scenario with the values of its inputs, in which secrets may be hidden.
  init(of journal: Journal, in plan: Plan, inputs: [Value], _ redactor: Redactor) async {
    let recorder = JournalRecorder(
      scenario: plan.file, run: journal.run, resuming: journal, blobs: { _, _ in },
      append: { _, _ in }, reachDisk: {})
    let failures = FailedSteps()
    let session = Session(
      of: plan, sinks: [recorder, failures], options: Self.options(journal, redactor))
    let end = TrialEnd(of: session, recorder, failures)
    var options = ResumingCaller.Options(retriesUnknown: true)
    (options.isTrial, options.watchesSteps) = (true, true)
    let caller = ResumingCaller(
      journal, in: session, live: end, recorder: recorder, options: options)
    var pacing = caller.pacing
    pacing.beforeTimeout = { step in end.wait(atTheTimeOf: step) }
    report = await session.run(inputs: inputs, through: caller, pacing: pacing)
    (mismatches, left) = (caller.mismatches, caller.leftOfSteps)
    let failure = end.failure ?? Failure(failures)
    next = end.first
    (failed, isDecided) = (failure.step, failure.isDecided)
  }

  /// The failure of a run so far.
  fileprivate struct Failure {
    let step: Address?
    let isDecided: Bool

    init(_ failures: FailedSteps) { (step, isDecided) = (failures.first, failures.areDecided) }
  }

  private static func options(_ journal: Journal, _ redactor: Redactor) -> Session.Options {
    var options = Session.Options()
    options.virtualTime = VirtualTime()
    (options.seed, options.name) = (journal.header.seed, journal.run)
    options.redactor = redactor
    return options
  }
}

/// The components of a trial, whose first calls end it.
///
/// A call waits until no other branch of the run has anything recorded left to do.
private final class TrialEnd: Caller {
  private struct State {
    var first: Invocation?
    var waiting: [Address] = []
    /// The failure when the run stopped.
    var failure: JournalTrial.Failure?
  }

  private let session: Session
  private let recorder: JournalRecorder
  private let failures: FailedSteps
  private let state = Mutex(State())

  init(of session: Session, _ recorder: JournalRecorder, _ failures: FailedSteps) {
    (self.session, self.recorder, self.failures) = (session, recorder, failures)
  }

  /// The first call, or nil if there was none.
  var first: Invocation? { state.withLock(\.first) }

  /// The failure when the run stopped, or nil if it did not stop at a call.
  var failure: JournalTrial.Failure? { state.withLock(\.failure) }

  /// Opens every component, and answers no call.
  func call(_ invocation: Invocation) async throws -> Outcome {
    if case .open = invocation.target { return .answer(.record(RecordValue(.empty, []))) }
    state.withLock { state in
      state.first = state.first ?? invocation
      state.waiting.append(invocation.address)
    }
    defer { state.withLock { $0.waiting.removeAll { $0 == invocation.address } } }
    try await session.untilCancelled()
    let failure = JournalTrial.Failure(failures)
    state.withLock { $0.failure = $0.failure ?? failure }
    recorder.stop()
    throw CancellationError()
  }

  /// Keeps a step from the end of its time while its call would be made.
  func wait(atTheTimeOf step: Address) -> (@Sendable () async -> Void)? {
    guard state.withLock({ $0.waiting.contains { $0.belongs(to: step) } }) else { return nil }
    return { [session] in try? await session.untilCancelled() }
  }

  func close(_ scope: Address) async {}

  func finish() async throws {}
}
