import Synchronization

/// Turns for work of one task at a time, in the order of asking.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [(number: Int, task: CheckedContinuation<Bool, Never>)] = []
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Waits for the turn.
  ///
  /// `end` passes it on.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func begin() async throws {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        let now: Bool? = state.withLock { state in
          // The handler ran before this line when the task was cancelled earlier, and found nothing.
          if Task.isCancelled { return false }
          if state.isTaken {
            state.waiting.append((number, task))
            return nil
          }
          state.isTaken = true
          return true
        }
        if let now { task.resume(returning: now) }
      }
    } onCancel: {
      cancel(number)
    }
    if !isTurn { throw CancellationError() }
  }

  /// Ends a turn.
  func end() {
    let next = state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.isTaken ? state.waiting.removeFirst().task : nil
    }
    next?.resume(returning: true)
  }

  private func cancel(_ number: Int) {
    let task = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        return CheckedContinuation<Bool, Never>?.none
      }
      return state.waiting.remove(at: index).task
    }
    task?.resume(returning: false)
  }
}
