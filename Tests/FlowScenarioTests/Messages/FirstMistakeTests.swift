import TestKit
import Testing

/// The mistakes of beginners in their first scenarios.
@Suite struct FirstMistakeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let problem: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    ("{\"flow\": 1,\n \"steps\": [{\"set\": {\"x\": \"\\ud83d\\ude00\"}}]}", []),
    (
      "{\"flow\": 1,\n \"stepps\": []}",
      ["2:2-10: unknown key 'stepps' in a scenario; did you mean 'steps'? [F1102]"]
    ),
    ("{\"flow\": 1,\n \"steps\": [],}", ["2:14-14: expected a name in double quotes [F1002]"]),
    ("flow: 1\nsteps: []\n", ["1:1-1: expected a value [F1002]"]),
  ]) func `a scenario named json is read as JSON`(_ text: String, _ problems: [String]) throws {
    #expect(try ScenarioText.problems(text, in: "test.json") == problems)
  }

  @Test(arguments: envelopes) func `a wrong envelope says what must stand there`(
    _ sample: Case
  ) throws {
    #expect(try ScenarioText.problems(sample.text) == [sample.problem])
  }

  static let envelopes: [Case] = [
    Case(
      text: "flow: \"1\"\nsteps: []",
      problem: "1:7-10: 'flow' must be the number 1, not the string \"1\" [F1101]"),
    Case(
      text: "flow: [1]\nsteps: []",
      problem: "1:7-10: 'flow' must be the number 1, not a list [F1101]"),
    Case(
      text: "flow: 2\nsteps: []", problem: "1:7-8: unknown format version '2', expected 1 [F1101]"),
    Case(
      text: "flow: 1\nsteps: []\ntags: [a, [b]]",
      problem: "3:11-14: a tag must be text, not a list [F1104]"),
    Case(
      text: "flow: 1\nsteps: []\ninputs: {x: {type: [int], default: 1}}",
      problem: "3:20-25: 'type' of the input 'x' must be text, not a list [F1104]"),
    Case(
      text: "flow: 1\nsteps: []\ncomponents: {x: {plugin: [probe]}}",
      problem: "3:26-33: 'plugin' of the component 'x' must be text, not a list [F1104]"),
  ]

  @Test(arguments: [
    ("'a' =~ 'b'", "to match a pattern, write text.matches('...')"),
    ("[1].map(x => x)", "write list.map(x, ...), list.filter(x, ...) or list.all(x, ...)"),
    ("'a' in 'abc'", "to search in a string, write text.contains('...')"),
    (
      "{'content': 'b'}.content-type",
      "write a name that contains '-' in brackets: headers['content-type']"
    ),
    ("duration('1s') < 2s", "write a duration as duration('2s')"),
    (
      "'1' == 1",
      "a string never equals a number; write the number without quotes, or compare string(...)"
    ),
    ("'1' + 1", "string(...) converts a number to a string"),
  ]) func `what other languages write is told apart`(_ expression: String, _ note: String) throws {
    let problems = try ScenarioText.problems(
      "flow: 1\nsteps:\n  - assert: [\"${{ \(expression) }}\"]\n")

    #expect(problems.count == 1)
    #expect(problems[0].hasSuffix(" (\(note))"), "\(problems)")
  }

  @Test func `a plugin in the place of its component is told apart`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + "steps:\n  - {uses: probe.count}\n")

    #expect(
      problems == [
        "4:12-17: unknown component 'probe' [F1202] ('probe' is a plugin; its components: p)"
      ])
  }

  @Test(arguments: steps) func `a wrong step says what must stand there`(_ sample: Case) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.text)

    #expect(problems == [sample.problem])
  }

  static let steps: [Case] = [
    Case(
      text: "{uses: [p.count]}",
      problem: "4:11-20: 'uses' of a step must be text, not a list [F1104]"),
    Case(text: "{uses: }", problem: "4:11-11: 'uses' of a step must be text, not nothing [F1104]"),
    Case(
      text: "{id: [a], uses: p.count}",
      problem: "4:9-12: 'id' of a step must be text, not a list [F1104]"),
    Case(
      text: "{for: [x], in: \"${{ [1] }}\", do: [{uses: p.count}]}",
      problem: "4:10-13: 'for' of a step must be text, not a list [F1104]"),
    Case(
      text: "{for: , in: \"${{ [1] }}\", do: [{uses: p.count}]}",
      problem: "4:10-10: 'for' of a step must be text, not nothing [F1104]"),
    Case(
      text: "{uses: p.count, expect: {error: [too-many]}}",
      problem: "4:36-46: 'error' of 'expect' must be text, not a list [F1104]"),
    Case(text: "{assert: []}", problem: "4:13-15: 'assert' of a step is empty [F1104]"),
    Case(text: "{set: {}}", problem: "4:10-12: 'set' of a step is empty [F1104]"),
    Case(
      text: "{for: x, in: \"${{ [1] }}\", do: []}",
      problem: "4:35-37: 'do' of a step is empty [F1104]"),
    Case(
      text: "{repeat: {until: \"${{ true }}\", limit: 1}, do: []}",
      problem: "4:51-53: 'do' of a step is empty [F1104]"),
  ]

  private static let note =
    "quote an expression that is inside { } or [ ], or contains ': '"

  @Test(arguments: ["{uses: p.count, with: {by: ${{ 1 }}}}", "{assert: [${{ 1 == 1 }}]}"])
  func `an expression without quotes in braces is told to have some`(_ step: String) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + step)

    #expect(problems.count == 1)
    #expect(problems[0].hasSuffix("[F1002] (\(Self.note))"), "\(problems)")
  }

  private static let double =
    #"the " inside the expression ends the text; use ' inside "...""#
  private static let single =
    #"the ' inside the expression ends the text; use " inside '...'"#

  @Test(arguments: [
    (#"assert: ["${{ 'a' == "a" }}"]"#, double), (#"if: "${{ "a" == 'a' }}""#, double),
    (#"if: '${{ 'a' == "a" }}'"#, single), (#"assert: ['${{ ''a'' == 'a' }}']"#, single),
    (#"assert: ["${{ "\"" == "a" }}"]"#, double),
  ])
  func `a quote inside of a quoted expression is named as the mistake`(
    _ step: String, _ note: String
  ) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + step)

    #expect(problems.count == 1)
    #expect(problems[0].hasSuffix("[F1002] (\(note))"), "\(problems)")
  }

  @Test(arguments: [
    "assert: ['${{ ''a'' == ''a'' }}' 1]", #"assert: ["${{ 'a' == \"a\" }}", "${{ true }}" 1]"#,
    "name: it's [ ${{ 1 }", "name: \"${{ 1 }}\" x",
  ])
  func `quotes that are right are not named as the mistake`(_ step: String) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + step)

    #expect(!problems.joined().contains("inside of"), "\(problems)")
  }

  @Test func `another mistake of YAML beside an expression is only what it is`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + "steps: [{uses: p.count, uses: \"${{ 1 }}\"}]")

    #expect(problems.count == 1)
    #expect(!problems[0].contains(Self.note), "\(problems)")
  }

  @Test(arguments: ["|", ">", "|+", "|-"])
  func `a block of one expression is that expression`(_ header: String) throws {
    let text =
      ScenarioText.head + """
        steps:
          - uses: p.count
            with:
              by: \(header)
                ${{ 1 + 1 }}
          - assert:
              - \(header)
                ${{ 1 == 1 }}

        """

    #expect(try ScenarioText.problems(text) == [])
  }
}
