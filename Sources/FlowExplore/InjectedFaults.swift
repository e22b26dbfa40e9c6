internal import FlowCore
internal import FlowEngine
private import Synchronization

/// The faults of one run that are still to come; each comes once.
final class InjectedFaults: Sendable {
  /// What an error says that a schedule injects.
  static let message = "the error is injected by the schedule"

  private struct State {
    /// Those of calls, by their addresses.
    var calls: [String: Schedule.Fault] = [:]
    var duplicates: Set<Schedule.Fault> = []
    /// How many reports there were that are read or waited for, by their events.
    var reports: [String: Int] = [:]
  }

  private let state: Mutex<State>
  /// Whether the run is over as far as calls are concerned that have no answer, and those.
  private let silence = Monitor<Bool, Void, Void>(false)
  private let watch: RunWatch?
  private let affectsCalls: Bool

  /// The faults of a schedule, of which a watch is told when they come.
  init(_ faults: [Schedule.Fault], _ watch: RunWatch?) {
    var state = State()
    for fault in faults {
      switch fault {
      case .error(_, let address), .silence(let address): state.calls[address] = fault
      case .duplicate: state.duplicates.insert(fault)
      }
    }
    affectsCalls = !state.calls.isEmpty
    self.watch = watch
    self.state = Mutex(state)
  }

  /// Whether all of them have come.
  var haveCome: Bool { state.withLock { $0.calls.isEmpty && $0.duplicates.isEmpty } }

  /// What happens to a call in the place of its answer; nil for nothing.
  func take(at address: Address) -> Schedule.Fault? {
    // Without a text for each call of nearly every run.
    guard affectsCalls else { return nil }
    return state.withLock { $0.calls.removeValue(forKey: "\(address)") }
  }

  /// How often a report is delivered that is read or waited for.
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

  /// Suspends a call that has no answer until it is cancelled.
  ///
  /// - Throws: `CancellationError`, always.
  func staySilent(_ invocation: Invocation) async throws {
    watch?.noteSilence(of: invocation)
    try await silence.wait(for: ()) { $0 ? .failure(CancellationError()) : nil }
  }

  /// Cancels the calls that have no answer, also those that the cancellation of the run does not reach, as in `finally`.
  func endSilence() {
    silence.withLock { isOver, calls in
      isOver = true
      calls.resume { _ in .failure(CancellationError()) }
    }
  }
}
