/// A text with named parts that may be different: `/orders/{id}`.
///
/// A part has at least one character, and neither white space nor a slash. It ends where the text after
/// it begins for the first time.
public struct TextTemplate: Sendable, Hashable {
  /// The template as it is written.
  package let text: String
  /// The texts before, between and after the parts.
  private let literals: [[UInt8]]

  /// Reads a template with at least one part, and with some text between two of them.
  ///
  /// Nil for another text.
  package init?(_ text: String) {
    var (literals, rest) = ([[UInt8]](), text.utf8[...])
    while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: "}")),
        rest.index(after: start) < end,
        rest[start..<end].dropFirst().allSatisfy({ Self.isOfName($0) })
      else { return nil }
      literals.append(Array(rest[..<start]))
      rest = rest[end...].dropFirst()
    }
    literals.append(Array(rest))
    guard literals.count > 1, literals.dropFirst().dropLast().allSatisfy({ !$0.isEmpty }) else {
      return nil
    }
    (self.text, self.literals) = (text, literals)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns the parts of a text in the places of the named ones, or nil for one that does not fit.
  package func parts(of text: String) -> [String]? {
    let bytes = Array(text.utf8)
    guard bytes.starts(with: literals[0]) else { return nil }
    var (parts, start) = ([String](), literals[0].count)
    for (index, literal) in literals.enumerated().dropFirst() {
      let isLast = index == literals.count - 1
      let end = isLast ? bytes.count - literal.count : Self.index(of: literal, in: bytes, start + 1)
      guard let end, end > start, bytes[end...].starts(with: literal),
        bytes[start..<end].allSatisfy({ $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") })
      else { return nil }
      parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end + literal.count
    }
    return parts
  }

  /// The bytes before a part by which it is found in a text that is not like the template, the first
  /// that the text has.
  private static let contexts = [12, 6, 3]

  /// Returns the template with the parts of a text that is similar, as far as they can be found.
  ///
  /// A difference from the text then has what differs beside the parts. Others keep their names.
  package func filled(like text: String) -> String {
    let bytes = Array(text.utf8)
    var (filled, cursor) = ([UInt8](), 0)
    for (index, name) in names.enumerated() {
      filled += literals[index]
      guard let place = Self.end(of: literals[index], in: bytes, cursor) else {
        filled += Array(name.utf8)
        continue
      }
      let rest = bytes[place...]
      let after = literals[index + 1].first
      cursor = rest.indices.first { Self.endsPart(bytes[$0], before: after) } ?? bytes.count
      filled += rest[..<cursor]
    }
    return String(decoding: filled + literals[names.count], as: UTF8.self)
  }

  /// The names of the parts, with their braces.
  private var names: [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .map { "{" + $0.prefix { $0 != "}" } + "}" }
  }

  /// The place behind the end of a literal, or nil if the text has nothing like it.
  private static func end(of literal: [UInt8], in bytes: [UInt8], _ start: Int) -> Int? {
    contexts.lazy.compactMap { count in
      let context = Array(literal.suffix(count))
      return index(of: context, in: bytes, start).map { $0 + context.count }
    }.first
  }

  /// Returns true if a part ends before a byte: at what no part has, or at the sign behind it.
  private static func endsPart(_ byte: UInt8, before after: UInt8?) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "/") || byte == after && !isOfName(byte)
  }

  private static func index(of literal: [UInt8], in bytes: [UInt8], _ start: Int) -> Int? {
    guard start + literal.count <= bytes.count else { return nil }
    return (start...(bytes.count - literal.count)).first { bytes[$0...].starts(with: literal) }
  }
}
