import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

@Suite struct CharsetTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: String
    let bytes: [UInt8]
    /// `text`, `json`, whether there are bytes, and `problem`.
    let expected: String
  }

  static let examples: [Example] = [
    Example(
      testDescription: "Latin 1 with the signs of Windows", type: "text/plain; charset=ISO-8859-1",
      bytes: [0x80, 0x32, 0xFC, 0x81], expected: "€2ü\u{81} null nil"),
    Example(
      testDescription: "Latin 2 in quotes", type: "text/plain; Charset=\"iso-8859-2\"",
      bytes: [0xB1, 0xE6], expected: "ąć null nil"),
    Example(
      testDescription: "Cyrillic", type: "text/html;charset=windows-1251",
      bytes: [0xE4, 0xE0], expected: "да null nil"),
    Example(
      testDescription: "Japanese", type: "text/plain; charset=Shift_JIS",
      bytes: [0x83, 0x65, 0x41], expected: "テA null nil"),
    Example(
      testDescription: "Chinese", type: "text/plain; charset=gb2312", bytes: [0xD6, 0xD0],
      expected: "中 null nil"),
    Example(
      testDescription: "a charset with states", type: "text/plain; charset=iso-2022-jp",
      bytes: [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], expected: "日 null nil"),
    Example(
      testDescription: "a byte order mark, which beats the charset",
      type: "text/plain; charset=iso-8859-1", bytes: [0xEF, 0xBB, 0xBF, 0xC3, 0xB6],
      expected: "ö null nil"),
    Example(
      testDescription: "UTF-16 by its mark", type: "text/plain",
      bytes: [0xFF, 0xFE, 0x3D, 0xD8, 0x00, 0xDE], expected: "😀 null nil"),
    Example(
      testDescription: "UTF-16 by its name", type: "application/json; charset=utf-16be",
      bytes: [0, 0x5B, 0, 0x37, 0, 0x5D], expected: "[7] [7] nil"),
    Example(
      testDescription: "JSON in Latin 1", type: "application/json; charset=latin1",
      bytes: [0x22, 0xE9, 0x22], expected: "\"é\" \"é\" nil"),
    Example(
      testDescription: "JSON in UTF-8 that is called Latin 1",
      type: "application/json; charset=latin1", bytes: [0x22, 0xC3, 0xA9, 0x22],
      expected: "\"Ã©\" \"é\" nil"),
    Example(
      testDescription: "a picture that begins like a mark", type: "image/x",
      bytes: [0xFF, 0xFE, 0x41, 0x41], expected: "- null nil"),
    Example(
      testDescription: "not of its charset", type: "text/plain; charset=big5", bytes: [0x41, 0xFF],
      expected: "- null it is not in the charset 'big5'"),
    Example(
      testDescription: "an unknown charset", type: "text/plain; charset=utf-7//TRANSLIT",
      bytes: [0xFF], expected: "- null the charset 'utf-7//TRANSLIT' is unknown"),
    Example(
      testDescription: "UTF-8 of an unknown charset", type: "text/plain; charset=klingon",
      bytes: [0x71], expected: "q null nil"),
    Example(
      testDescription: "nothing", type: "text/plain; charset=koi8-r", bytes: [],
      expected: " null nil"),
  ]

  @Test(arguments: examples)
  func `a text is read in the charset that the answer names`(_ example: Example) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(example.type)\r\n\r\n"
    let reply = TransferReply(
      number: 1, status: 200, head: Array(head.utf8), body: example.bytes, elapsed: .zero)

    let answer = HTTPAnswer(
      reply, DecodedBody(example.bytes, HeaderFields(head: reply.head)),
      from: try WebAddress("http://localhost/"), elapsed: .zero)

    let text = answer.bytes == nil ? answer.text : "-"
    #expect("\(text) \(answer.json) \(answer.problem ?? "nil")" == example.expected)
    #expect(answer.size == example.bytes.count)
  }
}
