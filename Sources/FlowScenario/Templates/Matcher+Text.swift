internal import FlowCore

extension Matcher {
  /// The matcher on one line, as `expect` writes it: `{balance: ${{ inputs.amount }}}`.
  ///
  /// - Parameter limit: The most characters of a single value; a longer one ends in an ellipsis.
  /// - Returns: A line; control characters are escaped.
  package func text(limit: Int = 80) -> String {
    switch self {
    case .equal(let template): template.text(limit: limit)
    case .fields(let type, let fields):
      Template.braced(
        fields.map { (type.fields[$0.index].name, $0.matcher.text(limit: limit)) })
    case .entries(let entries):
      Template.braced(entries.map { ($0.key, $0.matcher.text(limit: limit)) })
    case .elements(let matchers):
      "[" + matchers.map { $0.text(limit: limit) }.joined(separator: ", ") + "]"
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .equal(let template): template.expressions
    case .fields(_, let fields): fields.flatMap(\.matcher.expressions)
    case .entries(let entries): entries.flatMap(\.matcher.expressions)
    case .elements(let matchers): matchers.flatMap(\.expressions)
    }
  }
}

extension Expectation {
  /// The expectation on one line: what the answer must look like, or `{error: insufficient}`.
  ///
  /// - Parameter limit: The most characters of a single value; a longer one ends in an ellipsis.
  /// - Returns: A line; control characters are escaped.
  package func text(limit: Int = 80) -> String {
    switch self {
    case .output(let matcher): matcher.text(limit: limit)
    case .error(let code): "{error: \(code)}"
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .output(let matcher): matcher.expressions
    case .error: []
    }
  }
}
