internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `await`: waits until a component reports something.
struct WrittenAwait: WrittenAction {
  static let kind = StepKind(
    Key("await", "The event to wait for, such as balance.changed.", .event, isRequired: true),
    companions: [
      Key("where", "A condition on 'event', the payload of the event.", .expression),
      .timeout.required,
    ]
  ) { reader in
    guard let event = reader.textNode("await") else { return nil }
    guard reader["timeout"] != nil || reader.mistyped.contains("timeout") else {
      return reader.diagnostics.reject(.awaitWithoutTimeout, at: event.span)
    }
    return WrittenAwait(event: event, condition: reader["where"])
  }

  let event: Node
  let condition: Node?

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    guard let event = planner.components.event(event) else { return nil }
    planner.openBlock()
    planner.scope.declare("event", .record(event.description.payload))
    let condition = condition.map {
      planner.expressions.expression($0, .bool, owner: "'where'", planner.scope.environment)
    }
    _ = planner.closeBlock([])
    if case .some(nil) = condition { return nil }
    let planned = PlannedAwait(event: event, condition: condition.flatMap { $0 })
    return (.await(planned), .record(event.description.payload))
  }
}
