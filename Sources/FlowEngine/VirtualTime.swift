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
  }

  private let sleepers = Monitor<Duration, Alarm, Void>(.zero)
  /// Told whenever a task has fallen asleep.
  private let listener = Mutex(Listener())

  /// A function, in a structure: a mutex of the function itself wraps it anew each time it is looked at.
  private struct Listener {
    var call: @Sendable () -> Void = {}
  }

  /// Creates a clock that starts at zero.
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
    _ alarm: Alarm, _ attempt: (inout Duration) -> Result<Void, any Error>? = { _ in nil }
  ) async throws {
    try await sleepers.wait(for: alarm, attempt, onWait: { listener.withLock { $0.call }() })
  }

  /// Sets the one function called whenever a task has fallen asleep.
  func whenAsleep(_ listener: @escaping @Sendable () -> Void) {
    self.listener.withLock { $0.call = listener }
  }

  /// Jumps to the next deadline and wakes one sleeper.
  ///
  /// Returns false if no task sleeps.
  func advance() -> Bool {
    sleepers.withLock { now, sleepers in
      let next = sleepers.resumeLeast(by: Alarm.isEarlier) { _ in () }
      if case .at(let deadline)? = next { now = max(now, deadline) }
      return next != nil
    }
  }
}

/// An executor that runs work on one thread, and moves a virtual clock whenever nothing is ready.
///
/// It runs all tasks that prefer this executor, and the default actors that they call, in the order
/// in which they become ready or in the order of a scheduler. The executor knows when its queue is
/// empty, so it never guesses by yielding or sleeping. It does not wait for work that leaves it,
/// such as a detached task, an actor with another executor or a thread: the clock may move
/// meanwhile.
package final class VirtualTime: TaskExecutor, HeldTime {
  private struct State {
    /// The ready work, from `next` on.
    var ready: [ReadyWork] = []
    var next = 0
    /// Work to run when nothing else is ready.
    var aside: [ReadyWork] = []
    /// The amount of outside work for which time stands still.
    var held = 0
    /// The number of times that time was held so far.
    var holds = 0
    /// For how long in real time, until it was released last, and since when it is held.
    var (heldBefore, heldSince) = (Duration.zero, ContinuousClock.now)
    /// True if the thread works, or is about to.
    var isWorking = false
    /// The thread while it works.
    ///
    /// Asking Dispatch for it would cost more than a lock.
    var thread: UInt?
    /// True if anything has happened since the last advance.
    ///
    /// Another advance would wake nothing otherwise.
    var mayAdvance = true
    /// True if the clock has woken a sleeper that has not continued here.
    var hasWoken = false
    var scheduler: (any Scheduler)?
    var standstill: @Sendable (Standstill) -> Void = { _ in }
    /// The number of advances still allowed.
    var sleeps = Int.max
    /// The number of times that the thread was left.
    var rests = 0
    /// The tasks that came back from elsewhere while no time was held, as far as a scheduler cares.
    var strays: Set<UInt64> = []
    /// True while a paused task is being resumed.
    ///
    /// `resumed` is the work that became ready by it.
    var isResuming = false
    var resumed: ReadyWork?

    /// True on the run's own thread.
    var isOnThread: Bool { thread == ThreadNumber.current }

    /// True if a scheduler decides the order, and nothing runs elsewhere.
    var isScheduled: Bool { scheduler != nil && held == 0 }

    /// For how long in real time it was held so far.
    var heldTime: Duration {
      held > 0 ? heldBefore + heldSince.duration(to: .now) : heldBefore
    }

    private var isEmpty: Bool { next == ready.count && aside.isEmpty }

    /// True if work that becomes ready now is next.
    var hasNothingReady: Bool { next == ready.count }

    /// Returns the next work, or nil if nothing is ready.
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
      // Seldom, so each piece of work is moved about once.
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

    /// Returns true if the clock is advanced now, for lack of other work.
    mutating func advances() -> Bool {
      guard isEmpty, held == 0, mayAdvance else { return false }
      mayAdvance = false
      sleeps -= 1
      return true
    }

    /// Returns true if the thread is left, for lack of work.
    mutating func ends() -> Bool {
      isWorking = !isEmpty || held == 0 && mayAdvance
      if !isWorking { rests += 1 }
      return !isWorking
    }
  }

  /// The clock for everything that sleeps.
  package let clock = VirtualClock()

  private let queue = DispatchQueue(label: "flow.virtual-time")
  private let state = Mutex(State())

  /// The number of times that time was held so far.
  package var holds: Int { state.withLock { $0.holds } }

  /// Creates a virtual time that starts at zero.
  package init() {
    // A task that falls asleep elsewhere, when nothing is left to do here, would never be woken up otherwise.
    clock.whenAsleep { [weak self] in self?.start { $0.mayAdvance = true } }
  }

  /// Sets the scheduler that decides from now on, or none.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler, or nil for the plain order.
  ///   - mostSleeps: The number of advances after which the run counts as endless.
  ///   - standstill: Called when nothing happens any more, or the run lasts too long.
  /// - Returns: The tasks that came back from elsewhere under the last scheduler, which did not
  ///   decide when.
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

  /// Stops time until `release` was called as often as this, because work continues elsewhere.
  package func hold() {
    state.withLock { state in
      if state.held == 0 { state.heldSince = .now }
      state.held += 1
      state.holds += 1
    }
  }

  /// Ends one hold.
  package func release() {
    start { state in
      if state.held == 1 { state.heldBefore = state.heldTime }
      state.held -= 1
      state.mayAdvance = true
    }
  }

  /// Waits until time has been held for a real span from now on.
  ///
  /// Returns false if the task is cancelled before.
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

  /// Lets the scheduler decide if something else runs first.
  ///
  /// In the plain order only ready work does.
  package func pause() async {
    // Nothing could come between. An actor would let its other callers go on meanwhile, so only without one.
    let actor: (any Actor)? = #isolation
    if actor == nil, state.withLock({ $0.hasNothingReady && $0.isOnThread }) { return }
    await unsafe withUnsafeContinuation { continuation in
      let work = unsafe ReadyWork.pause(continuation, task: TaskNumber.current)
      start { $0.ready.append(work) }
    }
  }

  /// Changes the state, after which there may be work.
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
      // It was chosen already, and continues before anything else.
      let resumed = state.withLock { state in
        defer { (state.isResuming, state.resumed) = (false, nil) }
        return state.resumed
      }
      if let resumed { run(resumed) }
    }
  }

  /// Runs ready work, and moves the clock when there is none, until neither is left.
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

  /// Checks after a while that something has happened, for the scheduler and for sleepers.
  private func watchRest() {
    let rests = state.withLock { $0.isScheduled || $0.hasWoken ? $0.rests : nil }
    guard let rests else { return }
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in
      self?.onThread { $0.end(rest: rests) }
    }
  }

  /// Wakes the next sleeper or reports a standstill, unless a rest has ended meanwhile.
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
