package import FlowCore

extension JSON {
  /// The tree with placeholders in its texts and names; it stays a tree whatever the secrets look like.
  package func redacted(by redactor: Redactor) -> JSON {
    switch self {
    case .null, .bool, .number: self
    case .string(let text): .string(redactor.redacted(text))
    case .array(let elements): .array(elements.map { $0.redacted(by: redactor) })
    case .object(let members):
      .object(members.map { Member(redactor.redacted($0.name), $0.value.redacted(by: redactor)) })
    }
  }
}
