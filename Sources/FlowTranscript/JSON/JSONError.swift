/// A text that is no JSON, or more of it than we accept.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Sendable, Hashable {
    /// Something else than this was expected.
    case expected(String)
    /// The text ends in the middle.
    case unexpectedEnd
    /// Something follows the value.
    case trailing
    /// The bytes are no UTF-8 (RFC 3629).
    case encoding
    /// An escape that RFC 8259, section 7, does not know, or half a surrogate pair.
    case escape
    /// A control character inside a string.
    case control
    /// A member's name stands twice.
    case duplicate(String)
    /// Nested more deeply than the limit.
    case depth(Int)
  }

  /// What is wrong.
  package let reason: Reason
  /// Where, in bytes from 0.
  package let offset: Int

  /// `byte 17: expected ':'`.
  package var description: String { "byte \(offset + 1): \(message)" }

  private var message: String {
    switch reason {
    case .expected(let what): "expected \(what)"
    case .unexpectedEnd: "the line ends in the middle"
    case .trailing: "something follows the value"
    case .encoding: "invalid UTF-8"
    case .escape: "invalid escape"
    case .control: "control character in a string"
    case .duplicate(let name): "the name '\(name)' stands twice"
    case .depth(let limit): "nested more than \(limit) deep"
    }
  }
}
