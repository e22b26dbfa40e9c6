internal import FlowCore
internal import FlowEngine

/// The timers of a journal: until when the run waits, in real time.
///
/// A clock that was set meanwhile makes no wait longer than it is in the scenario.
struct JournalTimers: Timers {
  let recorder: JournalRecorder
  let calls: RecordedCalls

  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> TimeLeft {
    let now = SystemTime.now()
    let until = now.advanced(by: whole) ?? now
    guard let (timer, stoppedStep) = recorder.begin(timer, at: address, until: until, now: now)
    else { return .whole }
    switch timer.wasOver {
    case true?: return .none
    // It was not what stopped the step, and will not be now.
    case false?: return .whole
    // Whatever comes after it is not done any more, unless it was.
    case nil where stoppedStep.map { !calls.hasLeft(inside: $0) } ?? false: return .whole
    case nil: return .some(min(whole, max(.zero, timer.until.duration(since: now))))
    }
  }

  func end(_ timer: RunTimer, at address: Address, isOver: Bool) {
    recorder.end(timer, at: address, isOver: isOver)
  }

  func catchUp(inside step: Address) async { await calls.untilMade(inside: step) }
}

extension RunTimer {
  /// Its name in a journal.
  var name: String {
    switch self {
    case .wait: "wait"
    case .timeout: "timeout"
    case .retry(let attempt): "retry \(attempt)"
    }
  }
}
