private import Dispatch
private import Synchronization

/// Runs work on one thread and lets a virtual clock's time pass whenever nothing is ready.
///
/// All tasks that are started with a preference for this executor, and the default actors that they call, are executed in the
/// order in which they become ready. The executor knows when its queue is empty, so nothing is guessed
/// by yielding or sleeping. Work that leaves it (a detached task, an actor with an executor of its own,
/// a thread) is not waited for: the clock may pass while it goes on.
public final class VirtualTime: TaskExecutor {
  /// The clock; give it to whatever sleeps.
  public let clock = VirtualClock()

  private let queue = DispatchQueue(label: "flow.virtual-time")
  private let ready = Mutex(0)

  /// Time that starts at zero.
  public init() {
    // Somebody who falls asleep elsewhere, when nothing is left to do here, would never be woken up otherwise.
    clock.whenAsleep { [weak self] in self?.look() }
  }

  private func look() {
    ready.withLock { $0 += 1 }
    queue.async { [self] in advanceIfIdle() }
  }

  private func advanceIfIdle() {
    let isIdle = ready.withLock { ready in
      ready -= 1
      return ready == 0
    }
    // Waking a sleeper makes its task ready, which brings it here again.
    if isIdle { _ = clock.advance() }
  }

  /// Called by the runtime for every task that has become ready.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0 += 1 }
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      advanceIfIdle()
    }
  }
}
