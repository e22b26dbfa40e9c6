private import Synchronization

/// A result that several tasks wait for, and that comes once.
final class Signal<Success: Sendable>: Sendable {
  private struct State {
    var result: Result<Success, any Error>?
    var waiters: [Int: CheckedContinuation<Success, any Error>] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Gives the result to all tasks.
  ///
  /// Another result does nothing.
  func fire(_ result: Result<Success, any Error>) {
    let waiters = state.withLock { state in
      guard state.result == nil else { return [CheckedContinuation<Success, any Error>]() }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Waits for the result.
  ///
  /// - Throws: The error of the result, or `CancellationError`.
  func value() async throws -> Success {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let result = state.withLock { state -> Result<Success, any Error>? in
          if let result = state.result { return result }
          // Under the lock, so that a later cancellation finds the waiter.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = waiter
          return nil
        }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?
        .resume(throwing: CancellationError())
    }
  }
}
