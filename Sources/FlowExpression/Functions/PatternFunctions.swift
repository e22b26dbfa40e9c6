internal import FlowCore

/// `matches`: whether a regular expression matches a part of a text ("Regular Expressions").
enum PatternFunctions {
  static let all = [
    Function("matches", [Signature([.string, .string], .bool)], body),
    Function("matches", isMember: true, [Signature([.string, .string], .bool)], body),
  ]

  private static let body = Function.Body.prepared(
    { (text, pattern, frame) throws(EvaluationError) in
      guard case .string(let source) = pattern else { throw .noOverload }
      try frame.charge(1 + source.utf8.count)
      return .bool(try matches(text, try Pattern(source)))
    },
    { (pattern) throws(EvaluationError) in
      guard case .string(let source) = pattern else { throw .noOverload }
      let pattern = try Pattern(source)
      return { (text, frame) throws(EvaluationError) in
        try frame.charge(1)
        return .bool(try matches(text, pattern))
      }
    })

  private static func matches(_ text: Value, _ pattern: Pattern) throws(EvaluationError) -> Bool {
    guard case .string(let text) = text else { throw .noOverload }
    return try pattern.matches(text)
  }
}
