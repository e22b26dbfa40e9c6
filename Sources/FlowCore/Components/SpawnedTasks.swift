import Synchronization

/// The tasks that components started.
///
/// The run cancels and awaits them at its end.
package final class SpawnedTasks: Sendable {
  private struct Entry {
    let cancel: @Sendable () -> Void
    let finish: @Sendable () async -> Void
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// The executor of the tasks, or nil for the concurrent pool.
  package let executor: (any TaskExecutor)?

  /// Creates an empty set for tasks on an executor, or on the concurrent pool.
  package init(executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  /// Creates an empty set for tasks on the same executor as another's.
  package convenience init(besides other: SpawnedTasks) {
    self.init(executor: other.executor)
  }

  /// Starts a task and keeps it until it has finished.
  ///
  /// The task is unstructured, because it outlives the call that started it. This object owns it.
  func spawn<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    state.withLock { state in
      let key = state.next
      state.next += 1
      let task = Task(executorPreference: executor) { [weak self] in
        defer { self?.forget(key) }
        return try await work()
      }
      state.entries[key] = Entry(
        cancel: { task.cancel() }, finish: { _ = await task.result })
      if state.isClosed { task.cancel() }
      return task
    }
  }

  private func forget(_ key: Int) {
    state.withLock { $0.entries[key] = nil }
  }

  /// Cancels and awaits the running work, and immediately cancels any work started later.
  ///
  /// Work started by the cancelled work is awaited as well.
  package func close() async {
    var running = entriesAtClose()
    while !running.isEmpty {
      for entry in running { entry.cancel() }
      for entry in running { await entry.finish() }
      // Each has forgotten itself before it finished, so these are new.
      running = entriesAtClose()
    }
  }

  private func entriesAtClose() -> [Entry] {
    state.withLock { state in
      state.isClosed = true
      // In the order of their start, because the order of a dictionary differs from run to run.
      return state.entries.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
