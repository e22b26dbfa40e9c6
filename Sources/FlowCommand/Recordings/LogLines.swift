internal import FlowCore
private import Synchronization

/// The latest log lines of components in a run, kept until it is known if they are needed.
final class LogLines: Sendable {
  private static let limit = 20

  private struct State {
    var latest: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  func add(_ address: Address, _ message: String) {
    state.withLock { state in
      state.count += 1
      if state.latest.count == Self.limit { state.latest.removeFirst() }
      state.latest.append("\(address) logged: \(message.escaped)")
    }
  }

  /// The latest lines in their order, a sentence each, after the number of earlier lines.
  var sentences: [String] {
    state.withLock { state in
      let earlier = state.count - state.latest.count
      let noun = earlier == 1 ? "line was" : "lines were"
      return (earlier > 0 ? ["\(earlier) earlier \(noun) logged"] : []) + state.latest
    }
  }
}
