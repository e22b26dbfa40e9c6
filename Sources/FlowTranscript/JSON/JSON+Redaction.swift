package import FlowCore

extension JSON {
  /// The tree with placeholders in its texts; it stays a tree whatever the secrets look like.
  ///
  /// With `names`, those of its members are redacted too: for data, not for a document's own structure.
  package func redacted(by redactor: Redactor, names: Bool) -> JSON {
    guard redactor.isActive else { return self }
    switch self {
    case .null, .bool, .number: return self
    case .string(let text): return .string(redactor.redacted(text))
    case .array(let elements):
      return .array(elements.map { $0.redacted(by: redactor, names: names) })
    case .object(let members):
      return .object(
        members.map {
          let value = $0.value.redacted(by: redactor, names: names)
          return Member(names ? redactor.redacted($0.name) : $0.name, value)
        })
    }
  }
}
