public import FlowExpression

/// Assignments of variables, in file order.
public struct PlannedSet: Sendable {
  /// The variables and their values.
  public let assignments: [PlannedAssignment]

  package init(assignments: [PlannedAssignment]) {
    self.assignments = assignments
  }
}

/// A variable and its new value.
public struct PlannedAssignment: Sendable {
  /// The variable's name.
  public let name: String
  /// The place of the variable.
  public let slot: Slot
  /// The new value.
  public let value: Template
  /// The place of the variable in the file.
  package let keyPlace: Place

  package init(name: String, slot: Slot, value: Template, keyPlace: Place) {
    self.name = name
    self.slot = slot
    self.value = value
    self.keyPlace = keyPlace
  }
}

extension PlannedSet: PlannedContent {
  package var templates: [Template] { assignments.map(\.value) }
  package var waiting: Waiting { .nothing }
  package var lines: [String] {
    Self.section("set", assignments.map { "\($0.name): \($0.value.text())" })
  }
  package var summary: String { "set \(assignments.map(\.name).joined(separator: ", "))" }
}
