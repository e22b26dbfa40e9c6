internal import FlowCore
internal import FlowEngine
private import Synchronization

/// Keeps what crossed the boundary between a run and its components.
final class CallLog: EventSink {
  fileprivate struct State {
    var calls: [ComponentCall] = []
    var reports: [ComponentReport] = []
    /// The calls that are not answered yet, by address; steps beside each other have their own.
    var open: [Address: Int] = [:]
  }

  private let state = Mutex(State())

  /// The calls of operations in the order of their beginnings.
  var calls: [ComponentCall] { state.withLock { $0.calls } }

  /// What the components reported, in order.
  var reports: [ComponentReport] { state.withLock { $0.reports } }

  /// Takes note of calls, answers and reports; openings and waiting steps are none.
  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      guard case .operation = invocation.target else { return }
      state.withLock { $0.begin(invocation) }
    case .completed(let invocation, let outcome):
      state.withLock { $0.end(invocation.address, ComponentCall.Answer(outcome)) }
    case .emitted(let address, let name, let payload):
      let report = ComponentReport(address: address, name: name, payload: payload)
      state.withLock { $0.reports.append(report) }
    default: return
    }
  }
}

extension CallLog.State {
  fileprivate mutating func begin(_ invocation: Invocation) {
    open[invocation.address] = calls.count
    calls.append(
      ComponentCall(
        address: invocation.address, name: invocation.name, input: invocation.input))
  }

  fileprivate mutating func end(_ address: Address, _ answer: ComponentCall.Answer) {
    guard let index = open.removeValue(forKey: address) else { return }
    calls[index].answer = answer
  }
}

extension ComponentCall.Answer {
  /// What the engine says of a call that has ended.
  init(_ outcome: Outcome) {
    switch outcome {
    case .answer(let value): self = .output(value)
    case .error(let error): self = .error(error)
    case .cancelled: self = .cancelled
    }
  }
}
