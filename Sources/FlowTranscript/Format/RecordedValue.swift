internal import FlowCore

extension JSON {
  /// The members that make an object a matcher.
  static let matcherNames = ["$any", "$match", "$near"]
  /// The member that makes an object a map as it stands, whatever its names are.
  static let literalName = "$literal"

  /// Whether a map with a key of this name has to be escaped.
  static func isReserved(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "$")
      && (matcherNames.contains(name) || name == literalName || name == Blob.name)
  }

  /// What the names of an object's members make it.
  enum Form {
    /// What it is without them.
    case plain
    /// A map with these members, whatever their names are.
    case literal([Member])
    /// Something in place of a value.
    case matcher([Member])
  }

  /// What an object is; everything else is plain.
  var form: Form {
    guard case .object(let members) = self, members.contains(where: { Self.isReserved($0.name) })
    else { return .plain }
    if members.count == 1, members[0].name == Self.literalName,
      case .object(let inner) = members[0].value
    {
      return .literal(inner)
    }
    return .matcher(members)
  }

  /// The matcher that it is; nil for everything else.
  var matcher: RecordedPattern? {
    guard case .matcher(let members) = form else { return nil }
    // A transcript whose matchers are no matchers was refused when it was read.
    return try? RecordedPattern(members)
  }

  /// Whether a matcher stands in it.
  var hasMatchers: Bool {
    switch (form, self) {
    case (.matcher, _): true
    case (.literal(let members), _): members.contains { $0.value.hasMatchers }
    case (_, .object(let members)): members.contains { $0.value.hasMatchers }
    case (_, .array(let elements)): elements.contains(where: \.hasMatchers)
    default: false
    }
  }

  /// The same with something in place of every matcher.
  func replacingMatchers(_ value: (RecordedPattern, JSON) -> JSON) -> JSON {
    func members(_ members: [Member]) -> [Member] {
      members.map { Member($0.name, $0.value.replacingMatchers(value)) }
    }
    switch (form, self) {
    case (.matcher, _): return matcher.map { value($0, self) } ?? self
    case (.literal(let inner), _):
      return .object([Member(Self.literalName, .object(members(inner)))])
    case (_, .object(let inner)): return .object(members(inner))
    case (_, .array(let elements)): return .array(elements.map { $0.replacingMatchers(value) })
    default: return self
    }
  }

  /// What a replay serves: examples in place of the matchers.
  var served: JSON { replacingMatchers { matcher, json in matcher.example ?? json } }
}

extension JSON {
  /// The same with what is there now in place of every matcher that accepts it.
  ///
  /// - Parameters:
  ///   - now: What stands at the same place; a matcher there counts as its example.
  ///   - type: What is written there; nil when nobody knows.
  /// - Returns: The same tree; matchers that do not accept what is there stay.
  func matched(by now: JSON, as type: ValueType?) -> JSON {
    if self == now { return now }
    switch (form, self, now) {
    case (.matcher, _, _):
      return matcher?.accepts(now.served, as: type?.unwrapped(now)) == true ? now : self
    case (.literal(let inner), _, _):
      guard case .literal(let other) = now.form else { return self }
      return .object([Member(Self.literalName, Self.matched(inner, by: .object(other), type))])
    case (_, .object(let members), .object): return Self.matched(members, by: now, type)
    case (_, .array(let elements), .array(let others)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count ? element.matched(by: others[index], as: type?.element) : element
        })
    default: return self
    }
  }

  private static func matched(_ members: [Member], by now: JSON, _ type: ValueType?) -> JSON {
    let now = MemberIndex(now)
    return .object(
      members.compactMap { member in
        guard let other = now[member.name] else {
          // A field that is null is left out.
          return member.value.matcher?.accepts(.null, as: nil) == true ? nil : member
        }
        return Member(member.name, member.value.matched(by: other, as: type?.member(member.name)))
      })
  }

  /// The same with the matchers of an older text wherever they accept what is there now, which becomes
  /// their example.
  func keepingMatchers(of old: JSON, as type: ValueType?) -> JSON {
    if self == old { return self }
    switch (old.form, self, old) {
    case (.matcher(let members), _, _):
      guard old.matcher?.accepts(served, as: type?.unwrapped(self)) == true else { return self }
      return .object(members.map { $0.name == "example" ? Member($0.name, served) : $0 })
    case (.literal(let inner), _, _):
      guard case .literal(let members) = form else { return self }
      return .object([Member(Self.literalName, Self.keeping(.object(inner), members, type))])
    case (_, .object(let members), .object): return Self.keeping(old, members, type)
    case (_, .array(let elements), .array(let others)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count
            ? element.keepingMatchers(of: others[index], as: type?.element) : element
        })
    default: return self
    }
  }

  private static func keeping(_ old: JSON, _ members: [Member], _ type: ValueType?) -> JSON {
    let old = MemberIndex(old)
    return .object(
      members.map { member in
        guard let other = old[member.name] else { return member }
        return Member(
          member.name, member.value.keepingMatchers(of: other, as: type?.member(member.name)))
      })
  }
}

extension ValueType {
  /// The type of a value that is there: what an optional one wraps, unless it is null.
  fileprivate func unwrapped(_ json: JSON) -> ValueType { json == .null ? self : unwrapped }
}

/// Finds the matchers of a transcript and what is wrong with them.
struct MatcherCheck {
  /// How many patterns a transcript may have; each may take long.
  private static let mostPatterns = 10_000

  /// A problem and where it is.
  struct Failure: Error {
    let problem: PatternProblem
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
      do throws(PatternProblem) { try check(members, needsExamples) } catch {
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
  ) throws(PatternProblem) {
    // What is a body has been replaced by its text.
    if members.contains(where: { $0.name == Blob.name }) { throw .blob }
    let matcher = try RecordedPattern(members)
    if needsExample, matcher.example == nil { throw .noExample("\(matcher)") }
    guard case .match = matcher.demand else { return }
    patterns += 1
    if patterns > Self.mostPatterns { throw .manyPatterns(Self.mostPatterns) }
  }
}
