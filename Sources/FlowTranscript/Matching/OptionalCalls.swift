internal import FlowCore
internal import FlowScenario

/// The calls of roles that a run may leave out or repeat, as `optional:` of a component says.
struct OptionalCalls: Sendable {
  /// The calls, as `role.operation`, by the calling components.
  private let calls: [String: Set<String>]

  /// Creates the calls of a scenario and of all that it includes, or none without a plan.
  init(_ plan: Plan?) {
    calls = Dictionary(
      (plan?.allComponents ?? []).map { ($0.name, $0.optionalCalls) },
      uniquingKeysWith: { $0.intersection($1) }
    ).filter { !$0.value.isEmpty }
  }

  /// Returns true if a component may leave out or repeat a call.
  func contains(_ call: String, of component: String) -> Bool {
    calls[component]?.contains(call) ?? false
  }

  /// Returns true if the call at an address of a transcript, or one around it, may be missing or
  /// additional.
  func contains(at address: String, in list: CallList) -> Bool {
    guard !calls.isEmpty, CallKey.isOfComponent(address), let place = Address(address),
      let caller = place.caller?.outsideLane
    else { return false }
    let owner = list.latest(at: "\(caller)").map { list[$0].name }
    if let owner, contains(place.calls.last?.name ?? "", of: owner.componentName) { return true }
    return contains(at: "\(caller)", in: list)
  }
}
