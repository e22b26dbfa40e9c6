private import Dispatch

/// Runs work on one thread, in the order in which it becomes ready.
///
/// Work that is on its way to an actor is not overtaken by work that became ready later, so what a journal
/// says was begun first was begun first.
public final class OneThread: TaskExecutor {
  private let queue = DispatchQueue(label: "flow.one-thread")

  /// A thread without work.
  public init() {}

  /// Called by the runtime for every task that has become ready.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
