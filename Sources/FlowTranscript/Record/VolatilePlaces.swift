internal import FlowCore
internal import FlowPlan
internal import FlowSystem

extension JSON {
  /// A value with a pattern in each of these places that accepts every value of its type and serves this one.
  ///
  /// `name` is the pattern's: `$any` or `$same`.
  func marking(
    _ paths: [ValuePath], as type: ValueType, with name: String = RecordedPattern.anyName
  ) -> JSON {
    paths.unique.reduce(self) { $0.marking($1.steps[...], as: type, name) }
  }

  private func marking(
    _ path: ArraySlice<ValuePath.Step>, as type: ValueType, _ pattern: String
  ) -> JSON {
    guard let step = path.first else { return accepting(type, pattern) }
    let rest = path.dropFirst()
    switch (step, form, self) {
    case (.field(let name), .literal(let members), _):
      let marked = Self.marking(name, of: members, rest, as: type, pattern)
      return .object([Member(Self.literalName, .object(marked))])
    case (.field(let name), .plain, .object(let members)):
      if let pairs = pairs { return Self.marking(name, ofPairs: pairs, rest, pattern) }
      return .object(Self.marking(name, of: members, rest, as: type, pattern))
    case (.every, _, .array(let elements)):
      return .array(elements.map { $0.marking(rest, as: type.element, pattern) })
    case (.index(let index), _, .array(var elements)) where index < elements.count:
      elements[index] = elements[index].marking(rest, as: type.element, pattern)
      return .array(elements)
    case (.part(let template), _, .string(let text)):
      return template.parts(of: text) == nil
        ? self : accepting(.string, pattern, in: template.text)
    case (.anywhere, _, _):
      let inside = markingParts(as: type) { $0.marking(path, as: $1, pattern) }
      return inside.marking(rest, as: type, pattern)
    default: return self
    }
  }

  /// The value with its parts changed, each with its type.
  private func markingParts(as type: ValueType, _ change: (JSON, ValueType) -> JSON) -> JSON {
    func changed(_ members: [Member]) -> [Member] {
      members.map { Member($0.name, change($0.value, type.member($0.name))) }
    }
    switch (form, self) {
    case (.literal(let members), _):
      return .object([Member(Self.literalName, .object(changed(members)))])
    case (.plain, .object(let members)):
      guard let pairs else { return .object(changed(members)) }
      let marked = pairs.map { pair -> JSON in
        guard case .array(let parts) = pair, parts.count == 2 else { return pair }
        return .array([parts[0], change(parts[1], .dynamic)])
      }
      return .object([Member("$map", .array(marked))])
    case (.plain, .array(let elements)):
      return .array(elements.map { change($0, type.element) })
    default: return self
    }
  }

  /// The keys and values of a map with keys that JSON cannot express, or nil.
  private var pairs: [JSON]? {
    guard case .object(let members) = self, members.count == 1, members[0].name == "$map",
      case .array(let pairs) = members[0].value
    else { return nil }
    return pairs
  }

  private static func marking(
    _ name: String, ofPairs pairs: [JSON], _ rest: ArraySlice<ValuePath.Step>, _ pattern: String
  ) -> JSON {
    let marked = pairs.map { pair -> JSON in
      guard case .array(let parts) = pair, parts.count == 2,
        parts[0].string?.isIdentical(to: name) == true
      else { return pair }
      return .array([parts[0], parts[1].marking(rest, as: .dynamic, pattern)])
    }
    return .object([Member("$map", .array(marked))])
  }

  private static func marking(
    _ name: String, of members: [Member], _ rest: ArraySlice<ValuePath.Step>, as type: ValueType,
    _ pattern: String
  ) -> [Member] {
    var members = members
    if let index = members.firstIndex(where: { $0.name.isIdentical(to: name) }) {
      let value = members[index].value.marking(rest, as: type.member(name), pattern)
      members[index] = Member(name, value)
    } else if rest.isEmpty, case .record(let record) = type.unwrapped, record.field(name) != nil {
      // A null field is left out, and may exist the next time.
      let before = record.fields.prefix { $0.name != name }.map(\.name)
      let index = members.lastIndex { before.contains($0.name) }.map { $0 + 1 } ?? 0
      members.insert(Member(name, JSON.null.accepting(type.member(name), pattern)), at: index)
    }
    return members
  }

  /// A pattern for every value of its type.
  ///
  /// An existing pattern stays.
  private func accepting(
    _ type: ValueType, _ pattern: String, in template: String? = nil
  ) -> JSON {
    if case .pattern(let members) = form, members.first?.name != JSON.blobName { return self }
    let kind = kind(as: type)
    if pattern == RecordedPattern.unorderedName, kind != .list { return self }
    return .object(
      [Member(pattern, .string(kind.rawValue))]
        + (template.map { [Member(RecordedPattern.templateName, .string($0))] } ?? [])
        + [Member(RecordedPattern.exampleName, example(as: type))])
  }

  private func kind(as type: ValueType) -> RecordedPattern.Kind {
    if type != .dynamic { return RecordedPattern.Kind(type) }
    switch (form, self) {
    // With an unknown type, only texts are in files.
    case (.pattern, _): return .string
    case (.literal, _): return .map
    case (_, .array): return .list
    case (_, .object(let members)) where tag == nil || members[0].name == "$map": return .map
    case (_, .object(let members)) where members[0].name == "$bytes": return .bytes
    default: return (try? Value(dynamic: self)).map(RecordedPattern.Kind.init) ?? .any
    }
  }

  /// The value as an example: without patterns in it, and readable without its type.
  private func example(as type: ValueType) -> JSON {
    switch (form, self) {
    case (.pattern(let members), _): members.first { $0.name == "example" }?.value ?? self
    case (.literal(let members), _):
      .object([Member(Self.literalName, .object(Self.examples(members, type)))])
    case (.plain, .object(let members)):
      // In a map of a known type such a name is an ordinary key.
      if case .map = type.unwrapped, members.contains(where: { $0.name.hasPrefix("$") }) {
        .object([Member(Self.literalName, .object(Self.examples(members, type)))])
      } else {
        .object(Self.examples(members, type))
      }
    case (.plain, .array(let elements)): .array(elements.map { $0.example(as: type.element) })
    default: self
    }
  }

  private static func examples(_ members: [Member], _ type: ValueType) -> [Member] {
    members.map { Member($0.name, $0.value.example(as: type.member($0.name))) }
  }
}
