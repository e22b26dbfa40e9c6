import Testing

@testable import HTTPPlugin

@Suite struct EventParserTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stream: [UInt8]
    let expected: String

    init(_ id: String, _ stream: String, _ expected: String) {
      (testDescription, self.stream, self.expected) = (id, Array(stream.utf8), expected)
    }

    init(_ id: String, _ stream: [UInt8], _ expected: String) {
      (testDescription, self.stream, self.expected) = (id, stream, expected)
    }
  }

  // The first three are those of the standard (HTML, 9.2.6).
  static let examples: [Example] = [
    Example(
      "lines of data are joined", "data: YHOO\ndata: +2\ndata: 10\n\n",
      #"message "YHOO\n+2\n10" """#),
    Example(
      "comments, ids, and one blank",
      ": test\n\ndata: first event\nid: 1\n\n"
        + "data:second event\nid\n\ndata:  third event\n",
      #"message "first event" "1", message "second event" """#),
    Example(
      "empty data is data", "data\n\ndata\ndata\n\ndata:", #"message "" "", message "\n" """#),
    Example("a type", "event: add\ndata: 1\n\ndata: 2\n\n", #"add "1" "", message "2" """#),
    Example("no data, no event", "event: add\nid: 7\n\ndata: 1\n\n", #"message "1" "7""#),
    Example("an id lasts", "id: 7\ndata: 1\n\ndata: 2\n\n", #"message "1" "7", message "2" "7""#),
    Example(
      "an id with a zero is none", "id: 7\ndata: 1\n\nid: a\0b\ndata: 2\n\n",
      #"message "1" "7", message "2" "7""#),
    Example("unknown names", "dat: 1\n data: 2\nData: 3\ndata: 4\n\n", #"message "4" """#),
    Example("CR", "data: 1\rdata: 2\r\rdata: 3\r\r", #"message "1\n2" "", message "3" """#),
    Example("CR LF", "data: 1\r\ndata: 2\r\n\r\n", #"message "1\n2" """#),
    Example(
      "a mixture", "data: 1\r\ndata: 2\n\r\ndata: 3\r\n\n", #"message "1\n2" "", message "3" """#),
    Example(
      "a byte order mark", [0xEF, 0xBB, 0xBF] + Array("data: 1\n\n".utf8), #"message "1" """#),
    Example(
      "a second mark is not one", [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("data: 1\n\n".utf8),
      ""),
    Example(
      "bytes that are not UTF-8", Array("data: a".utf8) + [0xC3, 0x28, 0xFF] + Array("b\n\n".utf8),
      "message \"a\u{FFFD}(\u{FFFD}b\" \"\""),
    Example("unfinished", "data: 1\n\ndata: 2\n", #"message "1" """#),
  ]

  @Test(arguments: examples)
  func `a stream has the events of the standard, whole or byte by byte`(_ example: Example) {
    var whole = EventParser(limit: 1000)
    var drip = EventParser(limit: 1000)

    let events = whole.events(in: example.stream)

    #expect(Self.text(events) == example.expected)
    #expect(example.stream.flatMap { drip.events(in: [$0]) } == events)
  }

  static let times: [(String, Duration)] = [
    ("retry: 10", .milliseconds(10)), ("retry:0", .zero), ("retry: 1.5", .seconds(3)),
    ("retry: -1", .seconds(3)), ("retry", .seconds(3)), ("retry: 10 ", .seconds(3)),
    ("retry: 99999999999999999999", .seconds(3)), ("retry: 9999999999", .seconds(86_400)),
  ]

  @Test(arguments: times)
  func `a time to retry is a number of milliseconds`(_ line: String, _ expected: Duration) {
    var parser = EventParser(limit: 1000)

    _ = parser.events(in: Array((line + "\n").utf8))

    #expect(parser.retry == expected)
  }

  @Test func `a new connection forgets what is unfinished, and keeps the id of the latest event`() {
    var parser = EventParser(limit: 1000)

    let first = parser.events(in: Array("id: 1\ndata: a\n\nid: 2\nevent: b\ndata: b\nda".utf8))
    parser.begin()
    let second = parser.events(in: Array("data: c\n\n".utf8))

    #expect(Self.text(first + second) == #"message "a" "1", message "c" "1""#)
    #expect(parser.lastID == "1")
  }

  @Test(arguments: [
    String(repeating: "a", count: 21), String(repeating: "data: 12\n", count: 9),
  ])
  func `a line or an event that is too long ends the reading`(_ text: String) {
    var parser = EventParser(limit: 20)

    let events = parser.events(in: Array("data: 1\n\n\(text)\n\ndata: 2\n\n".utf8))

    #expect(Self.text(events) == #"message "1" """#)
    #expect(parser.isExceeded)
  }

  private static func text(_ events: [ServerEvent]) -> String {
    events.map { event in
      let data = event.data.replacing("\n", with: "\\n")
      return "\(event.event) \"\(data)\" \"\(event.id)\""
    }.joined(separator: ", ")
  }
}
