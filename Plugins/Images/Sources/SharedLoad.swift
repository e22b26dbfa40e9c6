private import Synchronization

/// One load of a picture, shared by its callers.
///
/// A cancelled caller leaves alone. The load and the other callers continue.
final class SharedLoad: Sendable {
  private struct State {
    var outcome: Result<Picture, PictureError>?
    var waiting: [Int: CheckedContinuation<Picture, any Error>] = [:]
    var next = 0
  }

  private let state: Mutex<State>

  /// Creates a load that lasts until `finish`.
  init() {
    state = Mutex(State())
  }

  /// Creates a finished load.
  init(loaded picture: Picture) {
    state = Mutex(State(outcome: .success(picture)))
  }

  /// Ends the load: all callers get the outcome, in the order they came, and later callers at once.
  ///
  /// Called once.
  func finish(_ outcome: Result<Picture, PictureError>) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }
    }
    for (_, continuation) in waiting { continuation.resume(with: outcome.mapError { $0 }) }
  }

  /// The picture, when it has come.
  ///
  /// - Throws: `PictureError`, or `CancellationError` as soon as the caller is cancelled.
  func picture() async throws -> Picture {
    let ticket = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait($0, ticket) }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  private func wait(_ continuation: CheckedContinuation<Picture, any Error>, _ ticket: Int) {
    // The handler ran before this line when the task was cancelled earlier, and found nothing.
    let outcome: Result<Picture, any Error>? = state.withLock { state in
      if let outcome = state.outcome { return outcome.mapError { $0 } }
      if Task.isCancelled { return .failure(CancellationError()) }
      state.waiting[ticket] = continuation
      return nil
    }
    if let outcome { continuation.resume(with: outcome) }
  }
}
