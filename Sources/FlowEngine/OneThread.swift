private import Dispatch
private import Synchronization

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
