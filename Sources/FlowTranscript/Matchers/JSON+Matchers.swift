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
  var matcher: ValueMatcher? {
    guard case .matcher(let members) = form else { return nil }
    // A transcript whose matchers are no matchers was refused when it was read.
    return try? ValueMatcher(members)
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
  func replacingMatchers(_ value: (ValueMatcher, JSON) -> JSON) -> JSON {
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
