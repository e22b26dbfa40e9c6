internal import FlowCore
internal import FlowSystem

/// A value of a transcript, or a pattern in place of one, at any depth.
indirect enum RecordedValue: Sendable {
  /// A value without patterns, as nearly all are.
  case plain(JSON)
  /// A pattern in place of a value.
  case pattern(RecordedPattern)
  /// A list with patterns in it.
  case array([RecordedValue])
  /// An object with patterns in it.
  ///
  /// A literal one is below `$literal`.
  case object([Member], isLiteral: Bool)

  /// A name and its value.
  struct Member: Sendable {
    let name: String
    let value: RecordedValue
  }

  /// True if it contains a pattern.
  var hasPatterns: Bool {
    if case .plain = self { return false }
    return true
  }

  /// The value served by a replay, with examples in place of patterns.
  var served: JSON { replacingPatterns { $0.example ?? $0.json } }

  /// The value as it is written.
  var json: JSON { replacingPatterns(\.json) }

  /// The value without its patterns' names and examples, for comparing the rest.
  ///
  /// No value without patterns is equal to it, since a plain object with such a name is a literal.
  var question: JSON {
    replacingPatterns { _ in .object([JSON.Member(RecordedPattern.anyName, .null)]) }
  }

  /// The value with something in place of every pattern.
  func replacingPatterns(_ replacement: (RecordedPattern) -> JSON) -> JSON {
    switch self {
    case .plain(let json): return json
    case .pattern(let pattern): return replacement(pattern)
    case .array(let elements): return .array(elements.map { $0.replacingPatterns(replacement) })
    case .object(let members, let isLiteral):
      let object = JSON.object(
        members.map { JSON.Member($0.name, $0.value.replacingPatterns(replacement)) })
      return isLiteral ? .object([JSON.Member(JSON.literalName, object)]) : object
    }
  }
}

// MARK: - Comparing

