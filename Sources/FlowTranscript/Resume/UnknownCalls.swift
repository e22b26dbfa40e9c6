internal import FlowCore
package import FlowPlan
internal import FlowSystem

/// The calls of a journal that started outside, have no answer and may not be repeated, with an
/// unknown outcome.
///
/// A resumed run reaches them and stops. Until then it may do nothing else outside, so that the
/// journal remains true. All of them are reported at once.
struct UnknownCalls {
  /// The addresses of the calls, in the journal's order.
  let addresses: [String]
  /// The form of an answer to the first of them.
  let firstForm: JSON

  /// Finds the calls that are certain to be unknown.
  ///
  /// The run discovers others when it reaches them.
  init(of calls: CallList, in plan: Plan) {
    let found = calls.indices.lazy.filter { !calls.isAnswered($0) }.map { calls[$0] }.filter {
      call in
      guard let component = Self.component(call.component, in: plan) else { return false }
      return Self.isReached(call, in: calls)
        && Self.state(of: component, in: calls) == .external && Self.isUnsafe(call, of: component)
    }
    addresses = found.map { "\($0.address)" }
    firstForm =
      found.first.flatMap { call in
        AnswerTypes(calls, plan).type(of: call).map { type in
          GivenAnswer(to: call.address, type, in: plan).template
        }
      } ?? .object([])
  }

  /// Returns the scenario's own component of a name, or nil if an included scenario has one of that
  /// name, too.
  private static func component(_ name: String, in plan: Plan) -> PlannedComponent? {
    guard plan.allComponents.count(where: { $0.name == name }) == 1 else { return nil }
    return plan.components.first { $0.name == name }
  }

  /// Returns true if the resumed run reaches a call.
  ///
  /// It skips a call that a component made if its caller has answered.
  private static func isReached(_ call: Transcript.Call, in calls: CallList) -> Bool {
    if call.address.calls.isEmpty { return true }
    let step = Address(path: call.address.path, iterations: call.address.iterations)
    return calls.latest(at: step).map { !calls.isAnswered($0) } ?? false
  }

  /// Returns the place of the state of a call's component, or nil if it is not certain.
  static func state(
    of call: Transcript.Call, in calls: CallList, _ plan: Plan
  ) -> ComponentState? {
    component(call.component, in: plan).flatMap { state(of: $0, in: calls) }
  }

  /// Returns the place of a component's state, by the settings of its opening.
  private static func state(of component: PlannedComponent, in calls: CallList) -> ComponentState? {
    guard let opening = calls.latest(at: Address(path: "components/\(component.name)")),
      let settings = try? Value(
        calls[opening].input.json, as: .record(component.settingsType))
    else { return nil }
    return try? component.plugin.state(settings)
  }

  private static func isUnsafe(_ call: Transcript.Call, of component: PlannedComponent) -> Bool {
    let name = call.name.dropFirst(component.name.count + 1)
    guard let operation = component.plugin.operations.first(where: { $0.name == name }),
      let input = try? Value(call.input.json, as: .record(operation.input))
    else { return false }
    return !operation.isSafeToRepeat(input)
  }
}

extension Journal {
  /// The addresses of the calls at which a resumed run stops (F3202), in the journal's order.
  package func unknownCalls(in plan: Plan) -> [String] {
    UnknownCalls(of: calls, in: plan).addresses
  }
}
