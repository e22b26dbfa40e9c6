internal import FlowCore
internal import FlowExpression

/// What somebody wrote into a transcript in place of a value that varies.
struct ValueMatcher {
  /// The longest text that is compared with a pattern, in bytes.
  private static let longestText = 64 << 10
  /// The longest pattern, in bytes.
  private static let longestPattern = 1_000
  /// The steps that PCRE2 may take for one comparison.
  private static let patternSteps: UInt32 = 100_000

  /// What is accepted.
  enum Demand {
    /// `$any`: every value of a type.
    case any(Kind)
    /// `$match`: a text, a part of which matches.
    case match(String, Pattern)
    /// `$near`: a number or an instant, not further away than the tolerance.
    case near(Measure, within: Measure)
  }

  /// What is accepted.
  let demand: Demand
  /// What a replay serves in its place; nil for nothing.
  let example: JSON?

  /// Reads an object that has a member `$any`, `$match` or `$near`.
  ///
  /// - Throws: `MatcherProblem` when it is not written as a matcher is.
  init(_ members: [JSON.Member]) throws(MatcherProblem) {
    guard let head = members.first(where: { JSON.matcherNames.contains($0.name) }) else {
      throw .literal
    }
    demand = try Self.demand(head)
    var example: JSON?
    for member in members where member.name != head.name {
      guard member.name == "example", head.name != "$near" else {
        throw .unknownMember(member.name, of: head.name)
      }
      if member.value.hasMatchers { throw .exampleWithMatcher }
      example = member.value
    }
    if head.name == "$near", case .array(let parts) = head.value { example = parts.first }
    self.example = example
    if let example, !accepts(example, as: nil) { throw .example("\(self)") }
  }

  private static func demand(_ head: JSON.Member) throws(MatcherProblem) -> Demand {
    switch head.name {
    case "$any":
      guard let name = head.value.string, let kind = Kind(rawValue: name) else {
        throw .kind(head.value.string)
      }
      return .any(kind)
    case "$match":
      guard let source = head.value.string else { throw .noPattern }
      guard source.utf8.count <= longestPattern else { throw .longPattern(longestPattern) }
      do throws(EvaluationError) { return .match(source, try Pattern(source)) } catch {
        throw .pattern(error.message)
      }
    default:
      guard case .array(let parts) = head.value, parts.count == 2 else { throw .near }
      guard let center = Measure(parts[0]) else { throw .nearValue }
      guard let tolerance = Measure(parts[1]), tolerance.isTolerance(of: center) else {
        throw .tolerance(isDuration: !center.isNumber)
      }
      return .near(center, within: tolerance)
    }
  }

  /// Whether it stands for a value that is written as this type, nil for a type that nobody knows.
  func accepts(_ json: JSON, as type: ValueType?) -> Bool {
    json.readings(as: type).contains { value in
      switch (demand, value) {
      case (.any(let kind), _): kind.holds(of: value)
      case (.match(_, let pattern), .string(let text)): Self.matches(text, pattern)
      case (.near(let center, let tolerance), _):
        Measure(value).map { $0.isNear(center, within: tolerance) } ?? false
      default: false
      }
    }
  }

  private static func matches(_ text: String, _ pattern: Pattern) -> Bool {
    guard text.utf8.count <= longestText else { return false }
    // A match that takes too long is none: it could not be told from one that never ends.
    return ((try? pattern.matches(text, steps: patternSteps)) ?? nil) ?? false
  }
}

extension ValueMatcher: CustomStringConvertible {
  /// A phrase: `any string`, `text like '^a+$'`, `12.50 within 0.01`.
  var description: String {
    switch demand {
    case .any(.any): "any value"
    case .any(let kind): "any \(kind.rawValue)"
    case .match(let source, _): "text like '\(Value.onOneLine(source))'"
    case .near(let center, let tolerance): "\(center) within \(tolerance)"
    }
  }
}

extension JSON {
  /// What a text may mean: one value of a known type, or all that it can be read as.
  fileprivate func readings(as type: ValueType?) -> [Value] {
    if let type { return (try? Value(self, as: type)).map { [$0] } ?? [] }
    let plain = (try? Value(dynamic: self)).map { [$0] } ?? []
    if case .number(let text) = self { return plain + (UInt(text).map { [.uint($0)] } ?? []) }
    guard case .string(let text) = self else { return plain }
    let others: [Value?] = [
      Decimal(text).map(Value.decimal), Timestamp(text).map(Value.timestamp),
      Duration(flowText: text).map(Value.duration),
      Base64.decode(text).map { .bytes(Bytes($0)) },
    ]
    return plain + others.compactMap { $0 }
  }
}
