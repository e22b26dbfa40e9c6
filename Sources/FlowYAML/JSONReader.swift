internal import FlowSystem

/// Reads a JSON text as the events of one document, token by token with `JSONParser`.
///
/// A tree of JSON has no places, and that of a large text would take many times its size.
struct JSONReader: EventSource {
  /// The owner of the next token.
  private enum State {
    case start, value, firstChild, colon, rest
  }

  private var parser: JSONParser
  private var marks: MarkCounter
  private var state = State.start
  /// The collections around the next token, the innermost last.
  private var open: [Node.Kind] = []
  /// The text of the current event if it is a scalar.
  private var text = ""
  private(set) var span: Span
  private let bytes: ArraySlice<UInt8>
  /// The place of the current event in bytes.
  private var stretch: Range<Int>

  init(_ bytes: [UInt8]) {
    // A reader may pass over a byte order mark (RFC 8259, section 8.1), and some editors write one.
    let bytes = bytes.dropFirst(PlainText.markLength(of: bytes))
    parser = JSONParser(bytes)
    marks = MarkCounter(bytes)
    span = Span(start: marks.mark, end: marks.mark)
    self.bytes = bytes
    stretch = bytes.startIndex..<bytes.startIndex
  }

  func source() -> [UInt8] { Array(bytes[stretch]) }

  func appendText(to text: inout [UInt8]) -> Range<Int> {
    let start = text.count
    text.append(contentsOf: self.text.utf8)
    return start..<text.count
  }

  mutating func advance() throws(YAMLError) -> Event {
    do throws(JSONError) { return try event() } catch {
      let mark = marks.advance(to: parser.position)
      throw YAMLError(.json(error), at: Span(start: mark, end: mark))
    }
  }

  private mutating func event() throws(JSONError) -> Event {
    parser.skipBlanks()
    switch state {
    case .start:
      guard parser.next != nil else { return .streamEnd }
      state = .value
      return .documentStart
    case .value: return try value()
    case .firstChild: return parser.take(end) ? close() : try child()
    case .colon:
      try parser.colon()
      return try value()
    case .rest where open.isEmpty:
      guard parser.next == nil else { throw parser.error(.trailing) }
      return .streamEnd
    case .rest: return try parser.separator(orEnd: end) ? try child() : close()
    }
  }

  /// The bracket or brace that ends the innermost collection.
  private var end: Unicode.Scalar { open.last == .mapping ? "}" : "]" }

  private mutating func child() throws(JSONError) -> Event {
    guard open.last == .mapping else { return try value() }
    parser.skipBlanks()
    let start = parser.position
    text = try parser.name()
    return finish(from: start, .colon, .scalar(.none, .quoted))
  }

  private mutating func value() throws(JSONError) -> Event {
    parser.skipBlanks()
    let start = parser.position
    if parser.take("{") { return begin(.mapping, at: start) }
    if parser.take("[") { return begin(.sequence, at: start) }
    let isPlain = parser.next != UInt8(ascii: "\"")
    text = try parser.value().scalarText
    return finish(from: start, .rest, .scalar(.none, isPlain ? .plain : .quoted))
  }

  private mutating func begin(_ kind: Node.Kind, at start: Int) -> Event {
    open.append(kind)
    return finish(from: start, .firstChild, .collectionStart(kind, .none))
  }

  private mutating func close() -> Event {
    open.removeLast()
    return finish(from: parser.position - 1, .rest, .collectionEnd)
  }

  private mutating func finish(from start: Int, _ next: State, _ event: Event) -> Event {
    stretch = start..<max(start, parser.position)
    let start = marks.advance(to: start)
    span = Span(start: start, end: marks.advance(to: parser.position))
    state = next
    return event
  }
}

extension Event.Properties {
  /// The properties of every JSON value: no anchor and no tag.
  fileprivate static let none = Self(anchor: nil, tag: nil)
}

extension JSON {
  /// A scalar in YAML's notation, without quotes.
  ///
  /// Empty for a collection.
  fileprivate var scalarText: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text), .string(let text): text
    case .array, .object: ""
    }
  }
}

/// Counts lines and columns in UTF-8, forwards only.
private struct MarkCounter {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private(set) var mark = Position(line: 1, column: 1)

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Moves to an index at or after the last one.
  mutating func advance(to end: Int) -> Position {
    var (line, column) = (mark.line, mark.column)
    while position < end {
      let byte = bytes[position]
      if isLineEnd(byte) {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      position += 1
    }
    mark = Position(line: line, column: column)
    return mark
  }

  /// True if the byte at the present position is the last one of a line end, as `Span` counts them.
  private func isLineEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x0A: true
    case 0x0D: position + 1 == bytes.endIndex || bytes[position + 1] != 0x0A
    case 0x85: bytes[..<position].last == 0xC2
    case 0xA8, 0xA9: bytes[..<position].suffix(2) == [0xE2, 0x80]
    default: false
    }
  }
}
