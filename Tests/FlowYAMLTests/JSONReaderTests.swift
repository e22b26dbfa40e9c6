import FlowSystem
import FlowYAML
import Testing

struct JSONReaderTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let text: String
    let expected: String

    var testDescription: String { id }
  }

  private static func read(_ text: String) throws(YAMLError) -> Node {
    try Node(parsing: Array(text.utf8), as: .json)
  }

  private static func failure(_ text: String) -> String {
    do { return "no error: " + json(try read(text)) } catch { return "\(error)" }
  }

  @Test(arguments: [
    "1", "-0", " \"a\\n\" ", "null", "[]", "{}", "{\"a\": {}, \"b\": [[], [1]]}",
    "[true, false, null, 0.10, -1.5e2, 12345678901234567890, \"true\", \"1\", \"\"]",
    "{\"<<\": 1, \"a\": \"\\u00e9\\/\\\"\"}", "\u{FEFF}[\"é\",\r\n 1]",
    "{\n\t\"a\" : [ 1 ,\r\n\r2 ],\n\n  \"é😀\": \"x\"\n}\n",
  ]) func `JSON is the tree that it is as YAML, with the same places`(_ text: String) throws {
    #expect(outline(try Self.read(text)) == outline(try parse(text)))
  }

  @Test(arguments: [
    Case(
      id: "surrogate pairs", text: #"{"\ud83d\ude00": ["\uD83D\uDE00 b", "\\ud83d"], "c": 1}"#,
      expected: """
        1:1-1:56 mapping 2
          1:2-1:16 string "😀" quoted
            1:18-1:47 sequence 2
              1:19-1:35 string "😀 b" quoted
              1:37-1:46 string "\\\\ud83d" quoted
          1:49-1:52 string "c" quoted
            1:54-1:55 int(1) "1"
        """),
    Case(
      id: "line ends of unicode", text: "[\"\u{2028}x\u{85}y\u{2029}z\", 1]",
      expected: """
        1:1-4:7 sequence 2
          1:2-4:3 string "\u{2028}x\u{85}y\u{2029}z" quoted
          4:5-4:6 int(1) "1"
        """),
  ]) func `what YAML reads otherwise is read as JSON has it`(_ testCase: Case) throws {
    #expect(outline(try Self.read(testCase.text)) == testCase.expected)
  }

  @Test(arguments: [
    Case(id: "nothing", text: " \n", expected: "1:1: expected a document, found none"),
    Case(id: "no value", text: "{\n  \"a\": }", expected: "2:8: expected a value"),
    Case(id: "no colon", text: "{\"é\" 1}", expected: "1:6: expected ':'"),
    Case(id: "no name", text: "{a: 1}", expected: "1:2: expected a name in double quotes"),
    Case(id: "no comma", text: "[1\n 2]", expected: "2:2: expected ',' or ']'"),
    Case(id: "a comma too many", text: "[1,]", expected: "1:4: expected a value"),
    Case(
      id: "a comma after the last member", text: "{\"a\": 1,\n}",
      expected: "2:1: expected a name in double quotes"),
    Case(id: "a comment", text: "// a\n1", expected: "1:1: expected a value"),
    Case(id: "single quotes", text: "['a']", expected: "1:2: expected a value"),
    Case(id: "a word", text: "[nul]", expected: "1:2: expected a value"),
    Case(id: "a leading zero", text: "[01]", expected: "1:3: expected ',' or ']'"),
    Case(id: "no end", text: "{\"a\": [\n", expected: "2:1: the text ends too early"),
    Case(id: "two values", text: "{}\n{}", expected: "2:1: unexpected text after the value"),
    Case(id: "an escape", text: "[\"\\x41\"]", expected: "1:5: invalid escape '\\x'"),
    Case(
      id: "half a pair", text: "[\"\\ud83d\"]",
      expected: "1:9: '\\ud83d' is half of a surrogate pair"),
    Case(id: "a tab in text", text: "[\"a\tb\"]", expected: "1:4: control character in a string"),
    Case(
      id: "a name twice", text: "{\"a\": 1,\n \"b\": {\"a\": 1},\n \"\\u0061\": 2}",
      expected: "3:2: duplicate key 'a', first on line 1"),
  ]) func `a mistake is reported with its place`(_ testCase: Case) {
    #expect(Self.failure(testCase.text) == testCase.expected)
  }

  @Test func `the limits of YAML hold`() throws {
    let deep = Array(String(repeating: "[", count: 100_000).utf8)
    let error = #expect(throws: YAMLError.self) { try Node(parsing: deep, as: .json) }
    let many = #expect(throws: YAMLError.self) {
      try Node(parsing: Array("[1, 2]".utf8), as: .json, limits: Limits(nodes: 2))
    }

    #expect(error?.description == "1:129: collections are nested deeper than 128 levels")
    #expect(many?.description == "1:5: the text has more than 2 nodes")
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let error = #expect(throws: YAMLError.self) {
      try Node(parsing: [0x22, 0x61, 0xE9, 0x22], as: .json)
    }

    #expect(error?.description == "1:4: invalid UTF-8")
    #expect(error?.code == .encoding)
  }

  @Test func `a text is accepted where the parser of JSON accepts it`() {
    var generator = SplitMix(state: 5)
    let alphabet = Array("[[]]{}{},,::\"\"ab\\u1 -.e\n".utf8)
    var accepted = 0
    for _ in 0..<50_000 {
      let count = Int.random(in: 1...7, using: &generator)
      let bytes = (0..<count).compactMap { _ in alphabet.randomElement(using: &generator) }
      let isJSON = (try? JSONParser.parse(bytes[...])) != nil
      let isRead = (try? Node(parsing: bytes, as: .json)) != nil
      #expect(isJSON == isRead, "\(String(decoding: bytes, as: UTF8.self))")
      accepted += isRead ? 1 : 0
    }
    #expect(accepted > 500)
  }

  @Test(arguments: [
    ("a.json", true), ("b/A.JSON", true), ("a.json.yaml", false), ("json", false), ("-", false),
  ]) func `the ending of a name decides how the file is read`(_ name: String, _ isJSON: Bool) {
    #expect((Format(ofFile: name) == .json) == isJSON)
  }
}
