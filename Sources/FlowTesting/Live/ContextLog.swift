internal import FlowCore
private import Synchronization

/// Keeps what components do through their contexts, and no recording has.
final class ContextLog: Sendable {
  /// A line for whoever watches the run, redacted with the secrets that were known by then.
  struct Line: Sendable, Hashable {
    /// The call that wrote it.
    let address: Address
    let text: String
  }

  private struct State {
    var lines: [Line] = []
    var secrets: Set<String> = []
  }

  private let state = Mutex(State())

  /// What was logged, in order.
  var lines: [Line] { state.withLock { $0.lines } }

  /// The names of the secrets that were asked for.
  var secrets: Set<String> { state.withLock { $0.secrets } }

  /// Takes a line.
  func append(_ line: Line) {
    state.withLock { $0.lines.append(line) }
  }

  /// Takes note that a secret was asked for.
  func ask(for secret: String) {
    state.withLock { _ = $0.secrets.insert(secret) }
  }
}
