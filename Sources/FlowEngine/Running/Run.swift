internal import FlowPlan
private import Synchronization

/// The shared parts of a run's executions.
final class Run: Sendable {
  let session: Session
  let caller: any Caller
  let pacing: Pacing?
  let retried = RetriedAttempts()
  private let told = Mutex<ContinuousClock.Instant?>(nil)

  init(session: Session, caller: any Caller, pacing: Pacing?) {
    self.session = session
    self.caller = caller
    self.pacing = pacing
  }

  var sinks: EventSinks { session.sinks }

  /// Returns true if no values were told in the last moment.
  func isDue() -> Bool {
    let now = ContinuousClock.now
    return told.withLock { told in
      if let told, told.duration(to: now) < .milliseconds(20) { return false }
      told = now
      return true
    }
  }
}

/// The failed attempts of repeated steps.
final class RetriedAttempts: Sendable {
  /// The most that are kept of a run, because a step may be tried very often.
  private static let most = 20

  private let kept = Mutex<[RunReport.Failure]>([])

  /// The attempts, in the order of their failures.
  var attempts: [RunReport.Failure] { kept.withLock { $0 } }

  /// Keeps an attempt unless there are many already.
  ///
  /// It is created only then.
  func add(_ attempt: @autoclosure () -> RunReport.Failure) {
    if attempts.count >= Self.most { return }
    let attempt = attempt()
    kept.withLock { if $0.count < Self.most { $0.append(attempt) } }
  }
}
