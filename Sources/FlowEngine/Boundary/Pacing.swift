package import FlowCore

/// The waits of a replayed run, whose answers come at once, so that it stops where the recorded
/// run stopped.
package struct Pacing: Sendable {
  /// Waits before a step with a failed branch cuts off its other branches, which continue
  /// meanwhile.
  ///
  /// Called with the step's address after the first branch has failed. It runs on a task of the
  /// step's group, which is cancelled with the step. Nil if there is nothing to wait for.
  package var beforeCutOff: (@Sendable (Address) async -> Void)?
  /// Waits before a step is stopped at the end of its time.
  ///
  /// Nil if there is nothing to wait for.
  ///
  /// The step has its whole time once more afterwards. Called with the step's address each time
  /// when its time is over. The wait is cancelled when the step ends.
  package var beforeTimeout: @Sendable (Address) -> (@Sendable () async -> Void)?
  /// Returns the requests from outside to wait for after a step's call, or nil for a run that is
  /// not replayed.
  package var requests: RecordedRequests?
  /// The timers of the run before its interruption, or nil.
  package var timers: (any Timers)?
  /// Returns true if nothing may be done any more, not even in `finally`, because the run will be
  /// resumed from here.
  package var isOver: @Sendable () -> Bool

  /// Unless said, nothing is waited for.
  package init(
    beforeCutOff: (@Sendable (Address) async -> Void)? = nil,
    beforeTimeout: @escaping @Sendable (Address) -> (@Sendable () async -> Void)? = { _ in nil },
    requests: RecordedRequests? = nil, timers: (any Timers)? = nil,
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.beforeCutOff = beforeCutOff
    self.beforeTimeout = beforeTimeout
    self.requests = requests
    self.timers = timers
    self.isOver = isOver
  }
}

/// Returns the requests from outside to wait for after a step's call.
package typealias RecordedRequests = @Sendable (Invocation) -> RequestWait

/// The wait for requests from outside after a step's call.
package enum RequestWait: Sendable {
  /// None, because the step's component is absent.
  case none
  /// Until none has come for a while.
  case silence
  /// Until these have come, or have not come in this time.
  case requests(ExpectedRequests, within: Duration)
}

/// The recorded requests from outside that a step of a replay waits for.
package struct ExpectedRequests: Sendable {
  /// Waits for those that the step's answer waited for.
  let due: @Sendable () async -> Void
  /// Waits for those that came later, and may come during a later step.
  let late: @Sendable () async -> Void
  /// Returns the cause of the step's failure, or nil.
  ///
  /// The argument is the reason that one of its requests had no answer.
  let cause: @Sendable (BoundaryFailure?) -> BoundaryFailure?

  /// Creates the requests of a step.
  package init(
    due: @escaping @Sendable () async -> Void, late: @escaping @Sendable () async -> Void,
    cause: @escaping @Sendable (BoundaryFailure?) -> BoundaryFailure?
  ) {
    (self.due, self.late, self.cause) = (due, late, cause)
  }
}

/// A timer of a run, at the address of a step.
package enum RunTimer: Hashable, Sendable {
  /// The duration of a `wait`.
  case wait
  /// The pause before an attempt, of this number from 2.
  case retry(before: Int)
}

/// A store of a run's timers.
///
/// A resumed run waits only for the remaining time.
package protocol Timers: Sendable {
  /// Notes the start of a timer and returns the remaining time, from zero to `whole`.
  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> Duration
  /// Notes the cancellation of a timer.
  func cancel(_ timer: RunTimer, at address: Address)
}
