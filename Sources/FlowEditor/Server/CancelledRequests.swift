internal import FlowSystem
private import Synchronization

/// The requests that a client has cancelled while they wait for their turn.
///
/// Noted when they are read, which is before the turn of the requests ahead of them.
final class CancelledRequests: Sendable {
  private let ids = Mutex<Set<JSON>>([])

  /// Takes note of a cancellation.
  func note(_ part: MessageStream.Part) {
    guard case .message(let json) = part, json["method"]?.string == Self.method,
      let id = json["params"]?["id"]
    else { return }
    ids.withLock { _ = $0.insert(id) }
  }

  /// Returns true if a request was cancelled, and forgets it.
  func take(_ id: JSON?) -> Bool {
    id.map { id in ids.withLock { $0.remove(id) != nil } } ?? false
  }

  /// The notification of a cancellation.
  static let method = "$/cancelRequest"
}
