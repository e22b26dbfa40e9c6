private import Dispatch
internal import FlowCore
private import Synchronization

/// A clock whose time passes only when nothing else is left to do.
///
/// Sleeping takes no time: when every task sleeps, `VirtualTime` sets the clock to the next deadline and wakes the
/// task that waits for it, in the order of deadlines and then of falling asleep.
public final class VirtualClock: Clock, Sendable {
  /// A time since the clock was made.
  public struct Instant: InstantProtocol, Sendable {
    /// How long the clock has been running; zero or more.
    public let offset: Duration

    /// The instant `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later the other instant is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Earlier comes first.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// When a sleeper wakes up.
  private enum Alarm: Sendable {
    /// When nothing is ready; time stays where it is. The offset is the present one.
    case settled(Duration)
    /// When the clock comes there.
    case at(Duration)
    /// When no task sleeps.
    case idle
    /// When no task even waits for the others to be idle.
    case stuck

    /// Its place in time, then its place among those without one.
    private var rank: (Duration, Int) {
      switch self {
      case .settled(let now): (now, 0)
      case .at(let deadline): (deadline, 0)
      case .idle: (.seconds(Int64.max), 1)
      case .stuck: (.seconds(Int64.max), 2)
      }
    }

    static func isEarlier(_ left: Alarm, _ right: Alarm) -> Bool { left.rank < right.rank }
  }

  private let sleepers = Monitor<Duration, Alarm, Void>(.zero)
  /// Called whenever a task has fallen asleep.
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)

  /// A clock that starts at zero.
  public init() {}

  /// The present virtual time.
  public var now: Instant { Instant(offset: sleepers.withLock { now, _ in now }) }

  /// Time passes in jumps of any size.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock has come to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(.at(deadline.offset)) { now in deadline.offset <= now ? .success(()) : nil }
  }

  /// Suspends until nothing is left to do unless time passes, or until the task is cancelled.
  package func settle() async {
    try? await sleep(.settled(now.offset))
  }

  /// Suspends until nothing is left to do, however much time passes, apart from what waits in `untilStuck`.
  ///
  /// No time passes by that: whatever is waited for here will never come.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  package func untilIdle() async throws {
    try await sleep(.idle)
  }

  /// Suspends until nothing at all is left to do: only cancellation can end what waits here.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  package func untilStuck() async throws {
    try await sleep(.stuck)
  }

  private func sleep(
    _ alarm: Alarm, _ attempt: (inout Duration) -> Result<Void, any Error>? = { _ in nil }
  ) async throws {
    try await sleepers.wait(for: alarm, attempt, onWait: { listener.withLock { $0 }?() })
  }

  /// Calls a function whenever a task has fallen asleep; one function alone.
  func whenAsleep(_ listener: @escaping @Sendable () -> Void) {
    self.listener.withLock { $0 = listener }
  }

  /// Jumps to the next deadline and wakes one sleeper; does nothing when no task sleeps.
  func advance() {
    sleepers.withLock { now, sleepers in
      let next = sleepers.resumeLeast(by: Alarm.isEarlier) { _ in () }
      if case .at(let deadline)? = next { now = max(now, deadline) }
    }
  }
}

/// Runs work on one thread and lets a virtual clock's time pass whenever nothing is ready.
///
/// All tasks that are started with a preference for this executor, and the default actors that they call, are executed in the
/// order in which they become ready. The executor knows when its queue is empty, so nothing is guessed
/// by yielding or sleeping. Work that leaves it (a detached task, an actor with an executor of its own,
/// a thread) is not waited for: the clock may pass while it goes on.
package final class VirtualTime: TaskExecutor, HeldTime {
  /// The clock; give it to whatever sleeps.
  package let clock = VirtualClock()

  private let queue = DispatchQueue(label: "flow.virtual-time")
  private let ready = Mutex(0)
  private let held = Mutex(0)

  /// How often time was held so far.
  package var holds: Int { held.withLock { $0 } }

  /// Time that starts at zero.
  package init() {
    // A task that falls asleep elsewhere, when nothing is left to do here, would never be woken up otherwise.
    clock.whenAsleep { [weak self] in self?.look() }
  }

  private func look() {
    ready.withLock { $0 += 1 }
    release()
  }

  /// Lets no time pass until `release` was called as often as this: work goes on elsewhere.
  package func hold() {
    held.withLock { $0 += 1 }
    ready.withLock { $0 += 1 }
  }

  /// Ends what one call of `hold` began.
  package func release() {
    queue.async { [self] in advanceIfIdle() }
  }

  private func advanceIfIdle() {
    let isIdle = ready.withLock { ready in
      ready -= 1
      return ready == 0
    }
    // Waking a sleeper makes its task ready, which brings it here again.
    if isIdle { clock.advance() }
  }

  /// Called by the runtime for every task that has become ready.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0 += 1 }
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      advanceIfIdle()
    }
  }
}

/// Runs work on one thread, in the order in which it becomes ready.
///
/// Work that is on its way to an actor is not overtaken by work that became ready later, so what a journal
/// says was begun first was begun first.
final class OneThread: TaskExecutor {
  private struct State {
    /// How much work is ready or going on.
    var ready = 0
    /// What waits until nothing is.
    var settling: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = DispatchQueue(label: "flow.one-thread")
  private let state = Mutex(State())

  /// Called by the runtime for every task that has become ready.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready += 1 }
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      let next = state.withLock { state in
        state.ready -= 1
        return state.ready == 0 && !state.settling.isEmpty ? state.settling.removeFirst() : nil
      }
      next?.resume()
    }
  }

  /// Suspends until nothing else is ready; of several that wait, one goes on at a time.
  func settle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        // Called from elsewhere: nothing here would end the waiting.
        if state.ready == 0 { return true }
        state.settling.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }
}
