import TestKit
import Testing

/// Problems of expressions stand under the expression, however the scalar around it is written.
@Suite struct ExpressionTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let value: String
    let expected: String
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `an unknown name is marked where it stands`(_ sample: Case) throws {
    let text = ScenarioText.head + "steps:\n- uses: p.echo\n  with:\n    value: " + sample.value

    #expect(try ScenarioText.problems(text) == [sample.expected + ": 'no' is not declared [F1302]"])
  }

  static let cases: [Case] = [
    Case(id: "plain", value: "${{ no }}", expected: "6:16-18"),
    Case(id: "without blanks", value: "${{no}}", expected: "6:15-17"),
    Case(id: "inside an expression", value: "${{ 1 + no }}", expected: "6:20-22"),
    Case(id: "inside text", value: "say ${{ no }} twice", expected: "6:20-22"),
    Case(id: "the second", value: "${{ 1 }} and ${{ no }}", expected: "6:29-31"),
    Case(id: "after letters of many scalars", value: "👩‍👧é ${{ 'ü' + no }}", expected: "6:27-29"),
    Case(id: "double quotes", value: #""${{ no }}""#, expected: "6:17-19"),
    Case(id: "single quotes", value: "'${{ no }}'", expected: "6:17-19"),
    Case(
      id: "behind an escape", value: #""\t${{ no }}""#, expected: "6:19-21"),
    Case(id: "behind a doubled quote", value: "'''${{ no }}'", expected: "6:19-21"),
    Case(id: "behind an anchor", value: "&a ${{ no }}", expected: "6:19-21"),
    Case(id: "literal", value: "|\n      one\n      ${{ no }}", expected: "8:11-13"),
    Case(
      id: "literal with CR LF", value: "|\r\n      one\r\n      ${{ no }}\r\n", expected: "8:11-13"),
    Case(id: "folded", value: ">\n      one\n      two ${{ no }}\n\n      x", expected: "8:15-17"),
    Case(
      id: "inside of a folded expression", value: ">-\n      ${{ 1 +\n      no }}",
      expected: "8:7-9"),
    Case(id: "quotes over lines", value: "\"one\n\n      two ${{ no }}\"", expected: "8:15-17"),
    Case(id: "plain over lines", value: "one\n      two ${{ no }}", expected: "7:15-17"),
    Case(id: "a flow collection", value: "[1, \"${{ no }}\"]", expected: "6:21-23"),
  ]

  @Test func `a problem in a block scalar shows its line`() throws {
    let problems = try ProbeRun.problems(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with:
            value: |
              one
              ${{ no }}
      """)

    #expect(
      problems == """
        test.yaml:8:13: error: 'no' is not declared [F1302]
            8 |         ${{ no }}
              |             ^^

        """)
  }

  @Test func `a problem behind an alias stands at the alias`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {uses: p.echo, with: {value: &abcdefghijk "${{ no }}!"}}
          - {uses: p.echo, with: {value: *abcdefghijk }}
        """)

    #expect(
      problems == [
        "4:52-54: 'no' is not declared [F1302]",
        "5:34-46: 'no' is not declared [F1302]",
      ])
  }

  @Test func `every expression of a text is checked`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + "steps:\n- {uses: p.echo, with: {value: \"${{ a }} ${{ 1 }} ${{ b }}\"}}")

    #expect(
      problems == ["4:37-38: 'a' is not declared [F1302]", "4:55-56: 'b' is not declared [F1302]"])
  }

  @Test func `an opening without an end is marked in a value of any type`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {uses: p.count, with: {by: "${{ 1"}}
          - {uses: p.echo, with: {value: "a ${{ 1"}}
          - {uses: p.echo, with: "${{ 1"}
        """)

    #expect(
      problems == [
        "4:33-36: '${{' is not closed by '}}' [F1307]",
        "5:37-40: '${{' is not closed by '}}' [F1307]",
        "6:27-30: '${{' is not closed by '}}' [F1307]",
      ])
  }
}
