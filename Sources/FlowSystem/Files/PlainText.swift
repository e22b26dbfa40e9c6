/// Text from outside in UTF-8, with or without the byte order mark that some editors write before
/// it.
package enum PlainText {
  /// The mark, U+FEFF in UTF-8.
  package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text of bytes, without the mark.
  ///
  /// - Throws: `TextError` at the first byte that is not UTF-8.
  package static func text(of bytes: [UInt8]) throws(TextError) -> String {
    let content = bytes[markLength(of: bytes)...]
    if let text = String(validating: content, as: UTF8.self), encoding(of: bytes) == nil {
      return text
    }
    throw TextError(encoding: encoding(of: bytes), offset: invalidOffset(of: bytes))
  }

  /// Returns the length of the mark at the start of a text: 3 or 0.
  package static func markLength(of bytes: some Collection<UInt8>) -> Int {
    bytes.starts(with: mark) ? mark.count : 0
  }

  /// The bytes without the mark.
  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    let length = markLength(of: bytes)
    return length == 0 ? bytes : Array(bytes[length...])
  }

  /// Returns the name of an encoding other than UTF-8, or nil if none is recognised.
  ///
  /// It is recognised by its mark or by the zero bytes of the first characters.
  package static func encoding(of bytes: some Collection<UInt8>) -> String? {
    let start = Array(bytes.prefix(8))
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0, 0xFE, 0xFF]) {
      return "UTF-32"
    }
    if hasUTF16Mark(bytes) { return "UTF-16" }
    let zeros = start.map { $0 == 0 }
    return encodings.first { $0.zeros == zeros }?.name
  }

  /// True for the mark of UTF-16, of either order.
  package static func hasUTF16Mark(_ bytes: some Collection<UInt8>) -> Bool {
    let start = bytes.prefix(4)
    if start.elementsEqual([0xFF, 0xFE, 0, 0]) { return false }
    return start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
  }

  // Which of the first bytes are zero if these characters are of ASCII.
  private static let encodings: [(name: String, zeros: [Bool])] = [
    ("UTF-16", [false, true, false, true, false, true, false, true]),
    ("UTF-16", [true, false, true, false, true, false, true, false]),
    ("UTF-32", [false, true, true, true, false, true, true, true]),
    ("UTF-32", [true, true, true, false, true, true, true, false]),
  ]

  private static func invalidOffset(of bytes: [UInt8]) -> Int {
    var (parser, iterator, offset) = (UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }
}

/// Bytes that are not UTF-8 text.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The apparent encoding of the bytes, or nil if none is recognised.
  public let encoding: String?
  /// The first invalid byte, from 0.
  public let offset: Int

  /// `the text is in UTF-16, not UTF-8`.
  public var description: String {
    encoding.map { "the text is in \($0), not UTF-8" } ?? "not UTF-8 text"
  }
}
