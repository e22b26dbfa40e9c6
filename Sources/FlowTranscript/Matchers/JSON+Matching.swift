internal import FlowCore

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
