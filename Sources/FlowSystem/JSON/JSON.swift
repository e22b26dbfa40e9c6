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
  /// The members in order, with unique names.
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Hashable {
    /// The name, unescaped.
    package let name: String
    /// The value of the member.
    package let value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a member, or nil if there is none or this is not an object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isIdentical(to: name) }?.value
  }

  /// The content of a string, or nil for any other value.
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

/// Text that is not JSON, or exceeds a limit.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  package enum Reason: Sendable, Hashable {
    /// Something else than this was expected.
    case expected(String)
    /// The text ends in the middle.
    case unexpectedEnd
    /// Something follows the value.
    case trailing
    /// The bytes are no UTF-8 (RFC 3629).
    case encoding
    /// An unknown escape by RFC 8259, section 7.
    case escape(String)
    /// An escape for half of a surrogate pair, which is not a character.
    case half(String)
    /// A control character inside a string.
    case control
    /// A member's name stands twice.
    case duplicate(String)
    /// Nested more deeply than the limit.
    case depth(Int)
    /// Larger than the limit, in bytes.
    case size(Int)
    /// The bytes are in another encoding, as UTF-16.
    case otherEncoding(String)
    /// A number is too large for a double.
    case range
  }

  /// The kind of problem.
  package let reason: Reason
  /// Where, in bytes from 0.
  public let offset: Int

  /// A problem at a byte.
  package init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// `byte 17: expected ':'`.
  public var description: String { "byte \(offset + 1): \(message)" }

  /// Returns the problem with its position in the parsed text: `line 2, column 5: expected ':'`.
  ///
  /// Lines and columns are counted from 1, columns in unicode scalars.
  public func description(in text: [UInt8]) -> String {
    let lines = text[..<min(offset, text.count)].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return "line \(lines.count), column \(1 + (lines.last ?? []).scalarCount): \(message)"
  }

  /// Returns the rest of the line at the problem, or nil at its end, or for a problem with a text.
  public func rest(in text: [UInt8]) -> String? {
    switch reason {
    case .expected, .trailing: break
    default: return nil
    }
    let line = text.dropFirst(offset).prefix { !"\n\r".utf8.contains($0) }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The problem without its position.
  package var message: String {
    switch reason {
    case .expected(let what): "expected \(what)"
    case .unexpectedEnd: "the text ends too early"
    case .trailing: "unexpected text after the value"
    case .encoding: "invalid UTF-8"
    case .escape(let text): "invalid escape '\(text.onOneLine)'"
    case .half(let text): "'\(text.onOneLine)' is half of a surrogate pair"
    case .control: "control character in a string"
    case .duplicate(let name): "the name '\(name)' appears twice"
    case .depth(let limit): "nested more than \(limit) levels deep"
    case .size(let limit): "larger than \(limit) bytes"
    case .otherEncoding(let name): "the text is in \(name), not UTF-8"
    case .range: "the number is too large for a double"
    }
  }
}

/// The members of an object by the bytes of their names.
package struct MemberIndex {
  // A short object is searched faster than its names are hashed.
  private static let indexedCount = 8

  private let members: [JSON.Member]
  private var positions: [[UInt8]: Int] = [:]

  /// Creates the members of an object, or none for any other value.
  package init(_ json: JSON?) {
    guard case .object(let members)? = json else {
      members = []
      return
    }
    self.members = members
    if members.count <= Self.indexedCount { return }
    for (position, member) in members.enumerated() { positions[Array(member.name.utf8)] = position }
  }

  /// The value of a member, or nil if there is none.
  package subscript(name: String) -> JSON? {
    if positions.isEmpty { return members.first { $0.name.isIdentical(to: name) }?.value }
    return positions[Array(name.utf8)].map { members[$0].value }
  }
}
