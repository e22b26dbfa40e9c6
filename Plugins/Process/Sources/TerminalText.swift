/// The text on a terminal since the latest input, without control sequences.
///
/// A prompt has no line break behind it, and colours and the positions of the cursor may be in the
/// middle of its words.
struct TerminalText: Sendable {
  /// The parts of control sequences (ECMA-48, sections 5.3 to 5.6 and 8.3).
  private enum State: Sendable {
    case text
    /// After ESC.
    case escape
    /// After ESC [ up to a final byte.
    case sequence
    /// In a string up to BEL or ESC \.
    case string
    case endOfString
  }

  private var bytes: [UInt8] = []
  private var state = State.text

  private static let limit = 64 << 10
  private static let newline = UInt8(ascii: "\n")
  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07

  /// Appends output, and forgets the start of a long text.
  mutating func append(_ output: ArraySlice<UInt8>) {
    for byte in output { append(byte) }
    if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
  }

  private mutating func append(_ byte: UInt8) {
    switch state {
    case .text: appendText(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
        UInt8(ascii: "_"):
        state = .string
      // Intermediate bytes.
      case 0x20...0x2F: break
      default: state = .text
      }
    case .sequence: if 0x40...0x7E ~= byte { state = .text }
    case .string:
      if byte == Self.bell { state = .text }
      if byte == Self.escape { state = .endOfString }
    case .endOfString: state = byte == UInt8(ascii: "\\") ? .text : .string
    }
  }

  private mutating func appendText(_ byte: UInt8) {
    switch byte {
    case Self.escape: state = .escape
    // A line that is written again.
    case UInt8(ascii: "\r"): bytes.append(Self.newline)
    case Self.newline, UInt8(ascii: "\t"), 0x20...0x7E, 0x80...: bytes.append(byte)
    default: break
    }
  }

  /// Forgets the text, as it was before new input.
  mutating func clear() { bytes.removeAll() }

  /// Returns the line with a text up to the end of that text, or nil.
  func line(upTo text: String) -> String? {
    let text = Array(text.utf8)
    guard let found = bytes.firstRange(of: text) else { return nil }
    let start = bytes[..<found.lowerBound].lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<found.upperBound], as: UTF8.self)
  }
}
