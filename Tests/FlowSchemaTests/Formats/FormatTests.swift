import FlowCore
import FlowSchema
import Testing

@Suite struct FormatTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let format: String
    let valid: [String]
    let invalid: [String]
    var testDescription: String { format }

    init(_ format: String, _ valid: [String], _ invalid: [String]) {
      (self.format, self.valid, self.invalid) = (format, valid, invalid)
    }
  }

  static let cases = [
    Case(
      "date", ["2024-02-29", "0000-01-31"], ["2023-02-29", "2024-2-9", "2024-13-01", "20240101"]),
    Case(
      "time", ["12:00:00Z", "23:59:60Z", "00:29:60.123+00:30", "12:00:00.5-01:00"],
      ["12:00:00", "24:00:00Z", "22:59:60Z", "12:00:00.Z", "12:00:00+24:00"]),
    Case("date-time", ["2024-01-01t00:00:00z"], ["2024-01-01 00:00:00Z", "2024-01-01T00:00Z"]),
    Case(
      "duration", ["P1Y2M3D", "P1DT12H", "PT36H", "P4W", "PT1M5S"],
      ["P", "PT", "P1DT", "P1Y2W", "P1S", "PT1D", "P1Y3D", "P1", "4W", "P2M1Y", "P1D2H", "P1W1D"]),
    Case(
      "email", ["a@b.c", "a.b+c@x-y.z", "\"a b\"@c.d", "a@[127.0.0.1]", "a@[IPv6:::1]"],
      ["a", "@b", ".a@b", "a..b@c", "a@b@c", "é@b.c", "a@-b.c", "a@[1.2.3]", "\"a\"b\"@c"]),
    Case("idn-email", ["é@bücher.example"], ["é"]),
    Case(
      "hostname", ["a", "a-b.c1", "xn--bcher-kva", "XN--bcher-kva"],
      ["", ".", "a.", "-a", "a_b", "é.x", "ab--c", "xn--", "xn--a", "xn--l-fda"]),
    Case(
      "idn-hostname", ["a", "bücher.example", "실례。테스트", "א.xn--4dbrk0ce", "a.א", "ß"],
      [
        "", "é.", "-é", "Bücher", "bu\u{308}cher", "\u{302E}a", "a·l", "0a.א", "א0٠",
        "0.xn--4dbrk0ce", "é\u{0}", String(repeating: "é", count: 60),
      ]),
    Case(
      "ipv4", ["0.0.0.0", "255.1.2.3"], ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.a"]),
    Case(
      "ipv6", ["::", "::1", "1::", "a:b:c:d:e:f:1:2", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4"],
      [
        "", ":", "1:2:3", ":::", "1::2::3", "12345::", "::1.2.3", "1:2:3:4:5:6:7:8:9", "1.2.3.4::",
        "::g", ":1:2:3:4:5:6:7",
      ]),
    Case(
      "uri", ["a:b", "http://u@h:1/p?q#f", "http://[::1]/"],
      ["a", "//h", "http://h:x/", "http://[1]/", "a:%zz", "a:b c", "http://é/"]),
    Case("uri-reference", ["", "a/b", "//h", "#f", "./a:b"], ["a b", "\\", "%", "1a:b", "#a#b"]),
    Case("iri", ["http://é/ü"], ["é"]),
    Case("iri-reference", ["é"], ["é ü"]),
    Case(
      "uuid", ["123e4567-e89b-12d3-a456-426614174000"],
      ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"]),
    Case(
      "uri-template", ["a{b}", "{+a,b.c:3,d*}", "é"],
      ["{", "a}", "{a b}", "{a:0}", "{}", "{a:12345}"]),
    Case("json-pointer", ["", "/a~0~1/0"], ["a", "/~2", "/~"]),
    Case("relative-json-pointer", ["0", "1/a", "2#"], ["", "/a", "01/a", "1a", "-1", "0##"]),
    Case("color", ["anything"], []),
  ]

  @Test(arguments: cases)
  func `a format allows its texts alone, if formats are checked`(_ testCase: Case) throws {
    let text = #"{"format": "\#(testCase.format)"}"#
    let annotating = try Schema(text: text)
    let checking = try Schema(text: text, options: SchemaOptions { $0.assertsFormat = true })

    #expect(try testCase.valid.filter { try !checking.accepts(.string($0)) } == [])
    #expect(try testCase.invalid.filter { try checking.accepts(.string($0)) } == [])
    #expect(try testCase.invalid.filter { try !annotating.accepts(.string($0)) } == [])
  }

  @Test func `content is checked in draft 7 on demand`() throws {
    let options = SchemaOptions {
      $0.draft = .draft7
      $0.assertsContent = true
    }
    let schema = try Schema(
      text: #"{"contentEncoding": "base64", "contentMediaType": "application/json"}"#,
      options: options)

    #expect(try schema.report(#""e30=""#) == "")
    #expect(try schema.report(#""{}""#) == #"expected text that is base64, got "{}""#)
    #expect(try schema.report(#""e30""#) == #"expected text that is base64, got "e30""#)
    #expect(try schema.report(#""ezp9Cg==""#) == #"expected text that is JSON, got "ezp9Cg==""#)
  }
}