extension RecordedValue {
  /// The value, with the present one in place of every pattern that accepts it.
  ///
  /// - Parameters:
  ///   - now: The present value at the same place. A pattern in it counts as its example.
  ///   - type: The type there, or nil if it is unknown.
  /// - Returns: The same tree. Patterns that do not accept the present value stay.
  func matched(by now: RecordedValue, as type: ValueType?) -> RecordedValue {
    if case .plain = self { return self }
    switch (self, now.opened) {
    case (.pattern(let pattern), _): return pattern.accepts(now.served, as: type) ? now : self
    case (.object(let members, let isLiteral), .object(let others, let isOther))
    where isLiteral == isOther:
      let now = Self.index(others)
      let matched = members.compactMap { member -> Member? in
        if let other = now[Array(member.name.utf8)] {
          let value = member.value.matched(by: other, as: type?.member(member.name))
          return Member(name: member.name, value: value)
        }
        // A null field is left out.
        if case .pattern(let pattern) = member.value, pattern.accepts(.null, as: nil) { return nil }
        return member
      }
      return .object(matched, isLiteral: isLiteral)
    case (.array(let elements), .array(let others)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count ? element.matched(by: others[index], as: type?.element) : element
        })
    default: return self
    }
  }

  /// The value, with the patterns of an older one wherever they accept the present value.
  ///
  /// The present value becomes their example, unless they keep theirs.
  func keepingPatterns(
    of old: RecordedValue, as type: ValueType?, andExamples keepsExamples: Bool
  ) -> RecordedValue {
    if case .plain = old { return self }
    switch (old, opened) {
    case (.pattern(let pattern), _):
      let now = served
      guard pattern.accepts(now, as: type) else { return self }
      return .pattern(keepsExamples ? pattern : pattern.withExample(now))
    case (.object(let others, let isLiteral), .object(let members, let isMine))
    where isLiteral == isMine:
      // Nearly always the names are those of the old one, in its order.
      let isAlike =
        others.count == members.count
        && zip(others, members).allSatisfy { $0.name.isIdentical(to: $1.name) }
      let old = isAlike ? [:] : Self.index(others)
      let kept = members.enumerated().map { index, member in
        guard let other = isAlike ? others[index].value : old[Array(member.name.utf8)] else {
          return member
        }
        let value = member.value.keepingPatterns(
          of: other, as: type?.member(member.name), andExamples: keepsExamples)
        return Member(name: member.name, value: value)
      }
      return .object(kept, isLiteral: isLiteral)
    case (.array(let others), .array(let elements)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count
            ? element.keepingPatterns(
              of: others[index], as: type?.element, andExamples: keepsExamples) : element
        })
    default: return self
    }
  }

  /// The value, with the patterns of a present one wherever it has none and they accept its value.
  ///
  /// What is declared as varying after the recording varies in the recorded value, too.
  func takingPatterns(of now: RecordedValue, as type: ValueType?) -> RecordedValue {
    if case .plain = now { return self }
    switch (opened, now) {
    case (.pattern, _): return self
    case (_, .pattern(let pattern)):
      let mine = served
      return pattern.accepts(mine, as: type) ? .pattern(pattern.withExample(mine)) : self
    case (.object(let members, let isLiteral), .object(let others, let isOther))
    where isLiteral == isOther:
      var rest = Self.index(others)
      var taken = members.map { member in
        guard let other = rest.removeValue(forKey: Array(member.name.utf8)) else { return member }
        let value = member.value.takingPatterns(of: other, as: type?.member(member.name))
        return Member(name: member.name, value: value)
      }
      // A null field is left out.
      for other in others where rest[Array(other.name.utf8)] != nil {
        guard case .pattern(let pattern) = other.value, pattern.accepts(.null, as: nil) else {
          continue
        }
        taken.append(Member(name: other.name, value: .pattern(pattern.withExample(.null))))
      }
      return .object(taken, isLiteral: isLiteral)
    case (.array(let elements), .array(let others)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count
            ? element.takingPatterns(of: others[index], as: type?.element) : element
        })
    default: return self
    }
  }

  /// A plain object or list with its parts as separate values, or the value itself.
  private var opened: RecordedValue {
    guard case .plain(let json) = self else { return self }
    switch (json.form, json) {
    case (.literal(let members), _): return .object(Self.members(members), isLiteral: true)
    case (_, .object(let members)): return .object(Self.members(members), isLiteral: false)
    case (_, .array(let elements)): return .array(elements.map(RecordedValue.plain))
    default: return self
    }
  }

  private static func members(_ members: [JSON.Member]) -> [Member] {
    members.map { Member(name: $0.name, value: .plain($0.value)) }
  }

  /// By the bytes of their names: `==` of strings takes two forms of one accented letter for one.
  private static func index(_ members: [Member]) -> [[UInt8]: RecordedValue] {
    Dictionary(
      members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

// MARK: - Reading

extension RecordedValue {
  /// An unusable pattern, with its place.
  struct Failure: Error {
    let problem: PatternProblem
    let path: [JSON.Step]
  }

  /// Reads the values of one transcript.
  struct Reader {
    /// The most regular expressions of a transcript, because each may take long.
    private static let mostExpressions = 10_000

    private var expressions = 0
    /// True if patterns need examples, because they are served.
    private var needsExamples = false

    /// Reads a value of a line.
    ///
    /// - Throws: `Failure` for the first pattern that is malformed, or lacks a needed example.
    mutating func value(
      _ json: JSON, isServed: Bool = false, at path: [JSON.Step] = []
    ) throws(Failure) -> RecordedValue {
      needsExamples = isServed
      return try value(json, path)
    }

    private mutating func value(
      _ json: JSON, _ path: [JSON.Step]
    ) throws(Failure) -> RecordedValue {
      switch (json.form, json) {
      case (.pattern(let members), _): return .pattern(try pattern(members, path))
      case (.literal(let members), _):
        let read = try self.members(members, path + [.field(JSON.literalName)])
        return read.map { .object($0, isLiteral: true) } ?? .plain(json)
      case (_, .object(let members)):
        return try self.members(members, path).map { .object($0, isLiteral: false) } ?? .plain(json)
      case (_, .array(let elements)):
        var read: [RecordedValue] = []
        read.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
          read.append(
            element.isScalar ? .plain(element) : try value(element, path + [.index(index)]))
        }
        return read.contains(where: \.hasPatterns) ? .array(read) : .plain(json)
      default: return .plain(json)
      }
    }

    /// The members of an object, or nil without a pattern in them.
    private mutating func members(
      _ members: [JSON.Member], _ path: [JSON.Step]
    ) throws(Failure) -> [Member]? {
      var read: [Member] = []
      read.reserveCapacity(members.count)
      for member in members {
        // Most members need no path.
        let value =
          member.value.isScalar
          ? .plain(member.value) : try value(member.value, path + [.field(member.name)])
        read.append(Member(name: member.name, value: value))
      }
      return read.contains { $0.value.hasPatterns } ? read : nil
    }

    private mutating func pattern(
      _ members: [JSON.Member], _ path: [JSON.Step]
    ) throws(Failure) -> RecordedPattern {
      do throws(PatternProblem) {
        // A body has been replaced by its text.
        if members.contains(where: { $0.name == JSON.blobName }) { throw .blob }
        let pattern = try RecordedPattern(members)
        if needsExamples, pattern.example == nil { throw .noExample("\(pattern)") }
        guard case .match = pattern.demand else { return pattern }
        expressions += 1
        if expressions > Self.mostExpressions { throw .manyPatterns(Self.mostExpressions) }
        return pattern
      } catch {
        throw Failure(problem: error, path: path)
      }
    }
  }
}
