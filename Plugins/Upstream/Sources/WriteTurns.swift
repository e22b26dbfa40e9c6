private import Synchronization

/// The right to write to a connection, for one task after the other.
final class WriteTurns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Performs a write when all earlier ones have ended.
  func write<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await take()
    defer { pass() }
    return try await body()
  }

  private func take() async {
    await withCheckedContinuation { task in
      let isFree = state.withLock { state in
        if !state.isTaken {
          state.isTaken = true
          return true
        }
        state.waiting.append(task)
        return false
      }
      if isFree { task.resume() }
    }
  }

  private func pass() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
