internal import FlowCore
internal import FlowPlan

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

  /// Returns true if the call at an address of a recording, or one around it, may be missing or
  /// additional.
  func contains(at address: Address, in list: CallList) -> Bool {
    guard !calls.isEmpty, let caller = address.caller?.outsideLane else { return false }
    let owner = list.latest(at: caller).map { list[$0].component }
    if let owner, contains(address.calls.last?.name ?? "", of: owner) { return true }
    return contains(at: caller, in: list)
  }
}
