internal import FlowCore
internal import FlowEngine
private import Synchronization

/// Measures in the run's time how long each first call at an address takes.
final class CallDurations: EventSink {
  private struct State {
    var begins: [Address: Duration] = [:]
    var durations: [Address: Duration] = [:]
  }

  private let time: VirtualTime?
  private let state = Mutex(State())

  /// Nothing measured yet.
  init(_ time: VirtualTime?) {
    self.time = time
  }

  /// How long the call took; zero for one that was not made or has not ended.
  func duration(of address: Address) -> Duration {
    state.withLock { $0.durations[address] ?? .zero }
  }

  /// Looks at the clock when a call begins and when it ends.
  func receive(_ event: Event) {
    guard let now = time?.clock.now.offset else { return }
    switch event {
    case .invoked(let invocation):
      state.withLock {
        if $0.begins[invocation.address] == nil { $0.begins[invocation.address] = now }
      }
    case .completed(let invocation, _):
      state.withLock { state in
        guard let begin = state.begins[invocation.address],
          state.durations[invocation.address] == nil
        else { return }
        state.durations[invocation.address] = now - begin
      }
    default: return
    }
  }
}
