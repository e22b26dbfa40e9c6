/// Everything that is wrong with an expression, in text order.
public struct ExpressionErrors: Error, Sendable, Hashable {
  /// The independent problems, in text order; never empty.
  public let problems: [ExpressionProblem]

  init(_ problems: [ExpressionProblem]) {
    self.problems = problems
  }

  init(_ problem: ExpressionProblem) {
    problems = [problem]
  }
}

extension ExpressionErrors: CustomStringConvertible {
  /// The problems' messages, one a line.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
