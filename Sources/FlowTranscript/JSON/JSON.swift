internal import FlowCore

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
    return members.first { $0.name.isIdentical(to: name) }?.value
  }

  /// The text of a string; nil for everything else.
  package var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }
}

// By the bytes of texts and names: `==` of strings takes two forms of one accented letter for one.
extension JSON {
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a.isIdentical(to: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension JSON.Member {
  package static func == (left: JSON.Member, right: JSON.Member) -> Bool {
    left.name.isIdentical(to: right.name) && left.value == right.value
  }
}
