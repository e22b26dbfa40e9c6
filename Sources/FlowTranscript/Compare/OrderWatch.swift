internal import FlowCore
package import FlowEngine
private import Synchronization

/// Compares the order of a live run's calls with that of a transcript, as a replay does.
package final class OrderWatch: EventSink {
  private struct State {
    /// The recorded calls of each address that have not been made, the next one last.
    var waiting: [String: [Int]]
    var order = ServedOrder()
    var mismatches: [ReplayMismatch] = []
  }

  private let calls: [Transcript.Call]
  private let state: Mutex<State>

  /// A watch of a run that has not begun.
  package init(_ transcript: Transcript) {
    calls = transcript.calls
    state = Mutex(State(waiting: calls.numbersByAddress))
  }

  /// The calls that came before others that they were recorded after, in the order of the run.
  package var mismatches: [ReplayMismatch] { state.withLock { $0.mismatches } }

  /// Looks at calls when they begin; one that is not recorded has no order.
  package func receive(_ event: Event) {
    guard case .invoked(let invocation) = event else { return }
    state.withLock { state in
      guard let index = state.waiting[invocation.address.description]?.popLast() else { return }
      guard let earlier = state.order.add(calls[index], index, invocation) else { return }
      let failure = ReplayFailure.otherOrder(invocation, calls[index], after: calls[earlier.call])
      state.mismatches += failure.mismatches(failure.failure(advice: nil), isAllowed: false)
    }
  }
}
