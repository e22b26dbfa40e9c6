import FlowYAML
import Testing

/// JSON as `json.dumps` of Python writes it: a character beyond U+FFFF is two escapes.
struct SurrogatePairTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let text: String
    let outline: String

    var testDescription: String { id }
  }

  static let values = [
    Case(id: "JSON", text: #"["\ud83d\ude00", "\uD83D\uDE00 b"]"#, outline: #"["😀","😀 b"]"#),
    Case(
      id: "the first and the last", text: #"["\ud800\udc00\udbff\udfff"]"#,
      outline: "[\"\u{10000}\u{10FFFF}\"]"),
    Case(id: "a key", text: #"{"\ud83d\ude00": 1}"#, outline: #"{"😀":1.0}"#),
    Case(
      id: "an escaped backslash", text: #"["\\ud83d\\ude00", "\\\ud83d\ude00"]"#,
      outline: #"["\\ud83d\\ude00","\\😀"]"#),
    Case(
      id: "text without double quotes", text: #"[\ud83d\ude00, '\ud83d\ude00 "', "\ud83d\ude00"]"#,
      outline: #"["\\ud83d\\ude00","\\ud83d\\ude00 \"","😀"]"#),
    Case(
      id: "text in blocks",
      text: "- |\n  \"\\ud83d\\ude00\"\n- >-\n  \\ud83d\\ude00\n- \"\\ud83d\\ude00\"\n",
      outline: #"["\"\\ud83d\\ude00\"\n","\\ud83d\\ude00","😀"]"#),
    Case(
      id: "a comment", text: "# \"\\ud83d\\ude00\n- \"\\ud83d\\ude00\" # it's \"\\ud83d\\ude00\n",
      outline: #"["😀"]"#),
    Case(
      id: "the longer escape as text", text: #"[\U0001F600, \ud83d\ude00]"#,
      outline: #"["\\U0001F600","\\ud83d\\ude00"]"#),
  ]

  @Test(arguments: values)
  func `a pair is one character in double quotes and text elsewhere`(_ testCase: Case) throws {
    #expect(json(try parse(testCase.text)) == testCase.outline)
  }

  static let places = [
    Case(
      id: "behind pairs", text: #"{"a\ud83d\ude00": ["\ud83d\ude00\ud83d\ude00", b], "c": 1}"#,
      outline: """
        1:1-1:59 mapping 2
          1:2-1:17 string "a😀" quoted
            1:19-1:50 sequence 2
              1:20-1:46 string "😀😀" quoted
              1:48-1:49 string "b"
          1:52-1:55 string "c" quoted
            1:57-1:58 int(1) "1"
        """),
    Case(
      id: "on the lines around", text: "- é\n- \"\\ud83d\\ude00\n  \\ud83d\\ude00 b\"\n- c\n",
      outline: """
        1:1-4:4 sequence 3
          1:3-1:4 string "é"
          2:3-3:18 string "😀 😀 b" quoted
          4:3-4:4 string "c"
        """),
    Case(
      id: "behind a byte order mark",
      text: "\u{FEFF}[\"é\\ud83d\\ude00\", \"\\ud83d\\ude00\",\r\n x]",
      outline: """
        1:1-2:4 sequence 3
          1:2-1:17 string "é😀" quoted
          1:19-1:33 string "😀" quoted
          2:2-2:3 string "x"
        """),
    Case(
      id: "behind text", text: #"[\ud83d\ude00, "\ud83d\ude00", x] # \ud83d\ude00"#,
      outline: """
        1:1-1:34 sequence 3
          1:2-1:14 string "\\\\ud83d\\\\ude00"
          1:16-1:30 string "😀" quoted
          1:32-1:33 string "x"
        """),
  ]

  @Test(arguments: places)
  func `every node stands where it was written`(_ testCase: Case) throws {
    #expect(outline(try parse(testCase.text)) == testCase.outline)
  }

  static let mistakes = [
    ErrorTests.Case(
      "half a pair", #"["\ud83d\ude00", "\ud83d"]"#,
      "1:21: an escape that names no character in the quoted scalar"),
    ErrorTests.Case(
      "halves in the wrong order", #"["\ud83d\ude00", "\ude00\ud83d"]"#,
      "1:21: an escape that names no character in the quoted scalar"),
    ErrorTests.Case(
      "two first halves", #"["\ud83d\ud83d\ude00"]"#,
      "1:5: an escape that names no character in the quoted scalar"),
    ErrorTests.Case(
      "half a pair cut short", #"["\ud83d\ude0"]"#,
      "1:5: an escape that names no character in the quoted scalar"),
    ErrorTests.Case(
      "a mistake behind a pair", #"["\ud83d\ude00", @]"#,
      "1:18: plain text cannot begin with '@'; put it in quotes"),
    ErrorTests.Case(
      "no end behind a pair", "a: \"\\ud83d\\ude00",
      "1:17: unexpected end of stream in the quoted scalar"),
    ErrorTests.Case(
      "a control character behind a pair", "é: \"\\ud83d\\ude00 \u{7}",
      "1:18: character U+0007 is not allowed"),
  ]

  @Test(arguments: mistakes)
  func `a mistake stands where it was made`(_ testCase: ErrorTests.Case) {
    #expect(failure(testCase.text) == testCase.error)
  }

  @Test
  func `limits hold for a text with pairs`() {
    let deep = String(repeating: "[", count: 100_000) + #""\ud83d\ude00""#

    #expect(failure(deep) == "1:129: collections are nested deeper than 128 levels")
  }
}
