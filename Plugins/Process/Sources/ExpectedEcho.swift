/// The echo of typed text that has not appeared yet.
///
/// The terminal writes what is typed, and so does a program that edits its line itself, such as a
/// shell. This text is no answer of the program, and no check may take it for one.
struct ExpectedEcho: Sendable {
  /// The writer of an echo.
  enum Writer: Sendable {
    /// Nothing is echoed, as with a password.
    case none
    case terminal
    /// The program takes each key by itself, and may write it.
    case program
  }

  private struct Piece: Sendable {
    let text: [UInt8]
    /// True if the key Enter follows.
    let endsLine: Bool
    let writer: Writer
  }

  private var pieces: [Piece] = []

  // More keys than a terminal keeps for a program that does not read are not echoed.
  private static let most = 4_096
  /// The pieces that may be missing before one that appears, such as the sign for a key.
  private static let mostMissing = 8

  /// True if no echo is expected.
  var isEmpty: Bool { pieces.isEmpty }

  /// Expects the echo of a text that is typed now.
  mutating func expect(_ typed: [UInt8], by writer: Writer) {
    // A program that did not echo the earlier keys will not do so any more.
    pieces.removeAll { $0.writer != .terminal }
    guard writer != .none else { return }
    var text: [UInt8] = []
    func add(_ text: [UInt8], endsLine: Bool = false) {
      if !text.isEmpty { pieces.append(Piece(text: text, endsLine: endsLine, writer: writer)) }
    }
    for byte in typed.prefix(Self.most) {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        add(text, endsLine: true)
        text = []
      case UInt8(ascii: "\t"), 0x20...0x7E, 0x80...: text.append(byte)
      // The terminal shows such a key as ^C.
      default:
        add(text)
        add([UInt8(ascii: "^"), byte ^ 0x40])
        text = []
      }
    }
    add(text)
  }

  /// Takes the first piece that a text ends with.
  ///
  /// Returns its length in bytes, and true if a line break belongs to it. Nil if none is there.
  mutating func take(atEndOf text: ArraySlice<UInt8>) -> (count: Int, endsLine: Bool)? {
    let expected = pieces.prefix(Self.mostMissing)
    let ending = { (piece: Piece) in
      text.last == piece.text.last && text.suffix(piece.text.count).elementsEqual(piece.text)
    }
    guard let index = expected.firstIndex(where: ending) else { return nil }
    let piece = pieces[index]
    pieces.removeFirst(index + 1)
    return (piece.text.count, piece.endsLine)
  }
}
