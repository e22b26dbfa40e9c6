import FlowCore
import Testing

struct DiagnosticRendererTests {
  /// A source, a span in it as `line:column-line:column`, and the rendered text.
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let source: String
    let span: (Position, Position)
    let expected: String

    init(_ id: String, _ source: String, _ start: (Int, Int), _ end: (Int, Int), _ expected: String)
    {
      self.id = id
      self.source = source
      span = (Position(line: start.0, column: start.1), Position(line: end.0, column: end.1))
      self.expected = expected
    }

    var testDescription: String { id }

    var rendered: String {
      let diagnostic = Diagnostic(
        "F1", "wrong", at: SourceSpan(file: "a.yaml", start: span.0, end: span.1))
      return DiagnosticRenderer(sources: ["a.yaml": Array(source.utf8)]).render(diagnostic)
    }
  }

  @Test
  func `colours mark the place, the severity, what could be written, and nothing of a context`() {
    let span = SourceSpan(
      file: "a.yaml", start: Position(line: 1, column: 1), end: Position(line: 1, column: 5))
    let diagnostic = Diagnostic(
      "F1", "unknown key 'usse'; did you mean 'uses'?", at: span,
      notes: ["keys:", "  uses"], fixes: ["uses"]
    ).showing(["input: {a: 1}"])

    let renderer = DiagnosticRenderer(sources: ["a.yaml": Array("usse: b".utf8)], hasColors: true)

    #expect(
      renderer.render(diagnostic).replacing("\u{1B}", with: "") == """
        [1ma.yaml:1:1:[0m [1;31merror:[0m [1munknown key 'usse'[0m; [32mdid you mean 'uses'?[0m [2m[F1][0m
        [2m    1 |[0m usse: b
        [2m      |[0m [1;31m^^^^[0m
          [1;36mnote:[0m keys:
                uses
          input: {a: 1}

        """)
  }

  private static let long =
    String(repeating: "a", count: 100) + "here" + String(repeating: "b", count: 100)

  static let excerpts = [
    Case(
      "a word", "a: 1\n  usse: b\n", (2, 3), (2, 7),
      """
      a.yaml:2:3: error: wrong [F1]
          2 |   usse: b
            |   ^^^^

      """),
    Case(
      "an empty span", "a: 1\n", (1, 4), (1, 4),
      """
      a.yaml:1:4: error: wrong [F1]
          1 | a: 1
            |    ^

      """),
    Case(
      "just after the line", "a: 1\n", (1, 5), (1, 5),
      """
      a.yaml:1:5: error: wrong [F1]
          1 | a: 1
            |     ^

      """),
    Case(
      "an empty line", "\n\n", (2, 1), (2, 1),
      "a.yaml:2:1: error: wrong [F1]\n    2 | \n      | ^\n"),
    Case(
      "several lines", "- one\n- two\n", (1, 3), (2, 6),
      """
      a.yaml:1:3: error: wrong [F1]
          1 | - one
            |   ^^^

      """),
    Case(
      "several lines with CRLF", "- one\r\n- two\r\n", (1, 3), (2, 6),
      """
      a.yaml:1:3: error: wrong [F1]
          1 | - one
            |   ^^^

      """),
    Case(
      "the second line after CRLF", "- one\r\n- two\r\n", (2, 3), (2, 6),
      """
      a.yaml:2:3: error: wrong [F1]
          2 | - two
            |   ^^^

      """),
    Case(
      "a lone carriage return", "- one\r- two\r", (2, 3), (2, 6),
      """
      a.yaml:2:3: error: wrong [F1]
          2 | - two
            |   ^^^

      """),
    Case(
      "the separators of YAML 1.1", "a\u{85}b\u{2028}c\u{2029}d: e\n", (4, 4), (4, 5),
      """
      a.yaml:4:4: error: wrong [F1]
          4 | d: e
            |    ^

      """),
    Case(
      "tabs", "\ta:\tb\n", (1, 5), (1, 6),
      """
      a.yaml:1:5: error: wrong [F1]
          1 |  a: b
            |     ^

      """),
    Case(
      "other letters", "größe: e\u{301}x\n", (1, 10), (1, 11),
      """
      a.yaml:1:10: error: wrong [F1]
          1 | größe: e\u{301}x
            |         ^

      """),
    Case(
      "control characters", "a\u{1b}[2J\u{7}: b\n", (1, 1), (1, 7),
      """
      a.yaml:1:1: error: wrong [F1]
          1 | a\u{fffd}[2J\u{fffd}: b
            | ^^^^^^

      """),
    Case(
      "direction marks", "a\u{202e}b\u{2066}: c\n", (1, 7), (1, 8),
      """
      a.yaml:1:7: error: wrong [F1]
          1 | a\u{fffd}b\u{fffd}: c
            |       ^

      """),
    Case(
      "a byte order mark", "\u{feff}a: b\n", (1, 4), (1, 5),
      """
      a.yaml:1:4: error: wrong [F1]
          1 | a: b
            |    ^

      """),
    Case(
      "a long line", long, (1, 102), (1, 106),
      """
      a.yaml:1:102: error: wrong [F1]
          1 | \(String(repeating: "a", count: 19))here\(String(repeating: "b", count: 97))
            | \(String(repeating: " ", count: 20))^^^^

      """),
    Case(
      "a long line from its beginning", long, (1, 1), (1, 205),
      """
      a.yaml:1:1: error: wrong [F1]
          1 | \(String(repeating: "a", count: 100))here\(String(repeating: "b", count: 16))
            | \(String(repeating: "^", count: 120))

      """),
    Case(
      "a line of six digits", String(repeating: "\n", count: 99_999) + "a: b", (100_000, 1),
      (100_000, 2),
      """
      a.yaml:100000:1: error: wrong [F1]
      100000 | a: b
             | ^

      """),
    Case(
      "far into a line of wide characters", "\n" + String(repeating: "é😀", count: 500) + "!",
      (2, 1001),
      (2, 1002),
      """
      a.yaml:2:1001: error: wrong [F1]
          2 | \(String(repeating: "é😀", count: 10))!
            | \(String(repeating: " ", count: 30))^

      """),
    Case(
      "wide characters before and under it", "name: 日本語, uses: 猫\n", (1, 7), (1, 10),
      """
      a.yaml:1:7: error: wrong [F1]
          1 | name: 日本語, uses: 猫
            |       ^^^^^^

      """),
    Case("a line beyond the end", "a: b", (2, 1), (2, 2), "a.yaml:2:1: error: wrong [F1]\n"),
    Case(
      "an end before the start", "abc\n", (1, 3), (1, 1),
      """
      a.yaml:1:3: error: wrong [F1]
          1 | abc
            |   ^

      """),
  ]

  @Test(arguments: excerpts)
  func `a diagnostic shows its line with carets under the span`(_ row: Case) {
    #expect(scalars(row.rendered) == scalars(row.expected), "\(row.rendered)")
  }

  @Test
  func `a diagnostic without a place shows its message and notes`() {
    let diagnostic = Diagnostic(
      "F2", "odd", at: nil, severity: .warning, notes: ["first", "second"])

    #expect(
      DiagnosticRenderer(sources: [:]).render(diagnostic) == """
        warning: odd [F2]
          note: first
          note: second

        """)
  }

  @Test
  func `notes follow the excerpt`() {
    let place = Position(line: 1, column: 1)
    let diagnostic = Diagnostic(
      "F2", "odd", at: SourceSpan(file: "a", start: place, end: place), notes: ["because"])

    #expect(
      DiagnosticRenderer(sources: ["a": Array("x".utf8)]).render(diagnostic) == """
        a:1:1: error: odd [F2]
            1 | x
              | ^
          note: because

        """)
  }

  @Test
  func `a file that is not at hand shows no line`() {
    let place = Position(line: 3, column: 2)
    let diagnostic = Diagnostic("F2", "odd", at: SourceSpan(file: "b", start: place, end: place))

    #expect(DiagnosticRenderer(sources: [:]).render(diagnostic) == "b:3:2: error: odd [F2]\n")
  }

  @Test
  func `diagnostics come in the order of file, line and column`() {
    func diagnostic(_ message: String, _ file: String, _ line: Int, _ column: Int) -> Diagnostic {
      let place = Position(line: line, column: column)
      return Diagnostic("F", message, at: SourceSpan(file: file, start: place, end: place))
    }
    let diagnostics = [
      diagnostic("sixth", "b", 1, 1), diagnostic("fifth", "a", 10, 1),
      diagnostic("third", "a", 2, 9), diagnostic("fourth", "a", 2, 10),
      diagnostic("second", "a", 1, 30), Diagnostic("F", "first", at: nil),
    ]

    #expect(
      DiagnosticRenderer(sources: [:]).render(diagnostics) == """
        error: first [F]
        a:1:30: error: second [F]
        a:2:9: error: third [F]
        a:2:10: error: fourth [F]
        a:10:1: error: fifth [F]
        b:1:1: error: sixth [F]

        """)
    #expect(DiagnosticRenderer(sources: [:]).render([]) == "")
  }

  @Test
  func `control characters in messages and notes do not reach the terminal`() {
    let diagnostic = Diagnostic("F", "unknown key '\u{1b}[2J\n'", at: nil, notes: ["\u{7}bell"])

    #expect(
      DiagnosticRenderer(sources: [:]).render(diagnostic) == """
        error: unknown key '\u{fffd}[2J\u{fffd}' [F]
          note: \u{fffd}bell

        """)
  }

  @Test
  func `bytes that are no UTF-8 are shown as replacements`() {
    let place = Position(line: 1, column: 2)
    let diagnostic = Diagnostic("F", "odd", at: SourceSpan(file: "a", start: place, end: place))

    #expect(
      DiagnosticRenderer(sources: ["a": [0x61, 0xff, 0x62]]).render(diagnostic) == """
        a:1:2: error: odd [F]
            1 | a\u{fffd}b
              |  ^

        """)
  }
}
