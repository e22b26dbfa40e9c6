import FlowExpression
import FlowPlan
import TestKit
import Testing

/// Values accepted by `expect`, and the messages about others.
@Suite struct ExpectedValueTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let expect: String
    /// An expectation of the probe's echo.
    let answer: String
    var mismatches: [String] = []
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `an answer is compared with what is expected`(_ sample: Case) throws
  {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        steps:
          - uses: p.echo
            with: {value: "${{ \(sample.answer) }}"}
            expect: {value: \(sample.expect)}
        """)
    guard case .call(let call) = plan.steps[0].action, case .output(let matcher)? = call.expectation
    else { return #expect(Bool(false), "the step expects nothing") }

    // The inputs and the steps, of which there are none here.
    let activation = Activation(levels: [[], []])
    let answer = try call.input.evaluate(activation)
    #expect(try matcher.mismatches(answer, activation).map(\.line) == sample.mismatches)
  }

  static let cases: [Case] = [
    Case(id: "an equal number", expect: "1", answer: "1"),
    Case(id: "a decimal for an int", expect: "1.00", answer: "1"),
    Case(id: "an int for a double", expect: "2", answer: "2.0"),
    Case(id: "the spelling of a double", expect: "[0.1, 15.80]", answer: "[0.1, 15.8]"),
    Case(
      id: "the spelling of another double", expect: "0.1", answer: "0.1 + 0.2 - 0.2",
      mismatches: ["value: value(0.1), got 0.10000000000000003"]),
    Case(
      id: "a text for a number", expect: "'1'", answer: "1",
      mismatches: [#"value: value("1"), got 1"#]),
    Case(id: "null", expect: "null", answer: "null"),
    Case(
      id: "null for something", expect: "null", answer: "0",
      mismatches: ["value: value(null), got 0"]),
    Case(id: "a part of a map", expect: "{a: 1}", answer: "{'a': 1, 'b': 2}"),
    Case(id: "nothing of a map", expect: "{}", answer: "{'a': 1}"),
    Case(
      id: "nothing of no map", expect: "{}", answer: "[1]", mismatches: ["value: record, got [1]"]),
    Case(
      id: "a missing key", expect: "{b: 1, c: null}", answer: "{'a': 1}",
      mismatches: ["value.b: value(1), got nothing", "value.c: value(null), got nothing"]),
    Case(id: "a list", expect: "[1, 2]", answer: "[1, 2.0]"),
    Case(id: "an empty list", expect: "[]", answer: "[]"),
    Case(
      id: "no element", expect: "[]", answer: "[1]", mismatches: ["value: count(0), got [1]"]),
    Case(
      id: "the first of two elements", expect: "[1]", answer: "[1, 2]",
      mismatches: ["value: count(1), got [1, 2]"]),
    Case(
      id: "another order", expect: "[1, 2]", answer: "[2, 1]",
      mismatches: ["value[0]: value(1), got 2", "value[1]: value(2), got 1"]),
    Case(id: "maps in a list, each partial", expect: "[{a: 1}]", answer: "[{'a': 1, 'b': 2}]"),
    Case(
      id: "nested places", expect: "{a: [{b: {c: 1}}, 2]}", answer: "{'a': [{'b': {'c': 3}}, 4]}",
      mismatches: ["value.a[0].b.c: value(1), got 3", "value.a[1]: value(2), got 4"]),
    Case(
      id: "a list for a map", expect: "{a: [1]}", answer: "{'a': {'b': 1}}",
      mismatches: ["value.a: count(1), got {b: 1}"]),
    Case(
      id: "an expression is compared whole", expect: "\"${{ {'a': 1} }}\"",
      answer: "{'a': 1, 'b': 2}", mismatches: ["value: value({a: 1}), got {a: 1, b: 2}"]),
    Case(
      id: "an expression inside of a part", expect: "{a: \"${{ 1 + 1 }}\", b: \"x${{ 2 }}\"}",
      answer: "{'a': 2, 'b': 'x3', 'c': 0}", mismatches: [#"value.b: value("x2"), got "x3""#]),
    Case(id: "a condition that holds", expect: "\"${{ it > 1 && it < 3 }}\"", answer: "2"),
    Case(
      id: "a condition that does not", expect: "\"${{ it > 2 }}\"", answer: "2",
      mismatches: ["value: condition(\"${{ it > 2 }}\", problem: nil), got 2"]),
    Case(
      id: "conditions on parts", expect: "{a: \"${{ it == 'x' }}\", b: [\"${{ it > 0 }}\"]}",
      answer: "{'a': 'x', 'b': [1]}"),
    Case(
      id: "a condition on what is not there", expect: "{b: \"${{ it == null }}\"}",
      answer: "{'a': 1}",
      mismatches: ["value.b: condition(\"${{ it == null }}\", problem: nil), got nothing"]),
    Case(
      id: "a condition without a value", expect: "\"${{ it > 2 }}\"", answer: "'x'",
      mismatches: [
        "value: condition(\"${{ it > 2 }}\", problem: Optional(\"\\'>\\' is not defined for (string, int)\")), got \"x\""
      ]),
    Case(
      id: "a variable of a macro that is called so", expect: "\"${{ [1, 2].map(it, it * 2) }}\"",
      answer: "[2, 4]"),
    Case(
      id: "letters that only look alike", expect: #""e\u0301""#, answer: "'\u{E9}'",
      mismatches: ["value: value(\"e\u{301}\"), got \"\u{E9}\""]),
  ]

  @Test func `records are compared by the fields that are named`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.types
          expect:
            decimal: -12.5
            color: green
            span: -1.5s
            unsigned: 18446744073709551615
            items: [{name: a"b, size: 0.5}, {name: ""}]
            sizes: {a: 1}
        - uses: p.types
          expect: {}
      """)

    #expect(run.failures == "")
  }

  @Test func `a key that is like the one at which nothing stands is offered`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: "${{ {'content-type': 'text/html', 'id': 1, 'kind': 2} }}"}
          expect: {value: {Content-Type: text/html, Id: 1, knd: "${{ it > 1 }}", other: 3}}
      """)

    #expect(
      run.failures == """
        test.yaml:6:22: error: 'p.echo#1' did not answer as expected [F2001]
            6 |     expect: {value: {Content-Type: text/html, Id: 1, knd: "${{ it > 1 }}", other: 3}}
              |                      ^^^^^^^^^^^^^^^^^^^^^^^
          note: value.Content-Type: expected "text/html", got nothing; did you mean 'content-type'?
          note: value.Id: expected 1, got nothing; did you mean 'id'?
          note: value.knd: expected ${{ it > 1 }}, got nothing; did you mean 'kind'?
          note: value.other: expected 3, got nothing
          input: {value: {content-type: "text/html", id: 1, kind: 2}}
          answer: {value: {content-type: "text/html", id: 1, kind: 2}}

        """)
  }

  @Test func `a key that is expected as well is not offered for another one`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.echo, with: {value: {a_id: 5}}, expect: {value: {a_id: 5, b_id: 6}}}
      """)

    #expect(run.failures.contains("  note: value.b_id: expected 6, got nothing\n"))
  }

  @Test func `all differences of an answer are told in the order of the expectation`() async throws
  {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.types
          expect: {sizes: {c: 1, b: 3}, items: [{size: 1}, {size: 1}], bool: false}
      """)

    #expect(
      run.failures == """
        test.yaml:5:22: error: 'p.types#1' did not answer as expected [F2001]
            5 |     expect: {sizes: {c: 1, b: 3}, items: [{size: 1}, {size: 1}], bool: false}
              |                      ^^^^
          note: sizes.c: expected 1, got nothing
          note: sizes.b: expected 3, got 2
          note: items[0].size: expected 1.0, got 0.5
          note: items[1].size: expected 1.0, got null
          note: bool: expected false, got true
          answer:
            bool: true
            unsigned: 18446744073709551615
            decimal: -12.50
            color: "green"
            bytes: 3 bytes
            instant: 1970-01-01T00:00:00Z
            span: -1.5s
            items: [{name: "a\\"b", size: 0.5}, {name: "", size: null}]
            sizes: {a: 1, b: 2}

        """)
  }

  @Test func `an expectation is checked before the run`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - uses: p.types
            expect:
              colour: red
              color: blue
              sizes: {a: x, b: y}
              items: [{nmae: a}, {size: big}]
              unsigned: [1]
              bool: {a: 1}
          - {uses: p.types, expect: 5}
          - {uses: p.types, expect: ~}
          - {uses: p.count, expect: {error: to-many}}
          - {uses: p.count, expect: {error: too-many, value: 1}}
          - {uses: p.count, expect: {value: [200, 201]}}
          - {uses: p.types, expect: {color: [red, "green"], bool: [{a: 1}], unsigned: []}}
        """)

    #expect(
      problems == [
        "6:7-13: the answer of 'p.types' has no field 'colour'; did you mean 'color'? [F1204]",
        #"7:14-18: 'color': expected 'red' or 'green', got the string "blue" [F1206]"#,
        #"8:18-19: 'sizes.a': expected int, got the string "x" [F1206]"#,
        #"8:24-25: 'sizes.b': expected int, got the string "y" [F1206]"#,
        "9:16-20: 'items[0]' has no field 'nmae'; did you mean 'name'? [F1204]",
        #"9:33-36: 'size': expected optional(double), got the string "big" [F1206]"#,
        "10:17-20: 'unsigned': expected uint, got a list [F1206] (to accept several values, write ${{ it in [1] }})",
        "11:13-19: 'bool': expected bool, got a mapping [F1206]",
        "12:29-30: the answer of 'p.types': expected record, got the number 5 [F1206]",
        "13:29-30: the answer of 'p.types': expected record, got nothing [F1206]",
        "14:37-44: 'p.count' declares no error 'to-many'; did you mean 'too-many'? [F1207]",
        "15:47-52: 'value' cannot be combined with 'error' [F1110]",
        "16:37-47: 'value': expected int, got a list [F1206] (to accept several values, write ${{ it in [200, 201] }})",
        "17:37-51: 'color': expected 'red' or 'green', got a list [F1206] (to accept several values, write ${{ it in ['red', 'green'] }})",
        "17:59-67: 'bool': expected bool, got a list [F1206]",
        "17:79-81: 'unsigned': expected uint, got a list [F1206]",
      ])
  }
}

extension Mismatch {
  /// The place, the expected value and the actual one, on one line.
  fileprivate var line: String {
    "\(path): \(expected), got \(actual.map { "\($0)" } ?? "nothing")"
  }
}
