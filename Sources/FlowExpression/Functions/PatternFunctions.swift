internal import FlowCore

/// `matches` ("Regular Expressions"), and the parts of a text that a regular expression matches.
enum PatternFunctions {
  static let all = [
    Function("matches", [Signature([.string, .string], .bool)], body),
    Function("matches", isMember: true, [Signature([.string, .string], .bool)], body),
    Function("regex.extract", [Signature([.string, .string], .optional(.string))], extraction),
    Function("regex.extractAll", [Signature([.string, .string], .list(.string))], extractions),
  ]

  private static let body = Function.Body.prepared(
    { (text, pattern, frame) throws(EvaluationError) in
      guard case .string(let source) = pattern else { throw .noOverload }
      return .bool(try matches(text, try compiled(source, &frame), &frame))
    },
    { (pattern) throws(EvaluationError) in
      guard case .string(let source) = pattern else { throw .noOverload }
      let pattern = try Pattern(source)
      return { (text, frame) throws(EvaluationError) in
        .bool(try matches(text, pattern, &frame))
      }
    })

  /// Compiles a pattern that is known only at run time.
  ///
  /// Its cost is its size.
  private static func compiled(
    _ source: String, _ frame: inout Frame
  ) throws(EvaluationError) -> Pattern {
    do throws(EvaluationError) {
      let pattern = try Pattern(source)
      try frame.charge(1 + pattern.size / 4)
      return pattern
    } catch {
      // A condition can go on with another pattern: `false || a.matches(b)`.
      try frame.charge(Limits.refusedPatternSteps)
      throw error
    }
  }

  /// Charges for the text, and for the size of the pattern: RE2 takes that many steps for a byte when a
  /// pattern has too many states to keep.
  private static func matches(
    _ text: Value, _ pattern: Pattern, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    guard case .string(let text) = text else { throw .noOverload }
    let count = text.utf8.count
    try frame.charge(1 + count / 32 + count * pattern.size / 2_048)
    return try pattern.matches(text)
  }

  // MARK: - Parts

  private static let extraction = searching { (text, pattern, frame) throws(EvaluationError) in
    var first: String?
    try parts(of: text, pattern, &frame) { part in
      first = part
      return true
    }
    return .optional(first.map(Value.string))
  }

  private static let extractions = searching { (text, pattern, frame) throws(EvaluationError) in
    var all: [Value] = []
    try parts(of: text, pattern, &frame) { part in
      if let part { all.append(.string(part)) }
      return false
    }
    return .list(all)
  }

  private typealias Search =
    @Sendable (String, Pattern, inout Frame) throws(EvaluationError) -> Value

  /// A function of a text and a pattern with at most one capturing group, as in the regular
  /// expressions extension.
  private static func searching(_ search: @escaping Search) -> Function.Body {
    .prepared(
      { (text, pattern, frame) throws(EvaluationError) in
        guard case .string(let source) = pattern, case .string(let text) = text else {
          throw .noOverload
        }
        let pattern = try compiled(source, &frame)
        guard pattern.groupCount <= 1 else { throw .severalGroups }
        return try search(text, pattern, &frame)
      },
      { (pattern) throws(EvaluationError) in
        guard case .string(let source) = pattern else { throw .noOverload }
        let pattern = try Pattern(source)
        guard pattern.groupCount <= 1 else { throw .severalGroups }
        return { (text, frame) throws(EvaluationError) in
          guard case .string(let text) = text else { throw .noOverload }
          return try search(text, pattern, &frame)
        }
      })
  }

  /// Searches for the parts of a text one after the other.
  ///
  /// Charges for each search as `matches` does. One may look beyond its match up to the end of the text.
  private static func parts(
    of text: String, _ pattern: Pattern, _ frame: inout Frame, until isEnough: (String?) -> Bool
  ) throws(EvaluationError) {
    let count = text.utf8.count
    let cost = 1 + count / 32 + count * pattern.size / 2_048
    try frame.charge(cost)
    var rest = count
    try pattern.parts(of: text) { (part, searched) throws(EvaluationError) in
      rest -= searched
      try frame.charge(1 + rest / 32 + rest * pattern.size / 2_048)
      return isEnough(part)
    }
  }
}
