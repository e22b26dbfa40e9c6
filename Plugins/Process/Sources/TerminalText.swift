/// The latest text on a terminal, without control sequences.
///
/// A prompt has no line break behind it, and colours and the positions of the cursor may be in the
/// middle of its words. What is only an echo of typed text is never found.
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
  /// The start of the text since the latest input.
  private var inputStart = 0
  /// The start of the unfinished line.
  private var lineStart = 0
  /// The echoes among the bytes, in order, without two that touch.
  private var echoes: [Range<Int>] = []
  private var echo = ExpectedEcho()
  /// The place from which on the next echo is expected.
  private var echoStart = 0
  /// True if a line break would belong to the latest echo.
  private var extendsEcho = false

  private static let limit = 64 << 10
  private static let newline = UInt8(ascii: "\n")
  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07

  /// Appends output, checks the lines completed by it in all searches, and forgets the start of a
  /// long text.
  mutating func append(_ output: ArraySlice<UInt8>, _ searches: inout LineSearches) {
    for byte in output { append(byte, &searches) }
    if bytes.count > 2 * Self.limit { forget(bytes.count - Self.limit) }
  }

  private mutating func forget(_ count: Int) {
    bytes.removeFirst(count)
    (inputStart, lineStart) = (max(0, inputStart - count), max(0, lineStart - count))
    echoStart = max(0, echoStart - count)
    echoes = echoes.filter { $0.upperBound > count }
      .map { max(0, $0.lowerBound - count)..<($0.upperBound - count) }
  }

  private mutating func append(_ byte: UInt8, _ searches: inout LineSearches) {
    switch state {
    case .text: appendText(byte, &searches)
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

  private mutating func appendText(_ byte: UInt8, _ searches: inout LineSearches) {
    switch byte {
    case Self.escape: state = .escape
    // A line that is written again.
    case UInt8(ascii: "\r"), Self.newline:
      finish(&searches)
      bytes.append(Self.newline)
      if extendsEcho { addEcho(1) }
      extendsEcho = false
      lineStart = bytes.count
    case UInt8(ascii: "\t"), 0x20...0x7E, 0x80...:
      bytes.append(byte)
      extendsEcho = false
      guard !echo.isEmpty, let found = echo.take(atEndOf: bytes[echoStart...]) else { return }
      addEcho(found.count)
      extendsEcho = found.endsLine
    default: break
    }
  }

  private mutating func addEcho(_ count: Int) {
    let start = bytes.count - count
    let latest = echoes.last.flatMap { $0.upperBound == start ? echoes.popLast() : nil }
    echoes.append((latest?.lowerBound ?? start)..<bytes.count)
    echoStart = bytes.count
  }

  /// Checks the unfinished line in all searches, at its end or at that of the program.
  mutating func finish(_ searches: inout LineSearches) {
    if !searches.isEmpty { searches.note(bytes[lineStart...], isCut: false, outside: echoes) }
  }

  /// Takes note of typed text, whose echo comes next.
  mutating func beginInput(_ typed: [UInt8], echoedBy writer: ExpectedEcho.Writer) {
    inputStart = bytes.count
    if echo.isEmpty { echoStart = bytes.count }
    echo.expect(typed, by: writer)
  }

  /// Returns the line with a text since the latest input, up to the end of that text, or nil.
  func line(upTo text: String) -> String? {
    guard let found = bytes[inputStart...].range(of: Array(text.utf8), outside: echoes) else {
      return nil
    }
    let before = bytes[inputStart..<found.lowerBound]
    let start = before.lastIndex(of: Self.newline).map { $0 + 1 } ?? inputStart
    return String(decoding: bytes[start..<found.upperBound], as: UTF8.self)
  }

  /// Returns the first whole line that contains a text, or nil.
  func line(containing text: String) -> String? {
    line(containing: text, in: bytes[..<lineStart])
  }

  /// Returns the unfinished line if it contains a text.
  func unfinishedLine(containing text: String) -> String? {
    lineStart == bytes.count ? nil : line(containing: text, in: bytes[lineStart...])
  }

  private func line(containing text: String, in part: ArraySlice<UInt8>) -> String? {
    let text = Array(text.utf8)
    return part.split(separator: Self.newline).first { $0.range(of: text, outside: echoes) != nil }
      .map { Output.text($0) }
  }
}
