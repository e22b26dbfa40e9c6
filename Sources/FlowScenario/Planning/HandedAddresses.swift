internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// The components of programs that are given the address of a component for requests from outside.
///
/// An address is a volatile part of an answer of such a component, also by way of variables and
/// loops. A replay of one of them without the other tests no program.
struct HandedAddresses {
  /// The owners of the addresses that the components of programs are given, by both positions.
  private(set) var owners: [Int: Int] = [:]
  private let components: [PlannedComponent]
  /// The components whose addresses are in the slots now.
  private var sources: [Slot: Source] = [:]

  /// A component whose address is in an answer or in a variable.
  private struct Source {
    let component: Int
    /// The fields of an answer with the address, or nil for a variable.
    var fields: Set<String>?
  }

  /// Follows the addresses through the steps of a scenario, in file order.
  init(_ components: [PlannedComponent], _ steps: [PlannedStep]) {
    self.components = components
    visit(steps)
  }

  private mutating func visit(_ steps: [PlannedStep]) {
    for step in steps { visit(step) }
  }

  private mutating func visit(_ step: PlannedStep) {
    if let loop = step.action.loop { enter(loop) }
    if let call = step.action.call, components[call.operation.component].plugin.runsPrograms,
      let source = source(of: call.input.expressions)
    {
      owners[call.operation.component] = owners[call.operation.component] ?? source
    }
    if case .set(let set) = step.action {
      for variable in set.assignments {
        guard let component = source(of: variable.value.expressions) else { continue }
        sources[variable.slot] = Source(component: component)
      }
    }
    for block in step.blocks { visit(block.steps) }
    if let slot = step.slot { sources[slot] = step.action.call.flatMap(answer) }
  }

  private mutating func enter(_ loop: PlannedLoop) {
    sources = sources.filter { $0.key.level < loop.level }
    guard case .each(let list) = loop.kind, let component = source(of: list.expressions) else {
      return
    }
    sources[Slot(level: loop.level, index: 1)] = Source(component: component)
  }

  /// The address in the answer of a call, or nil.
  private func answer(of call: PlannedCall) -> Source? {
    let component = call.operation.component
    guard components[component].plugin.servesPrograms else { return nil }
    let fields = call.operation.description.output.fields.filter(\.isVolatile).map(\.name)
    return fields.isEmpty ? nil : Source(component: component, fields: Set(fields))
  }

  /// The component whose address expressions read, or nil.
  private func source(of expressions: [PlannedExpression]) -> Int? {
    for expression in expressions.map(\.expression) {
      for reference in expression.references {
        guard let source = sources[reference.slot] else { continue }
        guard let fields = source.fields,
          case .field(let name)? = expression.part(readBy: reference).steps.first
        else { return source.component }
        if fields.contains(name) { return source.component }
      }
    }
    return nil
  }
}

extension RegisteredPlugin {
  /// True if programs send requests to its components.
  var servesPrograms: Bool { roles.contains(where: \.isFromOutside) }
  /// True if its components run programs.
  fileprivate var runsPrograms: Bool { plugin.reaches.contains(.process) }
}

extension [PlannedComponent] {
  /// The components that a replay must run for the programs of a scenario to run, with the problems.
  func closedInReplays(_ steps: [PlannedStep]) -> [(name: String, Problem)] {
    guard contains(where: { $0.plugin.servesPrograms }) else { return [] }
    let handed = HandedAddresses(self, steps)
    return indices.compactMap { index in
      let component = self[index]
      if component.isLive { return nil }
      if let owner = handed.owners[index] {
        return (component.name, .absentProgram(component.name, address: self[owner].name))
      }
      guard component.plugin.servesPrograms, contains(where: { $0.plugin.runsPrograms }) else {
        return nil
      }
      return (component.name, .closedPort(component.name))
    }
  }
}
