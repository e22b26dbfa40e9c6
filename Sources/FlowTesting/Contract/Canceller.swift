internal import FlowCore
internal import FlowEngine
private import Synchronization

/// Cancels a run in the middle of its first call at an address, and sees how the call ends.
final class Canceller: EventSink {
  /// How a cancelled call ended.
  struct End: Sendable {
    /// How much of the run's time passed between the cancellation and the end.
    let delay: Duration
    let answer: ComponentCall.Answer
  }

  private struct State {
    var cancel: (@Sendable () -> Void)?
    var hasBegun = false
    var cancelled: Duration?
    var end: End?
  }

  private let address: Address
  private let moment: Duration
  private let time: VirtualTime?
  private let state = Mutex(State())

  /// A cancellation of a call when it has taken so much of the run's time.
  init(of address: Address, after moment: Duration, _ time: VirtualTime?) {
    self.address = address
    self.moment = moment
    self.time = time
  }

  /// How the cancelled call ended; nil as long as it has not, and when it was never cancelled.
  var end: End? { state.withLock { $0.end } }

  /// Gives the way to cancel the run; to be called before the run begins.
  func prepare(_ cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = cancel }
  }

  /// Cancels when the call begins, or some time later.
  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation) where invocation.address == address: schedule()
    case .completed(let invocation, let outcome) where invocation.address == address:
      let now = now
      state.withLock { state in
        guard let cancelled = state.cancelled, state.end == nil else { return }
        state.end = End(delay: now - cancelled, answer: ComponentCall.Answer(outcome))
      }
    default: return
    }
  }

  private var now: Duration { time?.clock.now.offset ?? .zero }

  private func schedule() {
    // A call that is tried again has the same address.
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    guard moment > .zero, let time else { return cancel() }
    let moment = moment
    Task(executorPreference: time) {
      // Nobody cancels this task.
      try? await time.clock.sleep(for: moment)
      self.cancel()
    }
  }

  private func cancel() {
    let now = now
    let cancel = state.withLock { state in
      state.cancelled = now
      return state.cancel
    }
    cancel?()
  }
}
