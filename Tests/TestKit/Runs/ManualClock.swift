private import Synchronization

/// A clock for tests, whose time passes only on their demand.
package final class ManualClock: Clock {
  /// A time since the clock was made.
  package struct Instant: InstantProtocol {
    package let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var count = 0
    var sleepers: [Sleeper] = []
    /// The sleepers that were cancelled before they slept.
    var cancelled: Set<Int> = []
    /// The watchers, each with its number of sleepers.
    var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// The watcher, if there are enough sleepers for it.
    mutating func takeWatcher() -> CheckedContinuation<Void, Never>? {
      guard let watcher, sleepers.count >= watcher.count else { return nil }
      self.watcher = nil
      return watcher.continuation
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until this many tasks sleep, then lets time pass until the first of them wakes up.
  ///
  /// - Returns: How much time passed.
  @discardableResult package func pass(sleepers: Int = 1) async -> Duration {
    await sleeping(sleepers)
    let (elapsed, awake) = state.withLock { state in
      let start = state.now
      state.now = state.sleepers.map(\.deadline).min() ?? start
      let awake = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return (start.duration(to: state.now), awake)
    }
    for sleeper in awake { sleeper.continuation.resume() }
    return elapsed
  }

  /// Waits until this many tasks sleep.
  package func sleeping(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let watcher = state.withLock {
        $0.watcher = (count, continuation)
        return $0.takeWatcher()
      }
      watcher?.resume()
    }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(Sleeper(number: number, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      wakeUp(number)
    }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    let (isCancelled, watcher) = state.withLock { state in
      if state.cancelled.remove(sleeper.number) != nil {
        return (true, CheckedContinuation<Void, Never>?.none)
      }
      state.sleepers.append(sleeper)
      return (false, state.takeWatcher())
    }
    if isCancelled { sleeper.continuation.resume(throwing: CancellationError()) }
    watcher?.resume()
  }

  private func wakeUp(_ number: Int) {
    let sleeper = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return Sleeper?.none
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
