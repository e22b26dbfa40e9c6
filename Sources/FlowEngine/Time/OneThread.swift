private import Dispatch
private import Synchronization

/// An executor that runs work on one thread, in the order in which it becomes ready.
///
/// Work on its way to an actor is not overtaken by work that became ready later, so the order of
/// starts in a journal is the true one.
final class OneThread: TaskExecutor {
  private struct State {
    /// The amount of work that is ready or running.
    var ready = 0
    /// The tasks waiting until no work is left.
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

  /// Suspends until nothing else is ready.
  ///
  /// Of several waiting tasks one continues at a time.
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
