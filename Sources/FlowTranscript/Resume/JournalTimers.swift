internal import FlowCore
internal import FlowEngine

/// The timers of a journal: until when the run waits, in real time.
///
/// A clock that was set meanwhile makes no wait longer than it is in the scenario.
struct JournalTimers: Timers {
  let recorder: JournalRecorder

  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> Duration {
    let now = SystemTime.now()
    let until = now.advanced(by: whole) ?? now
    guard let recorded = recorder.begin(timer, at: address, until: until) else { return whole }
    // The same cause will cancel it again.
    if recorded.wasCancelled { return whole }
    return min(whole, max(.zero, recorded.until.duration(since: now)))
  }

  func cancel(_ timer: RunTimer, at address: Address) { recorder.cancel(timer, at: address) }
}

extension RunTimer {
  /// Its name in a journal.
  var name: String {
    switch self {
    case .wait: "wait"
    case .retry(let attempt): "retry \(attempt)"
    }
  }

  /// Returns true if a journal may have a timer with this name.
  static func isName(_ name: String) -> Bool {
    if name == "wait" { return true }
    guard name.hasPrefix("retry "), let attempt = Int(name.dropFirst(6)) else { return false }
    return attempt >= 2 && RunTimer.retry(before: attempt).name == name
  }
}
