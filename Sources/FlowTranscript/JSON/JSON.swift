/// A JSON text (RFC 8259) as a tree that keeps the text of its numbers and the order of its members.
package enum JSON: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it is written.
  case number(String)
  /// Text, unescaped.
  case string(String)
  /// Elements in order.
  case array([JSON])
  /// Members in order; no name stands twice.
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Hashable {
    /// The name, unescaped.
    package let name: String
    /// What it stands for.
    package let value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a member; nil when there is none, or this is no object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for everything else.
  package var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }
}
