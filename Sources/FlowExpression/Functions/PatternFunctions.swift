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
      return .bool(try matches(text, try Pattern(source), &frame))
    },
    { (pattern) throws(EvaluationError) in
      guard case .string(let source) = pattern else { throw .noOverload }
      let pattern = try Pattern(source)
      return { (text, frame) throws(EvaluationError) in
        .bool(try matches(text, pattern, &frame))
      }
    })

  /// Tries with few steps first and more if they do not do, so that what is charged is in proportion
  /// to what the match takes, which PCRE2 does not tell.
  private static func matches(
    _ text: Value, _ pattern: Pattern, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    guard case .string(let text) = text else { throw .noOverload }
    var steps: UInt32 = 1_000
    while steps <= Limits.patternSteps {
      try frame.charge(Int(steps) / 20 + text.utf8.count / 32)
      if let isMatch = try pattern.matches(text, steps: steps) { return isMatch }
      steps *= 10
    }
    throw .patternLimit
  }
}
