public import FlowCore

/// A wait for an event of a component.
public struct PlannedAwait: Sendable {
  /// The awaited event.
  public let event: EventReference
  /// The condition for the payload, which is in index 0 of a separate level.
  ///
  /// Nil accepts any.
  public let condition: PlannedExpression?

  package init(event: EventReference, condition: PlannedExpression?) {
    self.event = event
    self.condition = condition
  }
}

/// An event of one of the scenario's components.
public struct EventReference: Sendable {
  /// The component's position among the plan's, from 0.
  public let component: Int
  /// `component.event`, as `await:` has it.
  public let name: String
  /// Its meaning and its payload.
  public let description: EventDescription

  /// Creates a reference.
  ///
  /// `component` is the position in the plan, `name` is `component.event`.
  package init(component: Int, name: String, description: EventDescription) {
    self.component = component
    self.name = name
    self.description = description
  }
}

extension PlannedAwait: PlannedContent {
  package var expressions: [PlannedExpression] { condition.map { [$0] } ?? [] }
  package var waiting: Waiting { .event }
  package var lines: [String] {
    ["await: \(event.name)"] + (condition.map { ["where: \($0.text)"] } ?? [])
  }
  package var summary: String { "await \(event.name)" }
}
