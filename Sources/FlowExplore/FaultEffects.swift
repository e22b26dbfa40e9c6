internal import FlowCore
package import FlowEngine
internal import FlowRedaction
private import Synchronization

/// The result of a run with a single fault in the plain order.
package struct TriedFault: Sendable {
  /// The called operation, `component.operation`, or the event.
  package let name: String
  /// The fault.
  package let fault: Schedule.Fault
  /// True if the run passed, or nil without a verdict.
  package let passed: Bool?
  /// The calls that components made after the fault, and the ends of steps.
  package let lines: [String]
  /// The number of further ones.
  package let omitted: Int
}

/// A sink that notes the events of a run after its only fault.
final class FaultEffects: EventSink {
  private static let mostLines = 12
  private static let longestText = 60

  private struct State {
    /// The name and the address of the call with the fault.
    var call: (name: String, address: Address)?
    var lines: [String] = []
    var omitted = 0
  }

  private let state = Mutex(State())

  /// Notes that the fault happens to a call.
  func begin(_ invocation: Invocation) {
    state.withLock { $0.call = (invocation.name, invocation.address) }
  }

  func receive(_ event: Event) {
    // As in every run until its fault.
    guard let call = state.withLock({ $0.call?.address }) else { return }
    switch event {
    case .completed(let invocation, let outcome):
      guard invocation.address.caller != nil, invocation.address != call else { return }
      let input = "\(invocation.input.withoutAbsentFields)".shortened(to: Self.longestText)
      note("\(invocation.name) \(input) \(outcome.words(Self.longestText))")
    case .stepEnded(let address, _, let end, _):
      switch end {
      case .passed: note("step '\(address)' passed")
      case .failed(.inner), .notRun: break
      case .failed: note("step '\(address)' failed")
      }
    default: break
    }
  }

  private func note(_ line: String) {
    state.withLock { state in
      if state.lines.count < Self.mostLines { state.lines.append(line) } else { state.omitted += 1 }
    }
  }

  /// The result, or nil if the fault did not happen.
  func result(
    of fault: Schedule.Fault, passed: Bool?, hiding redactor: Redactor
  ) -> TriedFault? {
    state.withLock { state in
      guard let call = state.call else { return nil }
      return TriedFault(
        name: call.name, fault: fault, passed: passed,
        lines: state.lines.map { redactor.redacted($0) }, omitted: state.omitted)
    }
  }
}

extension Outcome {
  fileprivate func words(_ length: Int) -> String {
    switch self {
    case .answer(let value): "answers \("\(value.withoutAbsentFields)".shortened(to: length))"
    case .error(let error): "answers the error '\(error.code.name)'"
    case .cancelled: "is cancelled"
    }
  }
}
