internal import FlowCore
internal import FlowSystem

/// A value of a transcript, at any depth with patterns in place of values, and with the files of
/// those that a line only names.
indirect enum RecordedValue: Sendable {
  /// A value that is in its line, as nearly all are.
  case plain(JSON)
  /// A pattern in place of a value.
  case pattern(RecordedPattern)
  /// A string, a list or an object that is in a file of its own.
  case body(Blob, JSON)
  /// A list with patterns or bodies in it.
  case array([RecordedValue])
  /// An object with patterns or bodies in it.
  ///
  /// A literal one is below `$literal`.
  case object([Member], isLiteral: Bool)

  /// A name and its value.
  struct Member: Sendable, Hashable {
    let name: String
    let value: RecordedValue
  }

  /// True if its line has all of it as it is.
  var isPlain: Bool {
    if case .plain = self { return true }
    return false
  }

  /// True if it contains a pattern.
  var hasPatterns: Bool {
    switch self {
    case .plain, .body: false
    case .pattern: true
    case .array(let elements): elements.contains(where: \.hasPatterns)
    case .object(let members, _): members.contains { $0.value.hasPatterns }
    }
  }

  /// The value served by a replay, with examples in place of patterns.
  var served: JSON { replacing(patterns: { $0.example?.served ?? $0.json }, bodies: { $1 }) }

  /// The value with the members of its patterns.
  var json: JSON { replacing(patterns: \.json, bodies: { $1 }) }

  /// The value as its line has it, with the names of bodies.
  var written: JSON { replacing(patterns: \.written, bodies: { blob, _ in blob.json }) }

  /// The value without its patterns' names and examples, for comparing the rest.
  ///
  /// No value without patterns is equal to it, since a plain object with such a name is a literal.
  var question: JSON {
    replacing(
      patterns: { .object([JSON.Member(RecordedPattern.anyName, $0.constant)]) }, bodies: { $1 })
  }

  /// The value with something in place of its patterns and of its bodies.
  ///
  /// Inlined, it would be several times in itself, in every caller: a tenth of the module's code.
  @inline(never)
  func replacing(
    patterns: (RecordedPattern) -> JSON, bodies: (Blob, JSON) -> JSON
  ) -> JSON {
    switch self {
    case .plain(let json): return json
    case .pattern(let pattern): return patterns(pattern)
    case .body(let blob, let json): return bodies(blob, json)
    case .array(let elements):
      return .array(elements.map { $0.replacing(patterns: patterns, bodies: bodies) })
    case .object(let members, let isLiteral):
      let object = JSON.object(
        members.map {
          JSON.Member($0.name, $0.value.replacing(patterns: patterns, bodies: bodies))
        })
      return isLiteral ? .object([JSON.Member(JSON.literalName, object)]) : object
    }
  }

  /// The value with examples in place of its patterns, and its bodies in their files.
  var withoutPatterns: RecordedValue {
    guard hasPatterns else { return self }
    switch self {
    case .plain, .body: return self
    case .pattern(let pattern): return pattern.example ?? .plain(pattern.json)
    case .array(let elements): return .array(elements.map(\.withoutPatterns))
    case .object(let members, let isLiteral):
      return .object(
        members.map { Member(name: $0.name, value: $0.value.withoutPatterns) },
        isLiteral: isLiteral)
    }
  }

  /// A plain object or list with its parts as separate values, or the value itself.
  var opened: RecordedValue {
    let json: JSON
    switch self {
    case .plain(let value), .body(_, let value): json = value
    default: return self
    }
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

  /// Visits the bodies in it, in the order in which its line names them.
  func visitBodies(_ visit: (Blob, JSON) -> Void) {
    switch self {
    case .plain: return
    case .pattern(let pattern): pattern.example?.visitBodies(visit)
    case .body(let blob, let json): visit(blob, json)
    case .array(let elements): for element in elements { element.visitBodies(visit) }
    case .object(let members, _): for member in members { member.value.visitBodies(visit) }
    }
  }
}

/// Two values are equal if they are written alike: the name of a body stands for its content.
extension RecordedValue: Hashable {
  static func == (left: RecordedValue, right: RecordedValue) -> Bool {
    if case (.plain(let first), .plain(let second)) = (left, right) { return first == second }
    return left.written == right.written
  }

  func hash(into hasher: inout Hasher) { hasher.combine(written) }
}

// MARK: - Comparing

extension RecordedValue {
  /// Returns true for the same value, besides parts that have any value in both.
  func isAlike(_ now: RecordedValue) -> Bool {
    switch (self, now) {
    case (.plain(let first), .plain(let second)): first == second
    case (.pattern(let first), .pattern(let second)): first.isWhole(like: second)
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isAlike($1) }
    case (.object(let members, let isLiteral), .object(let others, let isOther)):
      isLiteral == isOther && members.count == others.count
        && zip(members, others).allSatisfy {
          $0.name.isIdentical(to: $1.name) && $0.value.isAlike($1.value)
        }
    case (.body(let first, _), .body(let second, _)): first == second
    default: false
    }
  }

  /// The value, with the present one in place of every pattern that accepts it.
  ///
  /// - Parameters:
  ///   - now: The present value at the same place. A pattern in it counts as its example.
  ///   - type: The type there, or nil if it is unknown.
  /// - Returns: The same tree. Patterns that do not accept the present value stay.
  func matched(by now: RecordedValue, as type: ValueType?) -> RecordedValue {
    if isPlain { return self }
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
  /// The present value becomes their example.
  func keepingPatterns(
    of old: RecordedValue, as type: ValueType?
  ) -> RecordedValue {
    let kept = placingPatterns(of: old, as: type)
    // A body stays in its file unless a pattern shows in it.
    return kept.hasPatterns || hasPatterns ? kept : self
  }

  private func placingPatterns(
    of old: RecordedValue, as type: ValueType?
  ) -> RecordedValue {
    if old.isPlain { return self }
    switch (old, opened) {
    case (.pattern(let pattern), _):
      guard pattern.accepts(served, as: type) else { return self }
      return .pattern(pattern.withExample(withoutPatterns))
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
          of: other, as: type?.member(member.name))
        return Member(name: member.name, value: value)
      }
      return .object(kept, isLiteral: isLiteral)
    case (.array(let others), .array(let elements)):
      return .array(
        elements.enumerated().map { index, element in
          index < others.count
            ? element.keepingPatterns(
              of: others[index], as: type?.element) : element
        })
    default: return self
    }
  }

  /// The value, with the patterns of a present one wherever it has none and they accept its value.
  ///
  /// What is declared as varying after the recording varies in the recorded value, too.
  func takingPatterns(of now: RecordedValue, as type: ValueType?) -> RecordedValue {
    if now.isPlain { return self }
    switch (opened, now) {
    case (.pattern, _): return self
    case (_, .pattern(let pattern)):
      // With the present example, from which nothing follows for other values.
      return pattern.accepts(served, as: type) ? now : self
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
        taken.append(Member(name: other.name, value: other.value))
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

  /// By the bytes of their names: `==` of strings takes two forms of one accented letter for one.
  private static func index(_ members: [Member]) -> [[UInt8]: RecordedValue] {
    Dictionary(
      members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

// MARK: - Reading

extension RecordedValue {
  /// An unusable pattern or body.
  enum Failure: Error {
    /// A pattern, with its place.
    case pattern(PatternProblem, [FieldPath.Step])
    case body(BlobError)
  }

  /// Reads the values of one transcript.
  struct Reader {
    /// The most regular expressions of a transcript, because each may take long.
    private static let mostExpressions = 10_000

    /// The bodies that the values name, or nil if they name none.
    var bodies: BlobReader?
    private var expressions = 0
    /// True if patterns need examples, because they are served.
    private var needsExamples = false

    init(_ bodies: BlobReader? = nil) { self.bodies = bodies }

    /// Reads a value of a line.
    ///
    /// - Throws: `Failure` for the first pattern that is malformed or lacks a needed example, and
    ///   the first body that cannot be read.
    mutating func value(
      _ json: JSON, isServed: Bool = false, at path: [FieldPath.Step] = []
    ) throws(Failure) -> RecordedValue {
      needsExamples = isServed
      return try value(json, path)
    }

    /// Reads an input of the header, in which only bodies mean something.
    ///
    /// - Throws: `BlobError` for the first body that cannot be read.
    mutating func input(_ json: JSON) throws(BlobError) -> RecordedValue {
      if let blob = Blob(json) { return .body(blob, try bodies?.value(of: blob) ?? json) }
      switch json {
      case .array(let elements):
        var read: [RecordedValue] = []
        for element in elements { read.append(try input(element)) }
        return read.allSatisfy(\.isPlain) ? .plain(json) : .array(read)
      case .object(let members):
        if case .literal(let inner) = json.form {
          return try inputs(inner).map { .object($0, isLiteral: true) } ?? .plain(json)
        }
        return try inputs(members).map { .object($0, isLiteral: false) } ?? .plain(json)
      default: return .plain(json)
      }
    }

    private mutating func inputs(
      _ members: [JSON.Member]
    ) throws(BlobError) -> [Member]? {
      var read: [Member] = []
      for member in members {
        read.append(Member(name: member.name, value: try input(member.value)))
      }
      return read.allSatisfy(\.value.isPlain) ? nil : read
    }

    private mutating func value(
      _ json: JSON, _ path: [FieldPath.Step]
    ) throws(Failure) -> RecordedValue {
      switch (json.form, json) {
      case (.pattern(let members), _):
        if bodies != nil, let blob = Blob(json) { return .body(blob, try value(of: blob, path)) }
        return .pattern(try pattern(members, path))
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
        return read.allSatisfy(\.isPlain) ? .plain(json) : .array(read)
      default: return .plain(json)
      }
    }

    /// The members of an object, or nil if all of them are plain.
    private mutating func members(
      _ members: [JSON.Member], _ path: [FieldPath.Step]
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
      return read.allSatisfy(\.value.isPlain) ? nil : read
    }

    private mutating func value(
      of blob: Blob, _ path: [FieldPath.Step]
    ) throws(Failure) -> JSON {
      let value: JSON
      do throws(BlobError) { value = try bodies?.value(of: blob) ?? blob.json } catch {
        throw .body(error)
      }
      guard blob.form == .json else { return value }
      // What a person should see is in no file, and a body has none of its own.
      let others = bodies
      bodies = nil
      defer { bodies = others }
      guard try self.value(value, path).isPlain else { throw .pattern(.blob, path) }
      return value
    }

    private mutating func pattern(
      _ members: [JSON.Member], _ path: [FieldPath.Step]
    ) throws(Failure) -> RecordedPattern {
      let example = try example(of: members, path)
      do throws(PatternProblem) {
        if members.contains(where: { $0.name == JSON.blobName }) { throw .blob }
        let pattern = try RecordedPattern(members, example: example)
        if needsExamples, pattern.example == nil { throw .noExample("\(pattern)") }
        guard case .match = pattern.demand else { return pattern }
        expressions += 1
        if expressions > Self.mostExpressions { throw .manyPatterns(Self.mostExpressions) }
        return pattern
      } catch {
        throw .pattern(error, path)
      }
    }

    /// The example of a pattern, or nil if there is none, or one with patterns in it.
    private mutating func example(
      of members: [JSON.Member], _ path: [FieldPath.Step]
    ) throws(Failure) -> RecordedValue? {
      guard let member = members.first(where: { $0.name == RecordedPattern.exampleName }) else {
        return nil
      }
      do throws(Failure) {
        let example = try value(member.value, path)
        return example.hasPatterns ? nil : example
      } catch {
        // A pattern in an example is wrong in any case.
        if case .body = error { throw error }
        return nil
      }
    }
  }
}
