package import FlowEngine
private import Synchronization

/// Compares the order of a live run's calls with that of a transcript, as a replay does.
package final class LiveOrderCheck: EventSink {
  private struct State {
    /// The recorded calls still to be made.
    var finder: CallFinder
    var order = CausalOrder()
    var varied = VariedValues()
    var mismatches: [ReplayMismatch] = []
  }

  private let calls: CallList
  private let state: Mutex<State>

  /// Creates the watch of a run that has not started.
  package init(_ transcript: Transcript) {
    calls = transcript.calls
    state = Mutex(State(finder: CallFinder(calls)))
  }

  /// The calls in the wrong order, in the order of the run.
  package var mismatches: [ReplayMismatch] { state.withLock { $0.mismatches } }

  /// Checks calls when they start.
  ///
  /// A call that is not recorded has no order.
  package func receive(_ event: Event) {
    guard case .invoked(let invocation) = event else { return }
    state.withLock { state in
      guard let finding = state.finder.take(invocation, &state.varied),
        let earlier = state.order.add(calls, finding, invocation)
      else { return }
      let failure = ReplayFailure.otherOrder(
        invocation, calls[finding.number], after: calls[earlier.call])
      state.mismatches += failure.mismatches(failure.failure(advice: nil), isAllowed: false)
    }
  }
}
