internal import FlowCore

extension Checker {
  /// The problems in text order.
  var sortedProblems: [ExpressionProblem] {
    problems.enumerated()
      .sorted { ($0.element.span.lowerBound, $0.offset) < ($1.element.span.lowerBound, $1.offset) }
      .map(\.element)
  }

  /// The whole expression, computed in advance when it reads no variable and takes few steps.
  func constantRoot(_ node: any Node) -> any Node {
    guard references.isEmpty, node.constant == nil else { return node }
    var frame = Frame(Activation(), locals: localCount, steps: Limits.foldingSteps)
    // An error is the value of the expression at run time.
    guard let value = try? frame.result(of: node) else { return node }
    return ConstantNode(value)
  }
}
