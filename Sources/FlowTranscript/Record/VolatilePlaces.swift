internal import FlowCore
internal import FlowScenario
internal import FlowSystem

extension JSON {
  /// An answer with a pattern in each of these places that accepts every value of its type and serves this one.
  func marking(_ paths: [VolatilePath], as type: ValueType) -> JSON {
    paths.reduce(self) { $0.marking($1.steps[...], as: type) }
  }

  private func marking(_ path: ArraySlice<VolatilePath.Step>, as type: ValueType) -> JSON {
    guard let step = path.first else { return anyOfItsType(type) }
    let rest = path.dropFirst()
    switch (step, form, self) {
    case (_, .literal(let members), _):
      return .object([Member(Self.literalName, JSON.object(members).marking(path, as: type))])
    case (.field(let name), .plain, .object(let members)):
      return .object(Self.marking(name, of: members, rest, as: type))
    case (.every, _, .array(let elements)):
      return .array(elements.map { $0.marking(rest, as: type.element) })
    case (.index(let index), _, .array(var elements)) where index < elements.count:
      elements[index] = elements[index].marking(rest, as: type.element)
      return .array(elements)
    default: return self
    }
  }

  private static func marking(
    _ name: String, of members: [Member], _ rest: ArraySlice<VolatilePath.Step>, as type: ValueType
  ) -> [Member] {
    var members = members
    if let index = members.firstIndex(where: { $0.name.isIdentical(to: name) }) {
      let value = members[index].value.marking(rest, as: type.member(name))
      members[index] = Member(name, value)
    } else if rest.isEmpty, case .record(let record) = type.unwrapped {
      // A field that is null is left out, and may be there the next time.
      let before = record.fields.prefix { $0.name != name }.map(\.name)
      let index = members.lastIndex { before.contains($0.name) }.map { $0 + 1 } ?? 0
      members.insert(Member(name, JSON.null.anyOfItsType(type.member(name))), at: index)
    }
    return members
  }

  /// A pattern for every value of its type; one that stands here already stays.
  private func anyOfItsType(_ type: ValueType) -> JSON {
    if case .pattern(let members) = form, members.first?.name != Blob.name { return self }
    return .object([
      Member("$any", .string(kind(as: type).rawValue)), Member("example", withoutPatterns),
    ])
  }

  private func kind(as type: ValueType) -> RecordedPattern.Kind {
    let kind = RecordedPattern.Kind(type)
    if kind != .any || type != .dynamic { return kind }
    // Only texts stand in files where the type says nothing.
    if case .pattern = form { return .string }
    return (try? Value(dynamic: self)).map(RecordedPattern.Kind.init) ?? .any
  }

  /// The value with examples in place of patterns, which an example may not have.
  private var withoutPatterns: JSON {
    switch (form, self) {
    case (.pattern(let members), _):
      members.first { $0.name == "example" }?.value ?? self
    case (.plain, .object(let members)):
      .object(members.map { Member($0.name, $0.value.withoutPatterns) })
    case (.plain, .array(let elements)): .array(elements.map(\.withoutPatterns))
    case (.literal(let members), _):
      .object([Member(Self.literalName, JSON.object(members).withoutPatterns)])
    default: self
    }
  }
}
