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

  private static func declared(
    _ id: String, _ type: String, _ text: String, _ bytes: [UInt8], _ expected: String
  ) -> Example {
    Example(
      testDescription: id, type: type, bytes: Array(text.utf8) + bytes, expected: expected)
  }

  private static let unnamed = "it is not UTF-8, and no other charset is named"

  static let declarations: [Example] = [
    declared(
      "a page with its charset", "text/html", "<meta charset=windows-1251>", [0xE4],
      "<meta charset=windows-1251>д null nil"),
    declared(
      "a page with a type, behind a comment", "text/html",
      "<!--<meta charset=koi8-r>--><META Content='a; charset = \"ISO-8859-2\"' HTTP-EQUIV=content-type>",
      [0xB1],
      "<!--<meta charset=koi8-r>--><META Content='a; charset = \"ISO-8859-2\"' HTTP-EQUIV=content-type>ą null nil"
    ),
    declared(
      "a page with a charset in a value", "text/html",
      "<a title='<meta charset=koi8-r>'/><meta charset='latin1'/>", [0xE9],
      "<a title='<meta charset=koi8-r>'/><meta charset='latin1'/>é null nil"),
    declared(
      "XML", "application/atom+xml", "<?xml version='1.0' encoding = \"ISO-8859-1\"?>", [0xFC],
      "<?xml version='1.0' encoding = \"ISO-8859-1\"?>ü null nil"),
    declared(
      "XML without a type", "", "<?xml version='1.0' encoding='Shift_JIS'?>", [0x83, 0x65],
      "<?xml version='1.0' encoding='Shift_JIS'?>テ null nil"),
    declared(
      "XHTML", "application/xhtml+xml", "<?xml version='1.0' encoding='big5'?>", [0xA4, 0xA4],
      "<?xml version='1.0' encoding='big5'?>中 null nil"),
    declared(
      "XML in UTF-16 without a mark", "text/xml", "", [0x3C, 0, 0x3F, 0, 0x78, 0, 0xE9, 0],
      "<?xé null nil"),
    declared(
      "a charset of the server, which beats the declaration", "text/html; charset=utf-8",
      "<meta charset=latin1>", [0xC3, 0xBC], "<meta charset=latin1>ü null nil"),
    declared(
      "an unknown charset of the server", "text/html; charset=klingon", "<meta charset=latin1>",
      [0xFC], "<meta charset=latin1>ü null nil"),
    declared(
      "UTF-16 that cannot be", "text/html", "<meta charset=utf-16>", [0xC3, 0xBC],
      "<meta charset=utf-16>ü null nil"),
    declared(
      "an unknown declaration", "text/xml", "<?xml encoding='klingon'?>", [0xFF],
      "- null the charset 'klingon' is unknown"),
    declared(
      "a wrong declaration", "text/html", "<meta charset=big5>", [0xFF],
      "- null it is not in the charset 'big5'"),
    declared(
      "a declaration too far behind", "text/html",
      String(repeating: " ", count: 1_024) + "<meta charset=latin1>", [0xE9], "- null \(unnamed)"),
    declared(
      "a declaration that is none", "text/html",
      "<metas charset=latin1><meta name=charset content='charset=latin1'>", [0xE9],
      "- null \(unnamed)"),
    declared(
      "a page that is plain text", "text/plain", "<meta charset=latin1>", [0xE9],
      "- null \(unnamed)"),
    declared("JSON", "application/json", "", [0x22, 0xE9, 0x22], "- null \(unnamed)"),
    declared("no type", "", "", [0xE9, 0x41], "- null nil"),
    declared("a file", "application/zip", "", [0xE9, 0x41], "- null nil"),
  ]

  @Test(arguments: examples + declarations)
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
