import Testing

struct PositionTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let text: String
    let outline: String

    var testDescription: String { id }
  }

  static let cases = [
    Case(
      id: "block", text: "a: 1\nlist:\n  - x\n  - y z\n\n# end\nb:\n",
      outline: """
        1:1-7:3 mapping 3
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
          2:1-2:5 string "list"
            3:3-4:8 sequence 2
              3:5-3:6 string "x"
              4:5-4:8 string "y z"
          7:1-7:2 string "b"
            7:3-7:3 null ""
        """),
    Case(
      id: "indentless sequence", text: "a:\n- 1\n- 2\n? c\n: d\n",
      outline: """
        1:1-5:4 mapping 2
          1:1-1:2 string "a"
            2:1-3:4 sequence 2
              2:3-2:4 int(1) "1"
              3:3-3:4 int(2) "2"
          4:3-4:4 string "c"
            5:3-5:4 string "d"
        """),
    Case(
      id: "flow", text: "{a: [1, b: 2], c: {}}\n",
      outline: """
        1:1-1:22 mapping 2
          1:2-1:3 string "a"
            1:5-1:14 sequence 2
              1:6-1:7 int(1) "1"
              1:9-1:13 mapping 1
                1:9-1:10 string "b"
                  1:12-1:13 int(2) "2"
          1:16-1:17 string "c"
            1:19-1:21 mapping 0
        """),
    Case(
      id: "space after a pair without braces", text: "[a: b , c]\n",
      outline: """
        1:1-1:11 sequence 2
          1:2-1:6 mapping 1
            1:2-1:3 string "a"
              1:5-1:6 string "b"
          1:9-1:10 string "c"
        """),
    Case(
      id: "non-ASCII", text: "ключ: [é, 👍, e\u{301}, z]\n",
      outline: """
        1:1-1:20 mapping 1
          1:1-1:5 string "ключ"
            1:7-1:20 sequence 4
              1:8-1:9 string "é"
              1:11-1:12 string "👍"
              1:14-1:16 string "é"
              1:18-1:19 string "z"
        """),
    Case(
      id: "tab before a comment", text: "a:\t1\t# c\nb: \"\t\"\n",
      outline: """
        1:1-2:7 mapping 2
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
          2:1-2:2 string "b"
            2:4-2:7 string "\\u{9}" quoted
        """),
    Case(
      id: "CRLF", text: "a: 1\r\nb:\r\n  c: 2\r\n",
      outline: """
        1:1-3:7 mapping 2
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
          2:1-2:2 string "b"
            3:3-3:7 mapping 1
              3:3-3:4 string "c"
                3:6-3:7 int(2) "2"
        """),
    Case(
      id: "CR", text: "a: 1\rb: 2\r",
      outline: """
        1:1-2:5 mapping 2
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
          2:1-2:2 string "b"
            2:4-2:5 int(2) "2"
        """),
    Case(
      id: "line breaks of YAML 1.1", text: "a: 1\u{85}b: 2\u{2028}c: 3\u{2029}d: 4\n",
      outline: """
        1:1-4:5 mapping 4
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
          2:1-2:2 string "b"
            2:4-2:5 int(2) "2"
          3:1-3:2 string "c"
            3:4-3:5 int(3) "3"
          4:1-4:2 string "d"
            4:4-4:5 int(4) "4"
        """),
    Case(
      id: "byte order mark", text: "\u{FEFF}a: 1\n",
      outline: """
        1:1-1:5 mapping 1
          1:1-1:2 string "a"
            1:4-1:5 int(1) "1"
        """),
    Case(
      id: "aliases", text: "- &x [1]\n- *x\n",
      outline: """
        1:1-2:5 sequence 2
          1:3-1:9 sequence 1
            1:7-1:8 int(1) "1"
          2:3-2:5 alias sequence 1
            1:7-1:8 int(1) "1"
        """),
    Case(
      id: "tags and anchors", text: "- !!str &a 1\n- &b\n  c: d\n",
      outline: """
        1:1-3:7 sequence 2
          1:3-1:13 tagged string "1"
          2:3-3:7 mapping 1
            3:3-3:4 string "c"
              3:6-3:7 string "d"
        """),
    Case(
      id: "quoted over lines", text: "a: 'one\n  two'\nb: x\n  y\n",
      outline: """
        1:1-4:4 mapping 2
          1:1-1:2 string "a"
            1:4-2:7 string "one two" quoted
          3:1-3:2 string "b"
            3:4-4:4 string "x y"
        """),
    Case(
      id: "block scalars", text: "a: |\n  one\n  two\n\nb: >-\n  x\nc: 1\n",
      outline: """
        1:1-7:5 mapping 3
          1:1-1:2 string "a"
            1:4-5:1 string "one\\ntwo\\n" quoted
          5:1-5:2 string "b"
            5:4-7:1 string "x" quoted
          7:1-7:2 string "c"
            7:4-7:5 int(1) "1"
        """),
    Case(
      id: "document markers", text: "--- a\n...\n",
      outline: """
        1:5-1:6 string "a"
        """),
  ]

  @Test(arguments: cases)
  func `every node stands where it was written`(_ testCase: Case) throws {
    #expect(outline(try parse(testCase.text)) == testCase.outline)
  }
}
