internal import FlowSystem
private import Synchronization

/// The running scenarios of a suite at this moment, and the remaining work.
///
///     1/4 done, 1 failed, about 5 s left
///       1 min 15 s  b.yaml  (slow)
package final class SuiteProgress: Sendable {
  /// A running scenario.
  fileprivate struct Running {
    let path: String
    let activity: RunActivity
    let began: Duration
    var isSlow = false
  }

  fileprivate struct State {
    /// The running scenarios by their number, in the order of their start.
    var running: [Int: Running] = [:]
    var done = 0
    var failed = 0
    /// The total expected time of the ended scenarios, in microseconds.
    var doneWork = 0
    /// The end of the last of them.
    var doneAt = Duration.zero
  }

  /// The expected time of each scenario in microseconds, 1 or more.
  private let work: [Int]
  private let slowAfter: Duration?
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Creates the progress of a suite that has not started.
  ///
  /// - Parameters:
  ///   - durations: The microseconds of each scenario's last run, or nil for a scenario that has not run.
  ///   - slowAfter: The time after which a scenario is slow, or nil for never.
  ///   - clock: The clock for durations.
  package init(
    durations: [Int?], slowAfter: Duration?, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.slowAfter = slowAfter
    let known = durations.compactMap { $0 }
    let mean = known.isEmpty ? 1 : known.reduce(0, +) / known.count
    work = durations.map { max(1, $0 ?? mean) }
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Notes the start of a scenario by its number from 0.
  ///
  /// Returns the activity of its runs.
  package func begin(_ number: Int, _ path: String) -> RunActivity {
    let running = Running(path: path, activity: RunActivity(), began: elapsed())
    state.withLock { $0.running[number] = running }
    return running.activity
  }

  /// Notes the end of a scenario.
  package func end(_ number: Int, hasFailed: Bool) {
    let now = elapsed()
    state.withLock { state in
      state.running[number] = nil
      state.done += 1
      state.doneWork += work[number]
      state.doneAt = now
      if hasFailed { state.failed += 1 }
    }
  }

  // MARK: - Texts

  /// Returns the rows of a live region: the progress of the suite, and the running work with its
  /// times.
  package func rows(in size: LiveRegion.Size) -> [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    let lines = state.inOrder.map { running in
      let slow = isSlow(running, at: now) ? "  (slow)" : ""
      return "\((now - running.began).clockText)  \(running.path.onOneLine)\(slow)"
    }
    return [title(state, now)] + lines.limited(in: size).map { "  \($0)" }
  }

  /// The progress of the suite and the place of each run.
  package var places: [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    return [title(state, now)] + state.inOrder.flatMap { $0.activity.places(of: $0.path) }
  }

  /// Returns the running scenarios that have become slow since the last call, a line each.
  package func newlySlow() -> [String] {
    let now = elapsed()
    return state.withLock { state in
      let slow = state.running.keys.sorted().filter { number in
        guard let running = state.running[number], !running.isSlow else { return false }
        return isSlow(running, at: now)
      }
      for number in slow { state.running[number]?.isSlow = true }
      return slow.compactMap { state.running[$0] }.map { running in
        "slow: \(running.path.onOneLine) has been running for \((now - running.began).clockText)"
      }
    }
  }

  private func isSlow(_ running: Running, at now: Duration) -> Bool {
    slowAfter.map { now - running.began > $0 } ?? false
  }

  /// Returns `12/200 done, 1 failed, about 20 s left`.
  private func title(_ state: State, _ now: Duration) -> String {
    var parts = ["\(state.done)/\(work.count) done"]
    if state.failed > 0 { parts.append("\(state.failed) failed") }
    if let left = left(state, now) { parts.append("about \(left.clockText) left") }
    return parts.joined(separator: ", ")
  }

  /// Returns the time left at the present speed, or nil while it cannot be known.
  private func left(_ state: State, _ now: Duration) -> Duration? {
    let rest = work.reduce(0, +) - state.doneWork
    guard state.done > 0, rest > 0, now >= .seconds(1) else { return nil }
    let left = state.doneAt * (Double(rest) / Double(state.doneWork))
    return max(.zero, left - (now - state.doneAt))
  }
}

extension SuiteProgress.State {
  fileprivate var inOrder: [SuiteProgress.Running] {
    running.keys.sorted().compactMap { running[$0] }
  }
}
