package import FlowCore
internal import FlowPlan

/// The meters of the components of a run, which find the quantities of its calls.
///
/// A call of a component that another scenario hands over belongs to that component.
package struct CallMeters: Sendable {
  /// A component of the main scenario, or of the scenario of a step.
  private struct Owner: Hashable {
    let component: String
    let scope: Address?
  }

  /// The meters, with nil for components without quantities.
  private var meters: [Owner: (any CallMeter)?] = [:]

  /// No calls.
  package init() {}

  /// Returns the quantities of a call that has ended, empty for none, or nil for a call of a component
  /// without quantities, and for an opening.
  package mutating func quantities(of invocation: Invocation, _ outcome: Outcome) -> [Quantity]? {
    guard case .operation(let operation) = invocation.target else { return nil }
    let owner = Owner(component: invocation.componentName, scope: invocation.scope)
    guard var meter = meters[owner] ?? operation.plugin.newMeter() else {
      meters[owner] = .some(nil)
      return nil
    }
    guard case .answer(let answer) = outcome else { return [] }
    let input = invocation.role?.input(invocation.input) ?? invocation.input
    let found = meter.quantities(of: operation.description.name, input, answer)
    meters[owner] = meter
    return found
  }
}
