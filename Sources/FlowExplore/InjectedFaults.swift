internal import FlowCore
internal import FlowEngine
private import Synchronization

/// The remaining faults of one run.
///
/// Each happens once.
final class InjectedFaults: Sendable {
  private struct State {
    /// The faults of calls, by their addresses.
    var calls: [String: Schedule.Fault] = [:]
    var duplicates: Set<Schedule.Fault> = []
    /// The number of reports with readers or waiting steps, by event.
    var reports: [String: Int] = [:]
  }

  private let state: Mutex<State>
  /// True when unanswered calls are over, and the waiting calls.
  private let silence = Monitor<Bool, Void, Void>(false)
  private let watch: RunWatch?
  /// The events after the only fault, or nil.
  private let effects: FaultEffects?
  private let affectsCalls: Bool

  /// Creates the faults of a schedule.
  ///
  /// They are noted in `watch` when they happen.
  init(_ faults: [Schedule.Fault], _ watch: RunWatch?, _ effects: FaultEffects? = nil) {
    var state = State()
    for fault in faults {
      switch fault {
      case .error(_, let address), .typical(_, let address), .silence(let address):
        state.calls[address] = fault
      case .duplicate: state.duplicates.insert(fault)
      }
    }
    affectsCalls = !state.calls.isEmpty
    self.watch = watch
    self.effects = effects
    self.state = Mutex(state)
  }

  /// True if all of them have happened.
  var haveCome: Bool { state.withLock { $0.calls.isEmpty && $0.duplicates.isEmpty } }

  /// Returns the fault that replaces the answer of a call, or nil.
  func take(at address: Address) -> Schedule.Fault? {
    // Without a text for each call of nearly every run.
    guard affectsCalls else { return nil }
    return state.withLock { state in
      // A schedule written by hand may leave out the tags.
      state.calls.removeValue(forKey: address.key) ?? state.calls.removeValue(forKey: "\(address)")
    }
  }

  /// Returns how often a report with readers or waiting steps is delivered.
  func deliveries(of event: String) -> Int {
    watch?.noteDelivery(of: event)
    let isTwice = state.withLock { state in
      let number = state.reports[event, default: 0] + 1
      state.reports[event] = number
      return state.duplicates.remove(.duplicate(event: event, number: number)) != nil
    }
    if isTwice { watch?.noteDuplicate(of: event) }
    return isTwice ? 2 : 1
  }

  /// Notes that a fault happens to a call.
  func note(_ invocation: Invocation) { effects?.begin(invocation) }

  /// Suspends a call without an answer until it is cancelled.
  ///
  /// - Throws: `CancellationError`, always.
  func staySilent(_ invocation: Invocation) async throws {
    watch?.noteSilence(of: invocation)
    try await silence.wait(for: ()) { $0 ? .failure(CancellationError()) : nil }
  }

  /// Cancels the calls without an answer, including those in `finally`, which the cancellation of
  /// the run does not reach.
  func endSilence() {
    silence.withLock { isOver, calls in
      isOver = true
      calls.resume { _ in .failure(CancellationError()) }
    }
  }
}
