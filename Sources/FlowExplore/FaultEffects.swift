internal import FlowCore
package import FlowEngine
internal import FlowRedaction
internal import FlowTranscript
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
  /// What a program under test did, or nil for a fault of a call that no program made.
  package let reaction: Reaction?

  /// What a program did after the fault of a call that it made.
  package struct Reaction: Sendable, Hashable {
    /// How often it made the same call again.
    package let repeated: Int
    /// The number of its other calls after it.
    package let others: Int
    /// The calls of steps that ended since then, such as that of the program, in order.
    package let ends: [End]
  }

  /// The end of a step's call beside that of the run without the fault.
  package struct End: Sendable, Hashable {
    /// The address of the step.
    package let step: String
    /// The parts of the answer that differ, `status 1 instead of 0`, or nil if it has not ended in
    /// the run without the fault.
    package let differences: [String]?
  }
}

/// A sink that notes the events of a run after its only fault.
final class FaultEffects: EventSink {
  private static let mostLines = 12
  private static let longestText = 60

  fileprivate struct State {
    /// The call with the fault.
    var call: Invocation?
    var lines: [String] = []
    var omitted = 0
    /// The number of calls of a program after it, equal ones and others.
    var (repeated, others) = (0, 0)
    /// The outcomes of steps' calls since then.
    var ends: [(step: Address, outcome: Outcome)] = []
  }

  private let state = Mutex(State())

  /// Notes that the fault happens to a call.
  func begin(_ invocation: Invocation) { state.withLock { $0.call = invocation } }

  func receive(_ event: Event) {
    // As in every run until its fault.
    guard let call = state.withLock({ $0.call }) else { return }
    switch event {
    case .invoked(let invocation)
    where invocation.isFromOutside && call.address != invocation.address:
      let isSame = invocation.asksTheSame(as: call)
      state.withLock { if isSame { $0.repeated += 1 } else { $0.others += 1 } }
    case .completed(let invocation, let outcome):
      guard invocation.address != call.address else { return }
      guard invocation.address.caller != nil else {
        if case .operation = invocation.target {
          state.withLock { $0.ends.append((invocation.address, outcome)) }
        }
        return
      }
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
  ///
  /// `plain` are the outcomes of steps' calls without it.
  func result(
    of fault: Schedule.Fault, passed: Bool?, beside plain: StepOutcomes?, hiding redactor: Redactor
  ) -> TriedFault? {
    state.withLock { state in
      guard let call = state.call else { return nil }
      return TriedFault(
        name: call.name, fault: fault, passed: passed,
        lines: state.lines.map { redactor.redacted($0) }, omitted: state.omitted,
        reaction: call.isOfProgram ? state.reaction(beside: plain, hiding: redactor) : nil)
    }
  }
}

extension FaultEffects.State {
  fileprivate func reaction(
    beside plain: StepOutcomes?, hiding redactor: Redactor
  ) -> TriedFault.Reaction {
    TriedFault.Reaction(
      repeated: repeated, others: others,
      ends: ends.map { end in
        let before = plain?[end.step]
        return TriedFault.End(
          step: "\(end.step)",
          differences: before.map { end.outcome.differences(from: $0) }?
            .map { redactor.redacted($0) })
      })
  }
}

/// A sink that notes the outcomes of the steps' calls of a run without faults.
final class StepOutcomes: EventSink {
  private let outcomes = Mutex<[Address: Outcome]>([:])

  subscript(step: Address) -> Outcome? { outcomes.withLock { $0[step] } }

  func receive(_ event: Event) {
    guard case .completed(let invocation, let outcome) = event, invocation.address.caller == nil,
      case .operation = invocation.target
    else { return }
    outcomes.withLock { $0[invocation.address] = outcome }
  }
}

extension Invocation {
  /// True for a call that passes on a request of a program.
  fileprivate var isOfProgram: Bool { isFromOutside || continuesRequest }
}

extension RecordValue {
  /// True for a field that a live run compares, unlike the headers and the URL of a response.
  fileprivate func isCompared(_ field: RecordType.Field) -> Bool {
    switch field.comparison {
    case .always: true
    case .whenRead: false
    case .whenReadBeside(let other): self[other] == .null
    }
  }
}

extension Outcome {
  private static let longestPart = 40

  /// The parts in which it differs from another outcome: `status 1 instead of 0`.
  fileprivate func differences(from other: Outcome) -> [String] {
    guard case .answer(.record(let answer)) = self, case .answer(.record(let before)) = other,
      answer.type === before.type
    else { return word == other.word ? [] : ["\(word) instead of \(other.word)"] }
    return answer.type.fields.enumerated().compactMap { index, field in
      let (now, then) = (answer.values[index], before.values[index])
      if now == then || field.isVolatile || !before.isCompared(field) { return nil }
      return "\(field.name) \(now.summary(limit: Self.longestPart)) instead of "
        + then.summary(limit: Self.longestPart)
    }
  }

  private var word: String {
    switch self {
    case .answer: "an answer"
    case .error(let error): "the error '\(error.code.name)'"
    case .cancelled: "no end"
    }
  }

  fileprivate func words(_ length: Int) -> String {
    switch self {
    case .answer(let value): "answers \("\(value.withoutAbsentFields)".shortened(to: length))"
    case .error(let error): "answers the error '\(error.code.name)'"
    case .cancelled: "is cancelled"
    }
  }
}
