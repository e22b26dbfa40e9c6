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
  /// Told whenever a task has fallen asleep.
  private let listener = Mutex(Listener())

  /// A function, in a structure: a mutex of the function itself wraps it anew each time it is looked at.
  private struct Listener {
    var call: @Sendable () -> Void = {}
  }

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
    try await sleepers.wait(for: alarm, attempt, onWait: { listener.withLock { $0.call }() })
  }

  /// Calls a function whenever a task has fallen asleep; one function alone.
  func whenAsleep(_ listener: @escaping @Sendable () -> Void) {
    self.listener.withLock { $0.call = listener }
  }

  /// Jumps to the next deadline and wakes one sleeper; false when no task sleeps.
  func advance() -> Bool {
    sleepers.withLock { now, sleepers in
      let next = sleepers.resumeLeast(by: Alarm.isEarlier) { _ in () }
      if case .at(let deadline)? = next { now = max(now, deadline) }
      return next != nil
    }
  }
}

/// Runs work on one thread and lets a virtual clock's time pass whenever nothing is ready.
///
/// All tasks that are started with a preference for this executor, and the default actors that they call, are executed in the
/// order in which they become ready, or in the one that a scheduler decides. The executor knows when its queue is empty,
/// so nothing is guessed by yielding or sleeping. Work that leaves it (a detached task, an actor with an executor of
/// its own, a thread) is not waited for: the clock may pass while it goes on.
package final class VirtualTime: TaskExecutor, HeldTime {
  private struct State {
    /// What is ready, from `next` on.
    var ready: [ReadyWork] = []
    var next = 0
    /// What waits until nothing else is ready.
    var aside: [ReadyWork] = []
    /// How much goes on elsewhere that time waits for.
    var held = 0
    /// How often time was held so far.
    var holds = 0
    /// For how long in real time, until it was released last, and since when it is held.
    var (heldBefore, heldSince) = (Duration.zero, ContinuousClock.now)
    /// Whether the thread works, or is about to.
    var isWorking = false
    /// The thread while it works; asking Dispatch for it would cost more than a lock.
    var thread: UInt?
    /// Whether anything has happened since the clock was advanced last: once more would wake nothing otherwise.
    var mayAdvance = true
    /// Whether the clock has woken a sleeper that has not gone on here.
    var hasWoken = false
    var scheduler: (any Scheduler)?
    var standstill: @Sendable (Standstill) -> Void = { _ in }
    /// How often the clock may still be advanced.
    var sleeps = Int.max
    /// How often the thread was left.
    var rests = 0
    /// The tasks that came back from elsewhere while no time was held, as far as a scheduler cares.
    var strays: Set<UInt64> = []
    /// Whether a task that has paused is being resumed, and what became ready by that.
    var isResuming = false
    var resumed: ReadyWork?

    /// Whether this is the run's own thread.
    var isOnThread: Bool { thread == ThreadNumber.current }

    /// Whether a scheduler decides what goes on, and nothing goes on elsewhere.
    var isScheduled: Bool { scheduler != nil && held == 0 }

    /// For how long in real time it was held so far.
    var heldTime: Duration {
      held > 0 ? heldBefore + heldSince.duration(to: .now) : heldBefore
    }

    private var isEmpty: Bool { next == ready.count && aside.isEmpty }

    /// Whether what becomes ready now is next.
    var hasNothingReady: Bool { next == ready.count }

    /// What goes on now; nil when nothing is ready.
    mutating func takeNext() -> ReadyWork? {
      if next == ready.count {
        ready.removeAll(keepingCapacity: true)
        next = 0
        swap(&ready, &aside)
        if ready.isEmpty { return nil }
      }
      if let scheduler, ready.count - next > 1 { delay(by: scheduler) }
      (mayAdvance, hasWoken) = (true, false)
      let work = ready[next]
      next += 1
      if case .pause = work { isResuming = true }
      // Seldom, so that each piece of work is moved once or so.
      if next > 256, 2 * next > ready.count {
        ready.removeFirst(next)
        next = 0
      }
      return work
    }

    private mutating func delay(by scheduler: any Scheduler) {
      let (count, length) = scheduler.delay(ready[next...])
      if count == 0 { return }
      for work in Array(ready[next..<(next + count)]) {
        switch length {
        case .behindOthers: ready.append(work)
        case .untilIdle: aside.append(work)
        }
      }
      next += count
    }

    /// Whether the clock is advanced now, for want of anything else.
    mutating func advances() -> Bool {
      guard isEmpty, held == 0, mayAdvance else { return false }
      mayAdvance = false
      sleeps -= 1
      return true
    }

    /// Whether the thread is left, for want of anything to do.
    mutating func ends() -> Bool {
      isWorking = !isEmpty || held == 0 && mayAdvance
      if !isWorking { rests += 1 }
      return !isWorking
    }
  }

  /// The clock; give it to whatever sleeps.
  package let clock = VirtualClock()

  private let queue = DispatchQueue(label: "flow.virtual-time")
  private let state = Mutex(State())

  /// How often time was held so far.
  package var holds: Int { state.withLock { $0.holds } }

  /// Time that starts at zero.
  package init() {
    // A task that falls asleep elsewhere, when nothing is left to do here, would never be woken up otherwise.
    clock.whenAsleep { [weak self] in self?.start { $0.mayAdvance = true } }
  }

  /// Lets a scheduler decide from now on, or nothing.
  ///
  /// - Parameters:
  ///   - scheduler: What decides; nothing for nil.
  ///   - mostSleeps: How often the clock is advanced before the run counts as endless.
  ///   - standstill: Called when nothing goes on any more, or has gone on for too long.
  /// - Returns: The tasks that came back from elsewhere, under the one before: it did not decide when.
  @discardableResult
  package func schedule(
    by scheduler: (any Scheduler)?, mostSleeps: Int = .max,
    standstill: @escaping @Sendable (Standstill) -> Void = { _ in }
  ) -> Set<UInt64> {
    state.withLock { state in
      defer {
        (state.scheduler, state.sleeps) = (scheduler, mostSleeps)
        (state.standstill, state.strays) = (standstill, [])
      }
      return state.strays
    }
  }

  /// Lets no time pass until `release` was called as often as this: work goes on elsewhere.
  package func hold() {
    state.withLock { state in
      if state.held == 0 { state.heldSince = .now }
      state.held += 1
      state.holds += 1
    }
  }

  /// Ends what one call of `hold` began.
  package func release() {
    start { state in
      if state.held == 1 { state.heldBefore = state.heldTime }
      state.held -= 1
      state.mayAdvance = true
    }
  }

  /// Waits until time has been held for a real span since now; false when the task is cancelled before.
  func isHeld(for span: Duration) async -> Bool {
    let end = state.withLock(\.heldTime) + span
    while case let left = end - state.withLock(\.heldTime), left > .zero {
      do { try await ContinuousClock().sleep(for: left) } catch { return false }
    }
    return true
  }

  /// Called by the runtime for every task that has become ready.
  package func enqueue(_ job: consuming ExecutorJob) {
    let work = ReadyWork.job(UnownedJob(job))
    start { state in
      if state.isResuming, state.isOnThread {
        state.isResuming = false
        return state.resumed = work
      }
      state.ready.append(work)
      if state.isScheduled, !state.isOnThread { state.strays.insert(work.task) }
    }
  }

  /// Lets the scheduler decide whether something else goes on first; nothing does in the plain order but what is ready.
  package func pause() async {
    // Nothing could come between. An actor would let its other callers go on meanwhile, so only without one.
    let actor: (any Actor)? = #isolation
    if actor == nil, state.withLock({ $0.hasNothingReady && $0.isOnThread }) { return }
    await unsafe withUnsafeContinuation { continuation in
      let work = unsafe ReadyWork.pause(continuation, task: TaskNumber.current)
      start { $0.ready.append(work) }
    }
  }

  /// Changes something, after which there may be something to do.
  private func start(_ change: (inout State) -> Void) {
    let isIdle = state.withLock { state in
      change(&state)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isIdle { queue.async { [self] in onThread { $0.work() } } }
  }

  /// Does something as the thread of the run.
  private func onThread(_ body: (VirtualTime) -> Void) {
    state.withLock { $0.thread = ThreadNumber.current }
    body(self)
    state.withLock { $0.thread = nil }
  }

  private func run(_ work: ReadyWork) {
    switch work {
    case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    case .pause(let continuation, _):
      unsafe continuation.resume()
      // It was chosen already, and goes on before anything else.
      let resumed = state.withLock { state in
        defer { (state.isResuming, state.resumed) = (false, nil) }
        return state.resumed
      }
      if let resumed { run(resumed) }
    }
  }

  /// Does what is ready, and lets time pass when nothing is, until neither is left.
  private func work() {
    while true {
      if let work = state.withLock({ $0.takeNext() }) {
        run(work)
      } else if state.withLock({ $0.advances() }) {
        // Waking a sleeper makes its task ready.
        let hasWoken = clock.advance()
        state.withLock { $0.hasWoken = hasWoken && $0.hasNothingReady }
        state.withLock { $0.sleeps == 0 ? $0.standstill : nil }?(.endless)
      } else if state.withLock({ $0.ends() }) {
        return watchRest()
      }
    }
  }

  /// Looks after a while whether anything has gone on, for the scheduler and for those that sleep.
  private func watchRest() {
    let rests = state.withLock { $0.isScheduled || $0.hasWoken ? $0.rests : nil }
    guard let rests else { return }
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in
      self?.onThread { $0.end(rest: rests) }
    }
  }

  /// Wakes the next sleeper, or says that nothing goes on; nothing if a rest has ended meanwhile.
  private func end(rest: Int) {
    let (isResting, hasWoken, standstill) = state.withLock {
      ($0.rests == rest && !$0.isWorking, $0.hasWoken && $0.held == 0, $0.standstill)
    }
    guard isResting else { return }
    // The one before went on elsewhere, and has not slept again.
    if hasWoken { return start { $0.mayAdvance = true } }
    standstill(.stuck)
  }
}
