internal import FlowCore
internal import FlowPlan

/// The operations of a scenario's components that generated calls may use.
///
/// A generated call is a real call: a component that reaches files or servers writes and deletes
/// there. Its operations are called only if they are named.
package struct CallableOperations: Sendable {
  /// An operation and its input.
  struct Operation: Sendable {
    /// `balance.subtract`.
    let name: String
    let input: RecordType
  }

  /// The effects of a component outside the run, in words: `reaches the network`.
  package struct Outside: Sendable {
    /// Its name in the scenario.
    package let component: String
    /// The most telling reason.
    package let reason: String
  }

  let operations: [Operation]
  /// The components that were not named, and whose operations are not called.
  package let leftOut: [Outside]
  /// The components that were named, and are really called.
  package let outside: [Outside]

  /// The names of the callable operations, in the order of the components.
  package var names: [String] { operations.map(\.name) }

  /// No operation.
  init() {
    operations = []
    leftOut = []
    outside = []
  }

  /// Finds the operations of the named components, or of all components without effects outside.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - opened: The settings of its opened components, by name.
  ///   - names: The requested components and operations, or nil for none in particular.
  init(_ plan: Plan, opened: [String: Value], _ names: Set<String>?) {
    let reasons = plan.reasonsOutside(opened)
    var operations: [Operation] = []
    var outside: [Outside] = []
    for (index, component) in plan.components.enumerated() {
      let own = component.callable(names)
      if own.isEmpty { continue }
      if let reason = reasons[index] {
        outside.append(Outside(component: component.name, reason: reason))
        if names == nil { continue }
      }
      operations += own
    }
    self.operations = operations
    leftOut = names == nil ? outside : []
    self.outside = names == nil ? [] : outside
  }
}

extension PlannedComponent {
  /// The wanted operations whose inputs can be generated.
  fileprivate func callable(_ names: Set<String>?) -> [CallableOperations.Operation] {
    plugin.operations.compactMap { operation in
      let title = "\(name).\(operation.name)"
      let isWanted =
        names.map { $0.contains(title) || $0.contains(name) && !operation.passesOn }
        ?? !operation.passesOn
      return isWanted && ValueGenerator.canDraw(operation.input)
        ? CallableOperations.Operation(name: title, input: operation.input) : nil
    }
  }

  /// The effect of its calls outside the run, or nil.
  fileprivate func reasonOutside(_ settings: Value?) -> String? {
    guard let settings, let reaches = try? plugin.reaches(settings),
      let state = try? plugin.state(settings)
    else { return "was not opened" }
    if let reach = reaches.inOrder.first { return reach.phrase }
    return state == .external ? "keeps its state outside of the process" : nil
  }
}

extension Plan {
  /// The effects of each component's calls outside the run, direct or through the components that
  /// it uses.
  fileprivate func reasonsOutside(_ opened: [String: Value]) -> [Int: String] {
    var reasons: [Int: String] = [:]
    for (index, component) in components.enumerated() {
      reasons[index] = component.reasonOutside(opened[component.name])
    }
    // Circles are no plan, so each round adds one more link of the longest chain at least.
    for _ in components {
      for (index, component) in components.enumerated() where reasons[index] == nil {
        let partner = component.roles.first { reasons[$0.component] != nil }
        reasons[index] = partner.map { "uses '\(components[$0.component].name)'" }
      }
    }
    return reasons
  }
}
