import FlowCore
import FlowEngine
import TestKit
import Testing

/// Habits from workflows, refused with a note on the right form.
@Suite struct WorkflowHabitsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let yaml: String
    let problem: String
    var testDescription: String { yaml }
  }

  private static let head =
    ScenarioText.head + "inputs: {on: {type: bool, default: true}}\nsteps:\n"
  private static let finally = "write steps that always run under 'finally'"

  static let conditions = [
    Case(
      yaml: "always() && inputs.on",
      problem: "5:9-30: 'if' must be an expression, '${{ ... }}' [F1306] (\(finally))"),
    Case(
      yaml: "${{ inputs.on || always() }}",
      problem: "5:26-32: there is no function 'always' [F1303] (\(finally))"),
    Case(
      yaml: "${{ success() }}",
      problem:
        "5:13-20: there is no function 'success' [F1303] (a step runs only if the earlier steps passed, so leave the condition out)"
    ),
    Case(
      yaml: "inputs.on",
      problem:
        "5:9-18: 'if' must be an expression, '${{ ... }}'; did you mean '${{ inputs.on }}'? [F1306]"
    ),
    Case(
      yaml: "inputs.on == false",
      problem: "5:9-27: 'if' must be an expression, '${{ ... }}'; did you mean "
        + "'${{ inputs.on == false }}'? [F1306]"),
    Case(
      yaml: "inputs.no", problem: "5:9-18: 'if' must be an expression, '${{ ... }}' [F1306]"),
    Case(
      yaml: "${{ inputs.on }} || ${{ !inputs.on }}",
      problem: "5:9-46: 'if' must be an expression, '${{ ... }}'; did you mean "
        + "'${{ inputs.on || !inputs.on }}'? [F1306] (write the braces around the whole expression)"
    ),
    Case(
      yaml: "!inputs.on",
      problem: "5:9-19: unknown tag '!inputs.on'; only core tags such as '!!str' are known [F1002] "
        + "(in YAML, '!' starts a tag; write the condition as ${{ !inputs.on }})"),
    Case(
      yaml: "! ${{ inputs.on }}",
      problem: "5:5-7: the YAML tag '!!str' is not allowed here [F1105] "
        + "(write a '!' that means 'not' inside the braces)"),
    Case(
      yaml: "${{ inputs.on && 'a' || 'b' }}",
      problem: "5:26-29: '&&' expects a bool, got string [F1303] "
        + "(to choose one of two values, write CONDITION ? A : B)"),
    Case(
      yaml: "${{ 'don''t' == 'x' }}",
      problem: "5:18-21: unexpected ''t'', expected an operator [F1301] "
        + "(in an expression, write a quote inside a string as \\', not twice)"),
  ]

  @Test(arguments: conditions) func `a condition of a workflow says what is meant`(
    _ sample: Case
  ) throws {
    let problems = try ScenarioText.problems(
      Self.head + "  - if: \(sample.yaml)\n    uses: p.count\n")

    #expect(problems.first == sample.problem)
  }

  private static let program =
    "run a program with a component of the plugin 'process': 'uses: COMPONENT.run' and 'with: {argv: [...]}'"

  @Test(arguments: [
    Case(yaml: "run: make", problem: "5:5-8: unknown key 'run' in a step [F1102] (\(program))"),
    Case(
      yaml: "needs: [a]",
      problem: "5:5-10: unknown key 'needs' in a step [F1102] "
        + "(steps run one after another; only branches of 'parallel' have 'needs')"),
    Case(
      yaml: "timeout-minutes: 3",
      problem: "5:5-20: unknown key 'timeout-minutes' in a step; did you mean 'timeout'? [F1102]"),
    Case(yaml: "colour: red", problem: "5:5-11: unknown key 'colour' in a step [F1102]"),
  ]) func `a key of a workflow's step says what is meant`(_ sample: Case) throws {
    let problems = try ScenarioText.problems(
      Self.head + "  - \(sample.yaml)\n    uses: p.count\n")

    #expect(problems == [sample.problem])
  }

  private static let literal = "for a literal '${{', write ${{ '${{' }}"
  private static let given =
    "this name is of GitHub Actions; declare an input for the value"

  @Test(arguments: [
    Case(
      yaml: "at ${{ github.sha }}",
      problem: "7:21-27: 'github' is not declared [F1302] (\(given)) (\(literal))"),
    Case(
      yaml: "${{ runner.os }}",
      problem: "7:18-24: 'runner' is not declared [F1302] (\(given))"),
    Case(
      yaml: "|\n        a\n        ${{ secrets.X }}",
      problem:
        "9:13-20: 'secrets' is not declared [F1302] (a secret is an input with 'secret: true') (\(literal))"
    ),
  ]) func `a context of workflows says what is meant, and how it is sent as a text`(
    _ sample: Case
  ) throws {
    let problems = try ScenarioText.problems(
      Self.head + "  - uses: p.echo\n    with:\n      value: \(sample.yaml)\n")

    #expect(problems == [sample.problem])
  }

  @Test(arguments: [
    ("${{ '${{' }} github.ref }}", "${{ github.ref }}"),
    ("a ${{ '${{ x }}' }} b", "a ${{ x }} b"), ("|\n    ${{ '${{' }}", "${{"),
  ]) func `an opening is written as a text of an expression`(
    _ yaml: String, _ text: String
  ) async throws {
    let run = try await ProbeRun("flow: 1\nsteps: []\noutputs:\n  x: \(yaml)")

    #expect(run.failures == "")
    #expect(run.result.outputs.map(\.value) == [.string(text)])
  }

  @Test(arguments: ["steps: [{id: now, uses: p.count}]\n", ""])
  func `settings read no step, wherever those stand`(_ before: String) throws {
    let text =
      "flow: 1\n" + before
      + "components: {p: {plugin: probe}, s: {plugin: shapes, with: \"${{ steps.now }}\"}}\n"
      + (before.isEmpty ? "steps: [{id: now, uses: p.count}]\n" : "")

    #expect(
      try ScenarioText.problems(text).contains {
        $0.contains(
          "the settings of a component cannot read the step 'now', which runs later [F1313]")
      })
  }
}
