internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

/// Asks real components for calls missing from a transcript, if the served calls before cannot
/// matter.
///
/// A component never saw the writes that were served. So it is asked only for reads, and only if
/// nothing but reads of it is recorded. A live component has done everything it was called for, and
/// may be asked for anything.
final class AskedCalls: Sendable {
  private struct State {
    /// The reason that a component cannot be asked, or nil if it can, by the component's name.
    var refusals: [String: String?] = [:]
    var added = Additions()
  }

  private let calls: CallList
  private let plan: Plan
  private let live: Live
  private let state = Mutex(State())

  /// The components to ask.
  struct Live: Sendable {
    /// Calls them.
    let caller: any Caller
    /// The names of the components that answer all their calls themselves.
    let names: Set<String>
    /// The date of today.
    let date: Timestamp
  }

  /// Creates the calls of a transcript, and the components to ask for others.
  init(_ transcript: Transcript, of plan: Plan, _ live: Live) {
    calls = transcript.calls
    self.plan = plan
    self.live = live
  }

  /// The answered calls.
  var added: Additions { state.withLock { $0.added } }

  /// Opens a component beside its recorded opening, if it may be asked later.
  ///
  /// `isKnown` is true if all of its settings that may leave flow are known.
  func open(_ invocation: Invocation, isKnown: Bool) async throws {
    guard case .open = invocation.target, refusal(of: invocation) == nil else { return }
    guard isKnown else {
      let reason = "a part of the settings of '\(invocation.componentName)' is hidden"
      return state.withLock { $0.refusals[invocation.componentName] = .some(reason) }
    }
    guard case .error(let error) = try await live.caller.call(invocation) else { return }
    let reason = "'\(invocation.componentName)' could not be opened: \(error.message)"
    state.withLock { $0.refusals[invocation.componentName] = .some(reason) }
  }

  /// Returns the component's own answer.
  ///
  /// - Throws: `Refusal` if the component is not asked, and the errors of the caller.
  func answer(_ invocation: Invocation, _ redacted: Invocation) async throws -> Outcome {
    if let reason = refusal(of: invocation) { throw Refusal(reason: reason) }
    let version = invocation.plugin?.plugin.version ?? ""
    let outcome = try await live.caller.call(invocation)
    state.withLock {
      $0.added.note(
        redacted, Addition(date: live.date, source: "\(invocation.componentName) \(version)"))
    }
    return outcome
  }

  /// The reason that a component is not asked.
  struct Refusal: Error {
    let reason: String
  }

  /// Returns the reason that a component cannot be asked for a call, or nil if it can.
  private func refusal(of invocation: Invocation) -> String? {
    let name = invocation.componentName
    switch invocation.target {
    case .event: return "events cannot be asked for"
    case _ where live.names.contains(name): return nil
    case .open: break
    case .operation(let operation):
      let input = invocation.role?.input(invocation.input) ?? invocation.input
      if !operation.description.readsOnly(input) {
        return "'\(invocation.name)' is not declared read-only"
      }
    }
    if let known = state.withLock({ $0.refusals[name] }) { return known }
    let reason = refusal(ofComponent: name)
    state.withLock { $0.refusals[name] = .some(reason) }
    return reason
  }

  private func refusal(ofComponent name: String) -> String? {
    guard let component = plan.allComponents.first(where: { $0.name == name }) else {
      return "'\(name)' is the component of another scenario"
    }
    let operations = component.plugin.operations
    for call in calls.lazy where call.component == name {
      if !call.emitted.isEmpty { return "'\(name)' reports events by itself" }
      let isRead = operations.contains { operation in
        call.name == "\(name).\(operation.name)"
          && (try? Value(call.input.served, as: .record(operation.input)))
            .map(operation.readsOnly) ?? operation.isReadOnly
      }
      if call.name != name, !isRead {
        return "'\(call.name)' is recorded and may have changed its answers"
      }
    }
    return nil
  }
}
