import FlowCore
import FlowEngine
import TestKit
import Testing

/// Every failure of a step, with its exact text.
@Suite struct FailureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let steps: String
    let expected: String
    var testDescription: String { id }
  }

  @Test func `the caret of an unexpected answer is under the first field that differs`()
    async throws
  {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: {a: 1, b: [1, 2], c: x}}
          expect:
            value:
              a: 1
              b: [1, 3]
              c: y
      """)

    #expect(
      run.failures.hasPrefix(
        """
        test.yaml:9:16: error: 'p.echo#1' did not answer as expected [F2001]
            9 |         b: [1, 3]
              |                ^
          note: value.b[1]: expected 3, got 2
          note: value.c: expected "y", got "x"

        """))
  }

  @Test(arguments: [
    (
      "b'1.5;1,6'", "b'1.5;1.6'",
      #"value: expected "1.5;1.6", got "1.5;1,6"; they differ at byte 6"#
    ),
    ("b'ab'", "b'abc'", #"value: expected "abc", got "ab"; they differ at byte 3"#),
    (#"b'a\xffb'"#, #"b'a\xfeb'"#, "value: expected 3 bytes, got 3 bytes; they differ at byte 2"),
    ("'ab'", "b'ab'", #"value: expected 2 bytes, got "ab""#),
  ])
  func `bytes that differ are shown as text where they are text`(
    _ given: String, _ expected: String, _ note: String
  ) async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: '${{ \(given.replacing("'", with: "''")) }}'}
          expect: {value: '${{ \(expected.replacing("'", with: "''")) }}'}
      """)

    #expect(run.failures.contains("  note: \(note)\n"))
  }

  /// Texts, others, and the note about them.
  static let texts: [(String, String, String)] = [
    (
      lines(40), lines(41),
      """
      value: the lines differ at line 40: - expected, + got
              ...
                38
                39
              - 41
              + 40
                41
                42

      """
    ),
    (
      "a\n12\u{A0}EUR\n", "a\n12 EUR",
      """
      value: the lines differ at line 2: - expected, + got
                a
              - 12 EUR
              + 12\\u{a0}EUR
              +\u{20}

      """
    ),
    ("1\n", "1\n2\n", #"value: expected "1\n2\n", got "1\n""# + "\n"),
    (
      x + "a", x + "bc",
      """
      value: expected …"xxxxxxxxxxxxxxxxxxxxbc", got …"xxxxxxxxxxxxxxxxxxxxa"; they differ at character 71

      """
    ),
    (
      x + "\n", x + "\nb",
      #"""
      value: expected …"xxxxxxxxxxxxxxxxxxx\nb", got …"xxxxxxxxxxxxxxxxxxx\n"; they differ at line 2

      """#
    ),
    ("12\u{A0}EUR", "12 EUR", #"value: expected "12 EUR", got "12\u{a0}EUR""# + "\n"),
  ]

  private static let x = String(repeating: "x", count: 70)

  /// Sixty lines with their numbers, but for the fortieth.
  private static func lines(_ other: Int) -> String {
    (1...60).map { "\($0 == 40 ? other : $0)\n" }.joined()
  }

  @Test(arguments: texts)
  func `long and similar texts are shown where they differ`(
    _ given: String, _ expected: String, _ note: String
  ) async throws {
    let (given, wanted) = (Value.string(given), Value.string(expected))
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{uses: p.echo, with: {value: \(given.json)}, expect: {value: \(wanted.json)}}]
      """)

    #expect(run.failures.contains("  note: \(note)"), "\(run.failures)")
  }

  @Test func `a long value is cut around the difference, also in a list`() async throws {
    let numbers = (100...160).map { "\($0)" }
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: {a: [\(numbers.joined(separator: ", "))]}}
          expect: {value: {a: '${{ [\(numbers.joined(separator: ", "))].map(i, i == 150 ? 7 : i) }}'}}
      """)

    #expect(
      run.failures.contains(
        "value.a: expected …146, 147, 148, 149, 7, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160], "
          + "got …146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160]\n"),
      "\(run.failures)")
  }

  @Test(arguments: cases) func `a failure is told with its line`(_ sample: Case) async throws {
    let run = try await ProbeRun(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n" + sample.steps)

    #expect(run.failures == sample.expected)
  }

  static let cases: [Case] = [
    Case(
      id: "answer", steps: "  - {id: a, uses: p.count, expect: {value: 5}}",
      expected: """
        test.yaml:4:37: error: 'a#1' did not answer as expected [F2001]
            4 |   - {id: a, uses: p.count, expect: {value: 5}}
              |                                     ^^^^^^^^
          note: value: expected 5, got 1
          input: {by: 1}
          answer: {value: 1}

        """),
    Case(
      id: "error", steps: "  - {uses: p.fail, with: {code: refused}}",
      expected: """
        test.yaml:4:12: error: 'p.fail#1' failed with the error 'refused' [F2002]
            4 |   - {uses: p.fail, with: {code: refused}}
              |            ^^^^^^
          note: asked to fail with refused
          input: {code: "refused"}

        """),
    Case(
      id: "error where an answer was expected",
      steps: "  - {uses: p.fail, with: {code: refused}, expect: {}}",
      expected: """
        test.yaml:4:12: error: 'p.fail#1' failed with the error 'refused' [F2002]
            4 |   - {uses: p.fail, with: {code: refused}, expect: {}}
              |            ^^^^^^
          note: asked to fail with refused
          input: {code: "refused"}

        """),
    Case(
      id: "undeclared error", steps: "  - {uses: p.crash}",
      expected: """
        test.yaml:4:12: error: 'p.crash#1' failed with the error 'unexpected' [F2002]
            4 |   - {uses: p.crash}
              |            ^^^^^^^
          note: the wire was cut

        """),
    Case(
      id: "error of an undeclared code", steps: "  - {uses: p.fail, with: {code: lost}}",
      expected: """
        test.yaml:4:12: error: 'p.fail#1' failed with the error 'unexpected' [F2002]
            4 |   - {uses: p.fail, with: {code: lost}}
              |            ^^^^^^
          note: 'p.fail' does not declare the error 'lost': asked to fail with lost
          input: {code: "lost"}

        """),
    Case(
      id: "other error",
      steps: "  - {uses: p.fail, with: {code: refused}, expect: {error: too-many}}",
      expected: """
        test.yaml:4:51: error: 'p.fail#1' failed with the error 'refused', expected 'too-many' [F2003]
            4 |   - {uses: p.fail, with: {code: refused}, expect: {error: too-many}}
              |                                                   ^^^^^^^^^^^^^^^^^
          note: asked to fail with refused
          input: {code: "refused"}

        """),
    Case(
      id: "no error", steps: "  - {uses: p.count, expect: {error: too-many}}",
      expected: """
        test.yaml:4:29: error: 'p.count#1' succeeded, expected the error 'too-many' [F2003]
            4 |   - {uses: p.count, expect: {error: too-many}}
              |                             ^^^^^^^^^^^^^^^^^
          input: {by: 1}
          answer: {value: 1}

        """),
    Case(
      id: "limit",
      steps: "  - {repeat: {until: \"${{ false }}\", limit: 2}, do: [{uses: p.count}]}",
      expected: """
        test.yaml:4:27: error: 'repeat#1' reached its limit of 2 iterations [F2006]
            4 |   - {repeat: {until: "${{ false }}", limit: 2}, do: [{uses: p.count}]}
              |                           ^^^^^
          note: 'until' was false after each iteration

        """),
    Case(
      id: "no value", steps: "  - {uses: p.echo, with: {value: \"${{ [1][3] }}\"}}",
      expected: """
        test.yaml:4:39: error: 'p.echo#1': [1][3]: no element 3; the list has 1 element [F2005]
            4 |   - {uses: p.echo, with: {value: "${{ [1][3] }}"}}
              |                                       ^^^^^^

        """),
  ]

  @Test func `a value that is nested deeper and deeper is refused before it harms`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - set: {b: "${{ dyn(1) }}"}
        - repeat: {until: "${{ false }}", limit: 200000}
          do: [{set: {b: "${{ dyn([b]) }}"}}]
      """)

    #expect(
      run.failures == """
        test.yaml:5:10: error: 'repeat/set#101': 'b' is nested deeper than 100 levels [F2005]
            5 |     do: [{set: {b: "${{ dyn([b]) }}"}}]
              |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
  }

  @Test func `a component that cannot be opened fails before the first step`() async throws {
    let run = try await ProbeRun(
      "flow: 1\ncomponents: {p: {plugin: probe, with: {start: -1}}}\nsteps: [{uses: p.count}]")

    #expect(
      run.failures == """
        test.yaml:2:14: error: 'components/p#1' could not be opened: -1 is less than nothing [F2008]
            2 | components: {p: {plugin: probe, with: {start: -1}}}
              |              ^
          note: the error is 'refused'

        """)
    #expect(run.result.counts == .init(passed: 0, failed: 0, notRun: 1))
  }
}
