import FlowSystem
import Testing

@Suite struct JSONTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: accepted) func `a text is read and written back`(_ sample: Case) throws {
    let json = try JSONParser.parse(Array(sample.text.utf8)[...])
    var writer = JSONWriter()
    writer.value(json)

    #expect(String(decoding: writer.bytes, as: UTF8.self) == sample.expected)
  }

  static let accepted: [Case] = [
    Case(text: "null", expected: "null"),
    Case(text: " [ true , false ] \r\n", expected: "[true,false]"),
    Case(text: "{}", expected: "{}"),
    Case(text: "[[],{\"a\":[]}]", expected: "[[],{\"a\":[]}]"),
    Case(text: "-0", expected: "-0"),
    Case(text: "123456789012345678901234567890.10", expected: "123456789012345678901234567890.10"),
    Case(text: "1E+2", expected: "1E+2"),
    Case(text: #""\u0041\n\/\"\\""#, expected: #""A\n/\"\\""#),
    Case(text: #""\ud83d\ude00""#, expected: "\"😀\""),
    Case(text: "\"\u{7F}\"", expected: #""\u007f""#),
    Case(text: #"{"b":1,"a":2}"#, expected: #"{"b":1,"a":2}"#),
  ]

  @Test(arguments: [
    Case(text: #""cut \ud83d""#, expected: "\"cut \u{FFFD}\""),
    Case(text: #""\ud83d\u0041""#, expected: "\"\u{FFFD}A\""),
    Case(text: #""\ud83d\n""#, expected: #""\#u{FFFD}\n""#),
    Case(text: #""\ude00\ud83d\ude00""#, expected: "\"\u{FFFD}😀\""),
    Case(text: #"{"\udbff": "\ud83d\ud83d"}"#, expected: "{\"\u{FFFD}\":\"\u{FFFD}\u{FFFD}\"}"),
  ]) func `half of a surrogate pair is U+FFFD in a message of a client`(_ sample: Case) throws {
    let json = try JSONParser.parse(Array(sample.text.utf8)[...], repairsText: true)

    #expect(json.text == sample.expected)
  }

  @Test func `bytes that are no UTF-8 are U+FFFD in a message of a client`() throws {
    let text = [UInt8](#"["a"#.utf8) + [0xFF] + Array(#"b\n", "é"]"#.utf8)

    let json = try JSONParser.parse(text[...], repairsText: true)

    #expect(json == .array([.string("a\u{FFFD}b\n"), .string("é")]))
    #expect(throws: JSONError(reason: .encoding, offset: 8)) { try JSONParser.parse(text[...]) }
  }

  @Test(arguments: 0..<20)
  func `what needs an escape has one wherever it stands in a text`(_ place: Int) {
    let escapes: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    let scalars = (0..<0x100).map { Unicode.Scalar(UInt8($0)) } + ["\u{7FF}", "\u{FFFF}", "😀"]

    for scalar in scalars {
      let isControl = scalar.value < 0x20 || scalar.value == 0x7F
      let code = String(scalar.value, radix: 16)
      let expected =
        escapes[scalar]
        ?? (isControl ? "\\u00\(code.count < 2 ? "0" : "")\(code)" : String(scalar))
      var writer = JSONWriter()
      // Beside bytes from both ends of what is written as it is.
      let (before, after) = (
        String(repeating: " ", count: place), String(repeating: "~", count: 20 - place)
      )
      writer.string(before + String(scalar) + after)

      #expect(writer.text == "\"\(before)\(expected)\(after)\"")
    }
  }

  @Test(arguments: rejected) func `a text that is no JSON is refused`(_ sample: Case) {
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse(Array(sample.text.utf8)[...])
    }

    #expect(error?.description == sample.expected)
  }

  static let rejected: [Case] = [
    Case(text: "", expected: "byte 1: the text ends too early"),
    Case(text: "[1", expected: "byte 3: the text ends too early"),
    Case(text: "\"a", expected: "byte 3: the text ends too early"),
    Case(text: "[1 2]", expected: "byte 4: expected ',' or ']'"),
    Case(text: "[1,]", expected: "byte 4: expected a value"),
    Case(text: "{1:2}", expected: "byte 2: expected a name in double quotes"),
    Case(text: "{\"a\" 2}", expected: "byte 6: expected ':'"),
    Case(text: "nul", expected: "byte 1: expected a value"),
    Case(text: "01", expected: "byte 2: unexpected text after the value"),
    Case(text: "+1", expected: "byte 1: expected a value"),
    Case(text: "1.", expected: "byte 3: the text ends too early"),
    Case(text: "1e+", expected: "byte 4: the text ends too early"),
    Case(text: "\"\t\"", expected: "byte 2: control character in a string"),
    Case(text: #""\x""#, expected: #"byte 4: invalid escape '\x'"#),
    Case(text: #""\ud800""#, expected: #"byte 8: '\ud800' is half of a surrogate pair"#),
    Case(text: #""\udc00""#, expected: #"byte 8: '\udc00' is half of a surrogate pair"#),
    Case(text: "{\"a\":1,\"a\":2}", expected: "byte 14: the name 'a' appears twice"),
  ]

  @Test func `bytes that are no UTF-8 are refused`() {
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse([0x22, 0xC3, 0x28, 0x22])
    }

    #expect(error?.description == "byte 4: invalid UTF-8")
  }

  @Test func `a text nested too deeply is refused at the limit`() {
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)[...])
    }

    #expect(error?.description == "byte 129: nested more than 128 levels deep")
  }

  @Test func `a line that is too long is told with its length`() {
    var writer = JSONWriter(longestLine: 16 << 20)
    for _ in 0..<2 { writer.endLine() }
    writer.string(String(repeating: "x", count: (16 << 20) - 2))
    writer.endLine()
    #expect(writer.excess == nil)

    writer.string(String(repeating: "x", count: (16 << 20) - 1))
    writer.endLine()
    #expect(
      writer.excess.map { "\($0)" }
        == "a line would have 16777217 bytes, more than the limit of 16777216")
  }
}
