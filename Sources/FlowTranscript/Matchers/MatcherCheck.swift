internal import FlowCore

/// Finds the matchers of a transcript and what is wrong with them.
struct MatcherCheck {
  /// How many patterns a transcript may have; each may take long.
  private static let mostPatterns = 10_000

  /// A problem and where it is.
  struct Failure: Error {
    let problem: MatcherProblem
    let path: [FieldPath.Step]
  }

  private var patterns = 0

  /// Whether a value has matchers.
  ///
  /// - Throws: `Failure` for the first one that is none, or without the example that it needs.
  mutating func find(
    in json: JSON, needsExamples: Bool, at path: [FieldPath.Step]
  ) throws(Failure) -> Bool {
    switch (json.form, json) {
    case (.matcher(let members), _):
      do throws(MatcherProblem) { try check(members, needsExamples) } catch {
        throw Failure(problem: error, path: path)
      }
      return true
    case (.literal(let members), _):
      return try find(in: members, needsExamples, path + [.field(JSON.literalName)])
    case (_, .object(let members)): return try find(in: members, needsExamples, path)
    case (_, .array(let elements)):
      var found = false
      for (index, element) in elements.enumerated()
      where try find(in: element, needsExamples: needsExamples, at: path + [.index(index)]) {
        found = true
      }
      return found
    default: return false
    }
  }

  private mutating func find(
    in members: [JSON.Member], _ needsExamples: Bool, _ path: [FieldPath.Step]
  ) throws(Failure) -> Bool {
    var found = false
    for member in members
    where try find(
      in: member.value, needsExamples: needsExamples, at: path + [.field(member.name)])
    {
      found = true
    }
    return found
  }

  private mutating func check(
    _ members: [JSON.Member], _ needsExample: Bool
  ) throws(MatcherProblem) {
    // What is a body has been replaced by its text.
    if members.contains(where: { $0.name == Blob.name }) { throw .blob }
    let matcher = try ValueMatcher(members)
    if needsExample, matcher.example == nil { throw .noExample("\(matcher)") }
    guard case .match = matcher.demand else { return }
    patterns += 1
    if patterns > Self.mostPatterns { throw .manyPatterns(Self.mostPatterns) }
  }
}
