internal import FlowCore
private import Synchronization

/// Keeps the latest lines that components log in a run, until it is known whether anybody wants them.
final class LogLines: Sendable {
  private static let limit = 20

  private struct State {
    var latest: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Takes the line of a call.
  func add(_ address: Address, _ message: String) {
    state.withLock { state in
      state.count += 1
      if state.latest.count == Self.limit { state.latest.removeFirst() }
      state.latest.append("\(address) logged: \(Value.escaped(message))")
    }
  }

  /// The lines in their order, a sentence each, and before them how many there were earlier.
  var sentences: [String] {
    state.withLock { state in
      let earlier = state.count - state.latest.count
      let noun = earlier == 1 ? "line was" : "lines were"
      return (earlier > 0 ? ["\(earlier) earlier \(noun) logged"] : []) + state.latest
    }
  }
}
