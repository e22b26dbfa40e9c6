internal import FlowExpression

/// Expressions that must be true.
public struct PlannedAssert: Sendable {
  /// The expressions, in file order.
  public let assertions: [PlannedExpression]

  package init(assertions: [PlannedExpression]) {
    self.assertions = assertions
  }
}

extension PlannedAssert: PlannedContent {
  package var expressions: [PlannedExpression] { assertions }
  package var waiting: Waiting { .nothing }
  package var lines: [String] { Self.section("assert", assertions.map(\.text)) }
  package var summary: String {
    "assert \(assertions.map(\.expression.text).joined(separator: ", "))"
  }
}
