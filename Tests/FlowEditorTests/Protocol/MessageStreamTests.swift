import FlowEditor
import FlowSystem
import Testing

struct MessageStreamTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let input: String
    let parts: [MessageStream.Part]
    var testDescription: String { id }

    init(_ id: String, _ input: String, _ parts: [MessageStream.Part]) {
      (self.id, self.input, self.parts) = (id, input, parts)
    }
  }

  private static let cases = [
    Case("one message", "Content-Length: 2\r\n\r\n{}", [.message(.object([]))]),
    Case(
      "two messages, the second with a second header and without carriage returns",
      "Content-Length: 2\r\n\r\n{}Content-Type: a; b=c\nCONTENT-LENGTH:4\n\nnull",
      [.message(.object([])), .message(.null)]),
    Case(
      "a length in bytes, not in characters", "Content-Length: 4\r\n\r\n\"\u{e9}\"",
      [.message(.string("\u{e9}"))]),
    Case(
      "a content that is not JSON, before one that is",
      "Content-Length: 2\r\n\r\n{]Content-Length: 1\r\n\r\n7",
      [
        .notJSON(JSONError(reason: .expected("a name in double quotes"), offset: 1)),
        .message(.number("7")),
      ]),
    Case(
      "half of a surrogate pair, which an editor may send",
      "Content-Length: 10\r\n\r\n[\"\\ud83d\"]",
      [.message(.array([.string("\u{FFFD}")]))]),
    Case(
      "an empty content", "Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n7",
      [.notJSON(JSONError(reason: .unexpectedEnd, offset: 0)), .message(.number("7"))]),
    Case(
      "a message over the limit, before one below it",
      "Content-Length: 41\r\n\r\n\(String(repeating: "x", count: 41))Content-Length: 1\r\n\r\n7",
      [.tooLong(41), .message(.number("7"))]),
    Case(
      "headers without a length", "Content-Type: a\r\n\r\n",
      [.brokenHeader("there is no Content-Length")]),
    Case("a line that is no header", "hello\r\n", [.brokenHeader("not a header: 'hello'")]),
    Case(
      "a length that is no number", "Content-Length: -1\r\n",
      [.brokenHeader("not a length: '-1'")]),
    Case("a message without its end", "Content-Length: 3\r\n\r\n{}", []),
  ]

  @Test(arguments: cases)
  func `messages are read in any pieces`(_ sample: Case) {
    let bytes = Array(sample.input.utf8)

    for size in [1, 2, 7, bytes.count] {
      var stream = MessageStream(limit: 40)
      let parts = stride(from: 0, to: bytes.count, by: size).flatMap {
        stream.parts(adding: Array(bytes[$0..<min($0 + size, bytes.count)]))
      }
      #expect(parts == sample.parts, "in pieces of \(size)")
    }
  }

  @Test func `a framed message is read as it was`() {
    let message = JSON.object([.init("text", .string("a\u{2028}\u{1F389}\n"))])

    var stream = MessageStream()

    #expect(stream.parts(adding: Array(MessageStream.frame(message).utf8)) == [.message(message)])
  }

  @Test func `an endless header is cut, and the rest of its line ignored`() {
    var stream = MessageStream()
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: 5_000) + [0x0A]

    let parts = stream.parts(adding: line) + stream.parts(adding: Array("a\n".utf8))

    let long = String(repeating: "a", count: 1 << 10)
    #expect(
      parts == [.brokenHeader("not a header: '\(long)'"), .brokenHeader("not a header: 'a'")])
  }
}
