internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// A step that waits until a component reports something.
  mutating func plan(_ step: Step.Await) -> (PlannedAction, ExpressionType)? {
    guard let event = event(step.event) else { return nil }
    openBlock()
    scope.declare("event", .record(event.description.payload))
    let condition = step.condition.map {
      expressions.expression($0, .bool, owner: "'where'", scope.environment)
    }
    _ = closeBlock([])
    if case .some(nil) = condition { return nil }
    awaitedEvents.insert(event.name)
    let planned = PlannedAwait(event: event, condition: condition.flatMap { $0 })
    return (.await(planned), .record(event.description.payload))
  }

  /// The event that `await:` names; nil after a problem.
  private mutating func event(_ node: Node) -> EventReference? {
    let parts = node.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let component = component(named: String(parts.first ?? ""), in: node, for: .event)
    else { return nil }
    let events = component.plugin.events
    let names = events.map(\.name)
    guard parts.count == 2, !parts[1].isEmpty else {
      problems.add(.noEvent(node.text, component: component.name, known: names), at: node.span)
      return nil
    }
    guard let event = events.first(where: { $0.name == parts[1] }) else {
      let near = Suggestion.nearest(to: String(parts[1]), among: names)
      problems.add(
        .unknownEvent(String(parts[1]), component: component.name, near: near, known: names),
        at: node.behindPoint)
      return nil
    }
    return EventReference(component: component.index, name: node.text, description: event)
  }
}
