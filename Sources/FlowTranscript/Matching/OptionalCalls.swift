internal import FlowCore
internal import FlowPlan

/// The calls of roles that a run may leave out or repeat, as `optional:` of a component says, and
/// those of which a program outside of the run decides how many there are.
struct OptionalCalls: Sendable {
  /// The calls, as `role.operation`, by the calling components.
  private let calls: [String: Set<String>]
  /// The calls that read on for requests from outside, by the calling components.
  private let continuing: [String: Set<String>]

  /// Creates the calls of a scenario and of all that it includes, or none without a plan.
  init(_ plan: Plan?) {
    calls = Dictionary(
      (plan?.allComponents ?? []).map { ($0.name, $0.optionalCalls) },
      uniquingKeysWith: { $0.intersection($1) }
    ).filter { !$0.value.isEmpty }
    continuing = Dictionary(
      (plan?.allComponents ?? []).map { ($0.name, $0.continuingCalls) },
      uniquingKeysWith: { $0.union($1) }
    ).filter { !$0.value.isEmpty }
  }

  /// True if a component reads on for requests from outside.
  var hasContinuing: Bool { !continuing.isEmpty }

  /// Returns true for a recorded call that reads on for a request from outside.
  func isContinuing(at address: Address, in list: CallList) -> Bool {
    guard let caller = address.caller?.outsideLane, let call = list.latest(at: caller) else {
      return false
    }
    return Self.contains(address.calls.last?.name ?? "", in: continuing[list[call].component])
  }

  /// Returns true if a component may leave out or repeat a call.
  func contains(_ call: String, of component: String) -> Bool {
    Self.contains(call, in: calls[component])
  }

  private static func contains(_ call: String, in calls: Set<String>?) -> Bool {
    // The name of a call may have a label.
    calls?.contains { call == $0 || call.hasPrefix($0 + ".") } ?? false
  }

  /// Returns true if the call at an address of a recording, or one around it, may be missing or
  /// additional.
  func contains(at address: Address, in list: CallList) -> Bool {
    guard !calls.isEmpty || !continuing.isEmpty, let caller = address.caller?.outsideLane
    else { return false }
    let name = address.calls.last?.name ?? ""
    if let owner = list.latest(at: caller).map({ list[$0].component }),
      contains(name, of: owner) || Self.contains(name, in: continuing[owner])
    {
      return true
    }
    return contains(at: caller, in: list)
  }
}

extension PlannedComponent {
  /// The calls of its roles that read on for requests from outside.
  fileprivate var continuingCalls: Set<String> {
    Set(
      roles.flatMap(\.calls).filter(\.value.continuesRequest).map(\.key))
  }
}
