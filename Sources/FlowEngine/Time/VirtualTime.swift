private import Dispatch
internal import FlowCore
private import Synchronization

/// An executor that runs work on one thread, and moves a virtual clock whenever nothing is ready.
///
/// It runs all tasks that prefer this executor, and the default actors that they call, in the order
/// in which they become ready or in the order of a scheduler. The executor knows when its queue is
/// empty, so it never guesses by yielding or sleeping. It does not wait for work that leaves it,
/// such as a detached task, an actor with another executor or a thread: the clock may move
/// meanwhile. While programs run by themselves it follows real time instead (`follow`).
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
    /// The number of live programs, while which time follows real time.
    var followed = 0
    /// The time since which no work was ready, while time follows real time.
    var restStart = Duration.zero
    /// True if work has run since then.
    var hasWorked = true
    /// The next look at the sleepers in real time, or nil.
    var alarm: ContinuousClock.Instant?
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
    var isScheduled: Bool { scheduler != nil && held == 0 && followed == 0 }

    /// True if time may pass.
    private var canPass: Bool { held == 0 || followed > 0 }

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
      (mayAdvance, hasWoken, hasWorked) = (true, false, true)
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
      guard isEmpty, canPass, mayAdvance else { return false }
      mayAdvance = false
      return true
    }

    /// Notes an advance, and returns true if it was the last one allowed.
    mutating func noteAdvance(_ hasWoken: Bool) -> Bool {
      self.hasWoken = hasWoken && hasNothingReady
      // Others may be due in a moment, whatever becomes of this one.
      if hasWoken, followed > 0 { mayAdvance = true }
      sleeps -= hasWoken ? 1 : 0
      return hasWoken && sleeps == 0
    }

    /// The present rest, or nil if time does not follow real time.
    mutating func rest(_ now: Duration) -> VirtualClock.Rest? {
      guard followed > 0 else { return nil }
      if hasWorked { (restStart, hasWorked) = (now, false) }
      return VirtualClock.Rest(start: restStart, isHeld: held > 0)
    }

    /// Sets the next look at the sleepers, and returns false if there is an earlier one.
    mutating func setAlarm(_ instant: ContinuousClock.Instant) -> Bool {
      if let alarm, alarm <= instant { return false }
      alarm = instant
      return true
    }

    /// Returns true if the thread is left, for lack of work.
    mutating func ends() -> Bool {
      isWorking = !isEmpty || canPass && mayAdvance
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

  /// True while it follows real time.
  package var followsRealTime: Bool { state.withLock { $0.followed > 0 } }

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

  /// Lets time follow real time until `unfollow` was called as often as this, because a program
  /// goes on by itself.
  package func follow() { follow(by: 1) }

  /// Ends one such span.
  package func unfollow() { follow(by: -1) }

  private func follow(by change: Int) {
    start { [clock] state in
      let wasFollowing = state.followed > 0
      state.followed += change
      if wasFollowing != (state.followed > 0) { clock.follow(!wasFollowing) }
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
        let hasWoken = advance()
        state.withLock { $0.noteAdvance(hasWoken) ? $0.standstill : nil }?(.endless)
      } else if state.withLock({ $0.ends() }) {
        return watchRest()
      }
    }
  }

  /// Wakes the next sleeper: at once, or when its time has come while time follows real time.
  private func advance() -> Bool {
    let now = clock.now.offset
    guard let rest = state.withLock({ $0.rest(now) }) else { return clock.advance() }
    switch clock.wake(rest) {
    case .woken: return true
    case .due(let span): look(after: span)
    case .none: break
    }
    return false
  }

  /// Looks at the sleepers again after a real span.
  private func look(after span: Duration) {
    let instant = ContinuousClock.now + span
    guard state.withLock({ $0.setAlarm(instant) }) else { return }
    let nanoseconds = Int(min(span, .seconds(86_400)) / .nanoseconds(1)) + 1
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      self?.start { state in
        if state.alarm == instant { state.alarm = nil }
        state.mayAdvance = true
      }
    }
  }

  /// Checks after a while that something has happened, for the scheduler and for sleepers.
  private func watchRest() {
    let (rests, patience) = state.withLock { state in
      let isWatched = state.hasWoken || state.scheduler != nil && state.held == 0
      let patience = state.followed > 0 ? Patience.programs : Patience.standstill
      return (isWatched ? state.rests : nil, patience)
    }
    guard let rests else { return }
    queue.asyncAfter(deadline: .now() + .seconds(Int(patience.components.seconds))) { [weak self] in
      self?.onThread { $0.end(rest: rests) }
    }
  }

  /// Wakes the next sleeper or reports a standstill, unless a rest has ended meanwhile.
  private func end(rest: Int) {
    let (isResting, hasWoken, standstill) = state.withLock { state in
      (
        state.rests == rest && !state.isWorking && state.alarm == nil,
        state.hasWoken && state.held == 0, state.standstill
      )
    }
    guard isResting else { return }
    // The one before went on elsewhere, and has not slept again.
    if hasWoken { return start { $0.mayAdvance = true } }
    standstill(.stuck)
  }
}
