internal import FlowCore
internal import FlowEngine
internal import FlowScenario
private import Synchronization

extension ContractRun {
  /// The calls that wait for something outside of the run's time, for longer than is allowed.
  func timeProblems(allowing limit: Duration) async -> [Diagnostic] {
    let live = live
    let watch = OutsideWaits(live.virtualTime, limit: limit)
    let record = await record([watch], in: live)
    return watch.found.map { wait in
      ContractFault.outsideWait(name: wait.name, wait.address)
        .diagnostic(at: record.span(of: wait.address, in: plan.file))
    }
  }
}

/// Finds calls during which nothing is left to do in virtual time, though they have not ended.
///
/// A task sleeps on the run's clock for longer than anybody else. It wakes up only when the executor has
/// nothing to do and nobody sleeps for less, and then an open call waits for something that the run's time
/// does not know: a real timer, another thread, a server. How long it waits is real time, and only looked
/// at then, so that a slow machine is no fault.
private final class OutsideWaits: EventSink {
  struct Wait: Sendable {
    let address: Address
    let name: String
  }

  private struct Open {
    let name: String
    let begin: ContinuousClock.Instant
    var isOutside = false
  }

  private struct State {
    var open: [Address: Open] = [:]
    var found: [Wait] = []
    var watch: Task<Void, Never>?
  }

  // Longer than any wait of a scenario, of which ten years are the longest.
  private static let longest = Duration.seconds(100 * 365 * 86_400)

  private let time: VirtualTime?
  private let limit: Duration
  private let state = Mutex(State())

  init(_ time: VirtualTime?, limit: Duration) {
    self.time = time
    self.limit = limit
  }

  /// What was found, in the order in which the calls ended.
  var found: [Wait] { state.withLock { $0.found } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      state.withLock { state in
        state.open[invocation.address] = Open(name: invocation.name, begin: .now)
        // Not before a call: an executor without work would wake the watch at once.
        if state.watch == nil { state.watch = watch() }
      }
    case .completed(let invocation, _): end(invocation.address)
    case .runEnded: state.withLock { $0.watch?.cancel() }
    default: return
    }
  }

  private func watch() -> Task<Void, Never>? {
    guard let time else { return nil }
    return Task(executorPreference: time) { [self] in
      // Cancelled at the end of the run, when nothing is open.
      try? await time.clock.sleep(for: Self.longest)
      state.withLock { state in
        for address in state.open.keys { state.open[address]?.isOutside = true }
        state.watch = nil
      }
    }
  }

  private func end(_ address: Address) {
    state.withLock { state in
      guard let call = state.open.removeValue(forKey: address), call.isOutside,
        call.begin.duration(to: .now) > limit
      else { return }
      state.found.append(Wait(address: address, name: call.name))
    }
  }
}
