private import Synchronization

/// A clock whose time passes only when nothing else is left to do.
///
/// Sleeping takes no time: when everybody sleeps, `VirtualTime` sets the clock to the next deadline
/// and wakes whoever waits for it, in the order of deadlines and then of falling asleep.
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

  private struct Sleeper {
    let key: Int
    let deadline: Duration
    /// Whether time stays where it is when it wakes up.
    let isTimeless: Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var nextKey = 0
    /// By deadline, then by key.
    var sleepers: [Sleeper] = []
    /// Who was cancelled before falling asleep.
    var cancelled: Set<Int> = []
    /// Told whenever somebody has fallen asleep.
    var listener: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// A clock that starts at zero.
  public init() {}

  /// The present virtual time.
  public var now: Instant { Instant(offset: state.withLock { $0.now }) }

  /// Time passes in jumps of any size.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock has come to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(until: deadline, isTimeless: false)
  }

  /// Suspends until nothing is left to do unless time passes, or until the task is cancelled.
  public func settle() async {
    try? await sleep(until: now, isTimeless: true)
  }

  /// Suspends until everybody else has nothing to do for 90 years; no time passes by that.
  ///
  /// No scenario waits for so long, so whatever one waits for here will never come.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleepUntilNothingElse() async throws {
    try await sleep(until: now.advanced(by: .seconds(2_838_240_000)), isTimeless: true)
  }

  private func sleep(until deadline: Instant, isTimeless: Bool) async throws {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(
          Sleeper(
            key: key, deadline: deadline.offset, isTimeless: isTimeless, continuation: continuation)
        )
      }
    } onCancel: {
      wake(key)
    }
  }

  /// Tells whenever somebody has fallen asleep; one listener alone.
  func whenAsleep(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.listener = listener }
  }

  /// Jumps to the next deadline and wakes one sleeper; false when nobody sleeps.
  func advance() -> Bool {
    let next: Sleeper? = state.withLock { state in
      guard !state.sleepers.isEmpty else { return nil }
      let next = state.sleepers.removeFirst()
      if !next.isTimeless { state.now = max(state.now, next.deadline) }
      return next
    }
    next?.continuation.resume()
    return next != nil
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    let error: (any Error)?? = state.withLock { state in
      if state.cancelled.remove(sleeper.key) != nil { return .some(CancellationError()) }
      if sleeper.deadline <= state.now, !sleeper.isTimeless { return .some(nil) }
      let index = state.sleepers.firstIndex { $0.deadline > sleeper.deadline }
      state.sleepers.insert(sleeper, at: index ?? state.sleepers.endIndex)
      return nil
    }
    switch error {
    case nil: state.withLock { $0.listener }?()
    case .some(nil): sleeper.continuation.resume()
    case .some(let error?): sleeper.continuation.resume(throwing: error)
    }
  }

  private func wake(_ key: Int) {
    let sleeper: Sleeper? = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.key == key }) else {
        state.cancelled.insert(key)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
