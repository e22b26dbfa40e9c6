import FlowCore
import FlowEngine
import FlowExpression
import FlowPlan
import TestKit
import Testing

/// Values of a scenario with expressions in them.
@Suite struct TemplateTests {
  /// The output for this value.
  private static func output(_ yaml: String) async throws -> String {
    let run = try await ProbeRun(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{id: t, uses: p.types}]\n"
        + "outputs: {x: \(yaml)}")
    return run.failures + run.result.outputs.map { "\($0.value.kindName) \($0.value)" }.joined()
  }

  @Test(arguments: [
    ("\"${{ 1 + 1 }}\"", "int 2"), ("\"  ${{ 2 }}\"", #"string "  2""#),
    ("\"${{ [1] }}\"", "list [1]"), ("[\"${{ 1 }}\", a]", #"list [1, "a"]"#),
    ("{a: {b: \"${{ 'x' }}\"}}", #"map {a: {b: "x"}}"#),
    // A written line break is part of the string.
    (#""${{ 2 }}\n""#, #"string "2\n""#), (#""${{ 'x' }}\n\n""#, #"string "x\n\n""#),
    ("\"${{ 2 }}\n\n   \"", #"string "2\n""#),
  ]) func `a value that is only an expression keeps its type`(_ yaml: String, _ value: String)
    async throws
  {
    #expect(try await Self.output(yaml) == value)
  }

  @Test(arguments: [
    ("|\n    ${{ 2 }}\n", "2"), (">\n    ${{ 2 }}\n", "2"), ("|+\n    ${{ 2 }}\n\n", "2"),
    ("|\n    ${{ 2 }} b\n", #""2 b\n""#),
  ]) func `the line break that ends a block scalar belongs to no expression`(
    _ yaml: String, _ value: String
  ) async throws {
    let run = try await ProbeRun("flow: 1\nsteps: []\noutputs:\n  x: \(yaml)")

    #expect(run.failures == "")
    #expect(run.result.outputs.map { "\($0.value)" } == [value])
  }

  @Test(arguments: [
    ("'text'", "text"), ("true", "true"), ("-3", "-3"), ("7u", "7"), ("1.5", "1.5"),
    ("decimal('1.50')", "1.50"), ("null", "null"), ("duration('90s')", "90s"),
    ("timestamp('2026-01-31T08:00:00Z')", "2026-01-31T08:00:00Z"), ("b'abc'", "3 bytes"),
    ("['a', 1]", #"["a", 1]"#), ("{'a': 'b'}", #"{a: "b"}"#), ("steps.t.color", "green"),
    ("steps.t.items[1]", #"{name: "", size: null}"#),
  ]) func `inside of text a value becomes text`(_ expression: String, _ text: String) async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{id: t, uses: p.types}]
      outputs:
        x: |-
          <${{ \(expression) }}>
      """)

    #expect(run.failures == "")
    #expect(run.result.outputs.map(\.value) == [.string("<\(text)>")])
  }

  @Test(arguments: [
    ("s.take", "{count: 1}", true), ("p.echo", "{value: [1, {a: b}]}", true),
    ("p.echo", "{value: [1, {a: \"${{ 1 }}\"}]}", true), ("p.count", "{}", true),
    ("p.echo", "{value: [1, {a: \"${{ inputs.n }}\"}]}", false),
    ("p.echo", "{value: \"a${{ 1 }}\"}", false),
  ]) func `what reads no variable is a constant`(
    _ operation: String, _ input: String, _ isConstant: Bool
  ) throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + "inputs: {n: {type: int}}\nsteps:\n- uses: \(operation)\n  with: \(input)"
    )
    guard case .call(let call) = plan.steps[0].action else {
      return #expect(Bool(false), "the step is no call")
    }

    #expect((call.input.constant != nil) == isConstant)
  }

  @Test(arguments: [
    ("count: ${{ 3 }}", "uint 3"), ("weight: ${{ 3 }}", "double 3.0"),
    ("weight: ${{ decimal('0.5') }}", "double 0.5"), ("weight: ${{ null }}", "null null"),
    ("color: ${{ 'green' }}", #"string "green""#),
    ("size: \"${{ {'width': 2} }}\"", #"record {width: 2, unit: "m"}"#),
    ("sizes: \"${{ [{'width': 1}] }}\"", #"list [{width: 1, unit: "m"}]"#),
  ]) func `an expression is widened to the field's type`(_ field: String, _ value: String) throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + "steps:\n- uses: s.take\n  with:\n    " + field)
    guard case .call(let call) = plan.steps[0].action,
      case .record(let record) = try call.input.evaluate(Activation())
    else { return #expect(Bool(false), "the step is no call") }

    let name = String(field.prefix { $0 != ":" })
    #expect(record[name].map { "\($0.kindName) \($0)" } == value)
  }

  @Test(arguments: [
    (
      "weight: ${{ 'a' }}",
      "13-23: 'weight': expected optional(double), the expression returns string"
    ),
    ("color: ${{ 1 }}", "12-20: 'color': expected 'red' or 'green', the expression returns int"),
    ("count: ${{ 1.5 }}", "12-22: 'count': expected uint, the expression returns double"),
    ("sizes: ${{ 1 }}", "12-20: 'sizes': expected list(record), the expression returns int"),
  ]) func `an expression of another type is refused`(_ field: String, _ problem: String) throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + "steps:\n- uses: s.take\n  with:\n    " + field)

    #expect(problems == ["6:" + problem + " [F1305]"])
  }

  @Test func `a number that does not fit fails the step at its expression`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: e, uses: p.echo, with: {value: many}}
        - {uses: p.count, with: {by: "${{ steps.e.value }}"}}
      """)

    #expect(
      run.failures == """
        test.yaml:5:37: error: 'p.count#1': expected int, got "many" [F2005]
            5 |   - {uses: p.count, with: {by: "${{ steps.e.value }}"}}
              |                                     ^^^^^^^^^^^^^
          note: steps.e.value ("many"), from line 4

        """)
  }

  @Test func `a text is no record`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {uses: p.count, with: hello}
          - {uses: p.count, with: "a ${{ 1 }}"}
          - {uses: p.count, with: [1]}
        """)

    #expect(
      problems == [
        #"4:27-32: 'with' of 'p.count' must be a mapping, not the string "hello" [F1104]"#,
        "5:27-39: 'with' of 'p.count': expected record, got text with an expression inside [F1206]",
        "6:27-30: 'with' of 'p.count' must be a mapping, not a list [F1104]",
      ])
  }
}
