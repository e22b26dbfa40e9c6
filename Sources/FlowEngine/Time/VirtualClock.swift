internal import FlowCore
private import Synchronization

/// A clock whose time passes only when nothing else is left to do.
///
/// Sleeping takes no time: when every task sleeps, `VirtualTime` sets the clock to the next deadline and wakes the
/// task that waits for it, in the order of deadlines and then of falling asleep.
public final class VirtualClock: Clock, Sendable {
  /// A time since the clock was made.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the start of the clock, zero or more.
    public let offset: Duration

    /// The instant `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time from this instant to the other.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Earlier comes first.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// The condition under which a sleeper wakes up.
  private enum Alarm: Sendable {
    /// Nothing is ready.
    ///
    /// Time does not move, and the offset is the present one.
    case settled(Duration)
    /// The clock reaches this offset.
    case at(Duration)
    /// No task sleeps.
    case idle
    /// No task sleeps or waits for the others to be idle.
    case stuck

    /// Its place in time, then its place among alarms without one.
    private var rank: (Duration, Int) {
      switch self {
      case .settled(let now): (now, 0)
      case .at(let deadline): (deadline, 0)
      case .idle: (.seconds(Int64.max), 1)
      case .stuck: (.seconds(Int64.max), 2)
      }
    }

    static func isEarlier(_ left: Alarm, _ right: Alarm) -> Bool { left.rank < right.rank }

    /// The time to wake up while time follows real time, or nil for never.
    func due(_ rest: Rest) -> Duration? {
      switch self {
      case .settled(let now): rest.isHeld ? now + Patience.settling : now
      case .at(let deadline): deadline
      case .idle: rest.isHeld ? nil : rest.start + Patience.idleness
      case .stuck: rest.isHeld ? nil : rest.start + Patience.programs
      }
    }
  }

  /// A span in which no work was ready while time follows real time.
  struct Rest {
    /// The time of its start.
    let start: Duration
    /// True while work goes on outside.
    let isHeld: Bool
  }

  /// The effect of looking at the sleepers.
  enum Wake {
    /// One of them goes on.
    case woken
    /// The first of them goes on after this span of real time.
    case due(after: Duration)
    /// None will go on by itself.
    case none
  }

  /// The present time, which stands still or follows real time.
  private struct Time {
    private var offset = Duration.zero
    private var start: ContinuousClock.Instant?

    var now: Duration { start.map { offset + $0.duration(to: .now) } ?? offset }

    mutating func jump(to deadline: Duration) { offset = max(offset, deadline) }

    mutating func follow(_ isFollowing: Bool) {
      offset = now
      start = isFollowing ? .now : nil
    }
  }

  private let sleepers = Monitor<Time, Alarm, Void>(Time())
  /// Told whenever a task has fallen asleep.
  private let listener = Mutex(Listener())

  /// A function, in a structure: a mutex of the function itself wraps it anew each time it is looked at.
  private struct Listener {
    var call: @Sendable () -> Void = {}
  }

  /// Creates a clock that starts at zero.
  public init() {}

  /// The present virtual time.
  public var now: Instant { Instant(offset: sleepers.withLock { time, _ in time.now }) }

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

  /// Suspends until nothing is left to do at any time, apart from tasks in `untilStuck`.
  ///
  /// No time passes: any event awaited by the remaining tasks will never come.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  package func untilIdle() async throws {
    try await sleep(.idle)
  }

  /// Suspends until nothing at all is left to do, and only cancellation can end the remaining
  /// waits.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  package func untilStuck() async throws {
    try await sleep(.stuck)
  }

  private func sleep(
    _ alarm: Alarm, _ attempt: (Duration) -> Result<Void, any Error>? = { _ in nil }
  ) async throws {
    try await sleepers.wait(
      for: alarm, { attempt($0.now) }, onWait: { listener.withLock { $0.call }() })
  }

  /// Sets the one function called whenever a task has fallen asleep.
  func whenAsleep(_ listener: @escaping @Sendable () -> Void) {
    self.listener.withLock { $0.call = listener }
  }

  /// Jumps to the next deadline and wakes one sleeper.
  ///
  /// Returns false if no task sleeps.
  func advance() -> Bool {
    sleepers.withLock { time, sleepers in
      let next = sleepers.resumeLeast(by: Alarm.isEarlier) { _ in () }
      if case .at(let deadline)? = next { time.jump(to: deadline) }
      return next != nil
    }
  }

  /// Lets time follow real time from now on, or stand still.
  func follow(_ isFollowing: Bool) {
    sleepers.withLock { time, _ in time.follow(isFollowing) }
  }

  /// Wakes one sleeper whose time has come while time follows real time.
  func wake(_ rest: Rest) -> Wake {
    sleepers.withLock { time, sleepers in
      let never = Duration.seconds(Int64.max)
      let isEarlier = { (left: Alarm, right: Alarm) in
        (left.due(rest) ?? never) < (right.due(rest) ?? never)
      }
      guard let due = sleepers.least(by: isEarlier)?.due(rest) else { return .none }
      let left = due - time.now
      if left > .zero { return .due(after: left) }
      _ = sleepers.resumeLeast(by: isEarlier) { _ in () }
      return .woken
    }
  }
}
