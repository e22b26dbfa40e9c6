import TestKit
import Testing

/// Messages about unknown names, which list the known ones.
@Suite struct KnownNameTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let expected: String
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `what is unknown is followed by what there is`(
    _ sample: Case
  ) throws {
    let head =
      "flow: 1\ninputs: {user: {type: int, default: 1}}\n"
      + "components: {p: {plugin: probe}}\nsteps:\n- {id: first, uses: p.count}\n"
      + "- {id: second, uses: p.count}\n- assert: ${{ inputs.user > 0 }}\n"

    #expect(try ScenarioText.problems(head + sample.text) == [sample.expected])
  }

  static let cases: [Case] = [
    Case(
      id: "a step", text: "- assert: ${{ steps.other.value > 0 }}",
      expected: "8:21-26: 'steps.other' is not declared [F1302] (steps: first, second)"),
    Case(
      id: "an input", text: "- assert: ${{ inputs.other > 0 }}",
      expected: "8:22-27: 'inputs.other' is not declared [F1302] (inputs: user)"),
    Case(
      id: "a variable", text: "- assert: ${{ other > 0 }}",
      expected: "8:15-20: 'other' is not declared [F1302] (names: inputs, steps)"),
    Case(
      id: "a component", text: "- uses: other.count",
      expected: "8:9-14: unknown component 'other' [F1202] (components: p)"),
    Case(
      id: "an operation", text: "- uses: p.other",
      expected: "8:11-16: 'p' has no operation 'other' [F1203] "
        + "(operations: count, echo, types, fail, crash, random, flaky, sleep)"),
    Case(
      id: "a branch",
      text: "- parallel: {a: [{uses: p.count}], b: {needs: [other], do: [{uses: p.count}]}}",
      expected: "8:48-53: no other branch is named 'other' [F1112] (branches: a)"),
    Case(
      id: "a key", text: "- uses: p.flaky\n  with: {failures: 1}\n  retry: {attempts: 2, other: 1}",
      expected: "10:24-29: unknown key 'other' in 'retry' [F1102] "
        + "(keys: attempts, backoff, factor, max, jitter, on)"),
  ]

  @Test func `without a step that has an id a reference says so`() throws {
    #expect(
      try ScenarioText.problems("flow: 1\nsteps: [{assert: \"${{ steps.a.b }}\"}]") == [
        "2:23-28: 'steps' is not declared [F1302] (no step before this one has an 'id' and an answer)"
      ])
  }

  @Test func `the elements of a list that is written down have its type`() throws {
    #expect(
      try ScenarioText.problems(
        ScenarioText.head + "steps:\n- for: by\n  in: [a, b]\n"
          + "  do: [{uses: p.count, with: {by: \"${{ by }}\"}}]") == [
          "6:35-46: 'by': expected int, the expression returns string [F1305]"
        ])
  }
}
