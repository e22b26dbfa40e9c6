internal import FlowCore

/// `contains`, `startsWith` and `endsWith`, byte by byte: the definition does not normalise text.
enum TextSearch {
  static let all = [
    Function("contains", isMember: true, test, .binary(contains)),
    Function("startsWith", isMember: true, test, .binary(startsWith)),
    Function("endsWith", isMember: true, test, .binary(endsWith)),
  ]

  private static let test = [Signature([.string, .string], .bool)]

  private static func contains(
    _ text: Value, _ part: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
    try frame.charge(text.utf8.count / 32)
    return .bool(try ByteSearch.first(Array(part.utf8), in: Array(text.utf8), &frame) != nil)
  }

  private static func startsWith(
    _ text: Value, _ part: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
    return .bool(text.utf8.starts(with: part.utf8))
  }

  private static func endsWith(
    _ text: Value, _ part: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
    return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
  }
}

/// Search for a sequence inside another.
enum ByteSearch {
  /// The first position, from `start` on; nil when there is none.
  static func first<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int = 0, _ frame: inout Frame
  ) throws(EvaluationError) -> Int? {
    guard let head = part.first else { return start }
    guard part.count <= whole.count else { return nil }
    for position in stride(from: start, through: whole.count - part.count, by: 1)
    where whole[position] == head {
      if try matches(part, whole, position, &frame) { return position }
    }
    return nil
  }

  /// The last position, from `start` downwards; nil when there is none.
  static func last<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> Int? {
    guard let head = part.first else { return start }
    let highest = min(start, whole.count - part.count)
    for position in stride(from: highest, through: 0, by: -1) where whole[position] == head {
      if try matches(part, whole, position, &frame) { return position }
    }
    return nil
  }

  private static func matches<Element: Equatable>(
    _ part: [Element], _ whole: [Element], _ position: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    var length = 1
    while length < part.count, whole[position + length] == part[length] { length += 1 }
    // Long partial matches at every position make the search quadratic.
    try frame.charge(length / 32)
    return length == part.count
  }
}

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
  /// to what the match takes, which PCRE2 does not report.
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
