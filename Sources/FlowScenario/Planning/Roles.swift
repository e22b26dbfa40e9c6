internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// Hands components of a scenario to others, as their `using:` says.
struct Roles {
  private let declarations: [Scenario.ComponentDeclaration]
  private let components: DeclaredComponents
  private let diagnostics: DiagnosticCollector

  init(
    _ declarations: [Scenario.ComponentDeclaration], _ components: DeclaredComponents,
    _ diagnostics: DiagnosticCollector
  ) {
    self.declarations = declarations
    self.components = components
    self.diagnostics = diagnostics
  }

  /// Fills the roles of all components, and orders the components by their use.
  func fill() {
    for declaration in declarations {
      guard let index = components.index(of: declaration.name) else { continue }
      let component = components.planned[index]
      components.fill(
        roles(of: declaration, component), optional: optionalCalls(of: declaration, component),
        of: index)
    }
    order()
  }

  private func roles(
    of declaration: Scenario.ComponentDeclaration, _ component: PlannedComponent
  ) -> [PlannedRole] {
    let requirements = requirements(of: declaration, component)
    let known = requirements.map(\.role.name).unique
    checkNames(declaration, component, known)
    let varying = DeclaredVarying(declaration, requirements, diagnostics).parts
    let traits = DeclaredTraits(declaration, diagnostics)
    return known.compactMap { name in
      let requirements = requirements.filter { $0.role.name == name }
      guard let entry = declaration.using.first(where: { $0.key.text == name }) else {
        if let role = requirements.first?.role, !role.isOptional {
          diagnostics.add(.unfilledRole(role, component: declaration.name), at: declaration.span)
        }
        return nil
      }
      return role(name, requirements, entry.value) { requirement, plugin in
        traits.varying(varying[requirement.name] ?? VaryingParts(), requirement, plugin)
      }
    }
  }

  /// Reports unknown roles, and names of open ones that are nearly those of roles left out.
  private func checkNames(
    _ declaration: Scenario.ComponentDeclaration, _ component: PlannedComponent, _ known: [String]
  ) {
    let given = declaration.using.map(\.key.text)
    let declared = component.plugin.roles.filter { !$0.role.isOpen }.map(\.role.name).unique
    let missing = declared.filter { !given.contains($0) }
    for entry in declaration.using where !declared.contains(entry.key.text) {
      let name = entry.key.text
      if known.contains(name), Suggestion.nearest(to: name, among: missing).isEmpty { continue }
      diagnostics.add(
        .unknownRole(name, component: declaration.name, known: declared), at: entry.key.span)
    }
  }

  private func requirements(
    of declaration: Scenario.ComponentDeclaration, _ component: PlannedComponent
  ) -> [RoleRequirement] {
    component.plugin.requirements(using: declaration.using.map(\.key.text))
  }

  private func optionalCalls(
    of declaration: Scenario.ComponentDeclaration, _ component: PlannedComponent
  ) -> Set<String> {
    let calls = DeclaredCalls(declaration, requirements(of: declaration, component))
    for node in declaration.optional {
      guard let call = calls.call(node, diagnostics) else { continue }
      // A program decides how much of an answer it reads, in any case.
      if call.continuesRequest { diagnostics.add(.freeCall(node.text), at: node.span) }
    }
    return Set(declaration.optional.map(\.text)).intersection(calls.names)
  }

  /// The filled role, or nil after a problem.
  private func role(
    _ name: String, _ requirements: [RoleRequirement], _ node: Node,
    varying: (RoleRequirement, RegisteredPlugin) -> VaryingParts
  ) -> PlannedRole? {
    guard let index = components.use(node) else { return nil }
    let plugin = components.planned[index].plugin
    var calls: [String: PlannedRoleCall] = [:]
    var events: [String: PlannedRoleEvent] = [:]
    for requirement in requirements {
      let member = requirement.member
      do throws(RoleMisfit) {
        switch requirement.kind {
        case .operation:
          guard let operation = operation(member, of: index, for: name, node) else { continue }
          calls[requirement.name] = try PlannedRoleCall(
            requirement, operation, varying: varying(requirement, plugin))
        case .event:
          guard let event = event(member, of: index, for: name, node) else { continue }
          events[member] = try PlannedRoleEvent(requirement, event)
        }
      } catch {
        let component = components.planned[index].name
        diagnostics.add(.unfitRole(name, "\(component).\(member)", error.message), at: node.span)
      }
    }
    return PlannedRole(
      name: name, component: index, calls: calls, events: events, traits: plugin.traits)
  }

  /// Returns an operation for a role, or nil after a problem.
  private func operation(
    _ name: String, of index: Int, for role: String, _ node: Node
  ) -> OperationReference? {
    let component = components.planned[index]
    guard let operation = component.plugin.operationIndex(name) else {
      return diagnostics.reject(
        .roleWithout(role, "operation '\(name)'", component: component.name), at: node.span)
    }
    return OperationReference(
      component: index, index: operation, name: "\(component.name).\(name)",
      plugin: component.plugin, usesRoles: component.isUsing,
      volatile: component.volatile[name] ?? [])
  }

  /// Returns an event for a role, or nil after a problem.
  private func event(
    _ name: String, of index: Int, for role: String, _ node: Node
  ) -> EventReference? {
    let component = components.planned[index]
    guard let event = component.plugin.events.first(where: { $0.name == name }) else {
      return diagnostics.reject(
        .roleWithout(role, "event '\(name)'", component: component.name), at: node.span)
    }
    return EventReference(
      component: index, name: "\(component.name).\(name)", description: event)
  }

  /// Sorts the components, each after the ones it uses, otherwise as in the file.
  private func order() {
    var order: [Int] = []
    var isOpen = [Bool](repeating: false, count: components.planned.count)
    var path: [Int] = []
    func visit(_ index: Int) {
      if isOpen[index] { return }
      if let start = path.firstIndex(of: index) { return report(Array(path[start...])) }
      path.append(index)
      // Once, also if one component fills two roles.
      for used in components.planned[index].roles.map(\.component).unique { visit(used) }
      path.removeLast()
      isOpen[index] = true
      order.append(index)
    }
    for index in components.planned.indices { visit(index) }
    components.openingOrder = order
  }

  private func report(_ circle: [Int]) {
    let component = components.planned[circle[0]]
    let declaration = declarations.first { $0.name == component.name }
    diagnostics.add(
      .circularUse(circle.map { components.planned[$0].name }), at: declaration?.span)
  }
}
