internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// The calls that a component makes of others, for the rules in its declaration.
struct DeclaredCalls {
  private let component: String
  private let requirements: [RoleRequirement]
  /// The names of the filled roles.
  private let filled: Set<String>

  init(_ declaration: Scenario.ComponentDeclaration, _ requirements: [RoleRequirement]) {
    component = declaration.name
    self.requirements = requirements.filter { $0.kind == .operation }
    filled = Set(declaration.using.map(\.key.text))
  }

  /// The names of all calls.
  var names: [String] { requirements.map(\.name) }

  /// Returns the call that a node names, or reports a call that the component does not make.
  func call(_ node: Node, _ diagnostics: DiagnosticCollector) -> RoleRequirement? {
    guard let call = requirements.first(where: { $0.name == node.text }) else {
      return diagnostics.reject(
        .unknownOptionalCall(node.text, component: component, known: names), at: node.span)
    }
    if !filled.contains(call.role.name) {
      diagnostics.add(.callOfUnfilledRole(node.text, call.role.name, component), at: node.span)
    }
    return call
  }
}
