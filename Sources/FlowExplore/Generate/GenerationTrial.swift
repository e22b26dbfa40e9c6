internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

/// The run of one generated scenario.
struct GenerationTrial: Sendable {
  let calls: [GeneratedCall]
  /// The calls with their results, up to the failing one.
  let ended: [GeneratedCall]
  /// The failure without its place, such as `balance.load undeclared`, or nil.
  let failure: String?
  /// The answers and reports.
  let seen: [Value]
  let covered: Set<String>

  init(_ calls: [GeneratedCall], _ attempt: Attempt, _ watch: CallWatch) {
    self.calls = calls
    let noted = watch.noted
    seen = noted.seen
    covered = noted.covered
    let undeclared = noted.ends.first { $0.isUndeclared }
    failure = undeclared.map { "\($0.name) \($0.code ?? "")" } ?? attempt.failureOfGenerated
    var ended: [GeneratedCall] = []
    for (call, end) in zip(calls, noted.ends) {
      var call = call
      call.end = end.end(isStuck: attempt.isStuck)
      ended.append(call)
      if end.isUndeclared { break }
    }
    self.ended = ended
  }
}

extension Attempt {
  /// The failure, or nil.
  ///
  /// A call that waits for ever while time passes is no fault.
  fileprivate var failureOfGenerated: String? { isEndless ? nil : failure }
}

extension CallWatch.End {
  /// The result that the call has in a scenario with the failure of this run.
  fileprivate func end(isStuck: Bool) -> GeneratedCall.End {
    if isCancelled { return isStuck ? .stuck : .open }
    return isUndeclared ? .answer : code.map(GeneratedCall.End.error) ?? .answer
  }
}

/// A sink that notes the results of generated calls and the values that components answer with.
final class CallWatch: EventSink {
  struct End: Sendable {
    let name: String
    /// The code of the error, or nil for an answer.
    var code: String?
    var isUndeclared = false
    /// True if it was cancelled before its answer.
    var isCancelled = false
  }

  struct Noted {
    /// The ends of the generated calls, in their order.
    var ends: [End] = []
    var seen: [Value] = []
    var covered: Set<String> = []
    /// The settings of the scenario's opened components, by name.
    var opened: [String: Value] = [:]
  }

  private let state = Mutex(Noted())
  /// The paths of the generated steps: the last ones of the scenario.
  private let paths: Set<String>

  /// Notes the ends of the last steps of a plan, as many as were generated.
  init(of plan: Plan, generated: Int) {
    paths = Set(plan.steps.suffix(generated).map(\.path))
  }

  var noted: Noted { state.withLock { $0 } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation): begin(invocation)
    case .emitted(_, let event, let payload):
      state.withLock {
        $0.covered.insert("event \(event)")
        $0.seen.append(payload)
      }
    case .completed(let invocation, let outcome): complete(invocation, outcome)
    default: break
    }
  }

  private func begin(_ invocation: Invocation) {
    guard case .open(let component, _) = invocation.target else { return }
    state.withLock { state in
      state.seen.append(invocation.input)
      // Components of included scenarios have the paths of their steps.
      if invocation.address.path == "components/\(component.name)" {
        state.opened[component.name] = invocation.input
      }
    }
  }

  private func complete(_ invocation: Invocation, _ outcome: Outcome) {
    guard case .operation(let operation) = invocation.target else { return }
    var end = End(name: invocation.name)
    var covered: Set<String> = ["operation \(invocation.name)"]
    var seen: [Value] = []
    switch outcome {
    case .answer(let value): seen = [value]
    case .cancelled: end.isCancelled = true
    case .error(let error):
      end.code = error.code.name
      end.isUndeclared = !operation.description.errors.contains(error.code)
      covered.insert("error \(invocation.name): \(error.code.name)")
    }
    let isGenerated =
      invocation.address.calls.isEmpty && paths.contains(invocation.address.path)
    state.withLock { state in
      state.seen += seen
      state.covered.formUnion(covered)
      if isGenerated { state.ends.append(end) }
    }
  }
}
