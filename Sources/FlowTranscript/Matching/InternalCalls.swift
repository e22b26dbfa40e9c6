internal import FlowCore
internal import FlowPlan

/// The calls of roles that mean nothing outside of their callers, such as the commands to a browser's
/// driver.
struct InternalCalls: Sendable {
  /// The calls, as `role.operation`, by the calling components.
  private let calls: [String: Set<String>]

  /// Finds the calls of a scenario and of all that it includes.
  init(_ plan: Plan) {
    calls = Dictionary(
      plan.allComponents.map { component in
        let calls = component.roles.flatMap(\.calls).filter(\.value.isInternal)
        return (component.name, Set(calls.map(\.key)))
      }, uniquingKeysWith: { $0.intersection($1) }
    ).filter { !$0.value.isEmpty }
  }

  /// Returns true if a component makes such calls.
  func areMade(by component: String) -> Bool { calls[component] != nil }

  /// Returns true if the call at an address, or one around it, is such a call.
  func contains(at address: Address, in list: CallList) -> Bool {
    guard !calls.isEmpty, let caller = address.caller?.outsideLane, let call = address.calls.last
    else { return false }
    if let owner = list.latest(at: caller).map({ list[$0].component }),
      // The name of a call may have a label.
      calls[owner]?.contains(where: { call.name == $0 || call.name.hasPrefix($0 + ".") }) == true
    {
      return true
    }
    return contains(at: caller, in: list)
  }
}
