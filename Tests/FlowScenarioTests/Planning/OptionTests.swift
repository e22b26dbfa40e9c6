import FlowPlan
import TestKit
import Testing

/// The keys beside the action of a step, and every mistake in them.
@Suite struct OptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let step: String
    let problem: String
    var testDescription: String { step }
  }

  @Test(arguments: cases) func `a malformed option is refused`(_ sample: Case) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.step)

    #expect(problems == [sample.problem])
  }

  @Test func `options are read as they are written`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        steps:
          - uses: p.count
            timeout: 10s
            retry: {attempts: 3, backoff: 200ms, factor: 1.5, max: 1s, jitter: 0.1, on: [too-many]}
            continue-on-error: true
        """)
    let options = try #require(plan.steps[0].options)
    let retry = try #require(options.retry)

    #expect(options.timeout?.constant == .seconds(10))
    #expect(options.continuesOnError)
    #expect(retry.attempts.constant == 3)
    #expect(retry.policy.backoff == .milliseconds(200))
    #expect(retry.policy.factor == 1.5)
    #expect(retry.policy.maximum == .seconds(1))
    #expect(retry.policy.jitter == 0.1)
    #expect(retry.policy.codes == ["too-many"])
  }

  @Test func `a plain step has no options`() throws {
    let plan = try ScenarioText.plan(ScenarioText.head + "steps: [{uses: p.count}]")

    #expect(plan.steps[0].options == nil)
  }

  @Test func `the answer of a step that may fail may have no value`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {id: a, uses: p.count, continue-on-error: true}
          - assert:
              - ${{ steps.a.value == 1 }}
              - ${{ !has(steps.a) || steps.a.value == 1 }}
        """)

    #expect(
      problems == [
        "6:13-20: 'steps.a' may have no value here [F1311]"
          + " (its step may fail, with 'continue-on-error'; check it with has(steps.a) first)"
      ])
  }

  private static let note = " (a duration needs a unit: 200ms, 5s, 1m30s, 2h)"

  static let cases: [Case] = [
    Case(
      step: "{wait: soon}",
      problem: "4:11-15: 'wait': expected duration, got the string \"soon\" [F1206]\(note)"),
    Case(
      step: "{wait: 5}",
      problem: "4:11-12: 'wait': expected duration, got the number 5; did you mean '5s'? [F1206]"),
    Case(
      step: "{wait: }",
      problem: "4:11-11: 'wait': expected duration, got nothing [F1206]"),
    Case(
      step: "{wait: -5s}",
      problem: "4:11-14: 'wait' must be zero or more, not -5s [F1104]"),
    Case(
      step: "{wait: [5s]}",
      problem: "4:11-15: 'wait': expected duration, got a list [F1206]"),
    Case(
      step: "{wait: \"${{ 5 }}\"}",
      problem: "4:11-21: 'wait': expected duration, the expression returns int [F1305]"),
    Case(
      step: "{wait: 5s, uses: p.count}",
      problem: "4:4-5: a step has one action, but this one has 'uses' and 'wait' [F1109]"),
    Case(
      step: "{wait: 5s, with: {}}",
      problem: "4:15-19: 'with' cannot be combined with 'wait' [F1110]"),
    Case(
      step: "{id: wait, uses: p.count}",
      problem: "4:9-13: 'wait' cannot be the name of a step: it is reserved [F1106]"),
    Case(
      step: "{uses: p.count, timeout: soon}",
      problem: "4:29-33: 'timeout': expected duration, got the string \"soon\" [F1206]\(note)"),
    Case(
      step: "{uses: p.count, timeout: 10}",
      problem:
        "4:29-31: 'timeout': expected duration, got the number 10; did you mean '10s'? [F1206]"),
    Case(
      step: "{uses: p.count, timeout: -10s}",
      problem: "4:29-33: 'timeout' must be zero or more, not -10s [F1104]"),
    Case(
      step: "{uses: p.count, timeout: \"${{ duration('-1s') }}\"}",
      problem: "4:29-53: 'timeout' must be a duration of zero or more, not -1s [F1111]"),
    Case(
      step: "{uses: p.count, timeout: \"${{ 5 }}\"}",
      problem: "4:29-39: 'timeout': expected duration, the expression returns int [F1305]"),
    Case(
      step: "{uses: p.count, timeout: \"${{ 5 }}s\"}",
      problem: "4:29-40: 'timeout' must be an expression, '${{ ... }}' [F1306]"
        + " (write the braces around the whole expression)"),
    Case(
      step: "{uses: p.count, retry: {attempts: \"${{ 0 }}\"}}",
      problem: "4:38-48: 'attempts' must be a whole number from 1 to 1000000, not 0 [F1111]"),
    Case(
      step: "{uses: p.count, retry: {attempts: \"${{ inputs.n }}\"}}",
      problem: "4:43-49: 'inputs' is not declared [F1302] (the scenario has no 'inputs')"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, backoff: \"${{ 'a' }}\"}}",
      problem: "4:50-62: 'backoff': expected duration, the expression returns string [F1305]"),
    Case(
      step: "{repeat: {until: \"${{ true }}\", limit: \"${{ 0 }}\"}, do: [{wait: 0s}]}",
      problem: "4:43-53: 'limit' must be a whole number from 1 to 1000000000, not 0 [F1111]"),
    Case(
      step: "{for: x, in: [1], cases: row, do: [{wait: 0s}]}",
      problem: "4:29-32: 'cases' must be an expression, '${{ ... }}' [F1306]"),
    Case(
      step: "{for: x, in: [1], cases: \"${{ x }}\", do: [{wait: 0s}]}",
      problem: "4:29-39: 'cases': expected string, the expression returns int [F1305]"
        + " (string(...) converts it to a string)"),
    Case(
      step: "{do: [{wait: 0s}], cases: \"${{ 'a' }}\"}",
      problem: "4:23-28: 'cases' cannot be combined with 'do' [F1110]"),
    Case(
      step: "{do: [{wait: 0s}], retry: {attempts: 2, on: [too-many]}}",
      problem: "4:44-46: 'on' needs 'uses': a block is tried again after any failure [F1110]"),
    Case(
      step: "{uses: p.count, continue-on-error: yes}",
      problem: "4:39-42: 'continue-on-error': expected bool, got the string \"yes\" [F1206]"),
    Case(
      step: "{uses: p.count, retry: 3}",
      problem: "4:27-28: 'retry' must be a mapping, not the number 3 [F1104]"),
    Case(
      step: "{uses: p.count, retry: {}}",
      problem: "4:27-28: 'retry' has no 'attempts' [F1103]"),
    Case(
      step: "{uses: p.count, retry: {backoff: 1s}}",
      problem: "4:27-28: 'retry' has no 'attempts' [F1103]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 0}}",
      problem:
        "4:38-39: 'attempts' must be a whole number from 1 to 1000000, not the number 0 [F1111]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2.5}}",
      problem:
        "4:38-41: 'attempts' must be a whole number from 1 to 1000000, not the number 2.5 [F1111]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, backoff: -1s}}",
      problem: "4:50-53: 'backoff' must be zero or more, not -1s [F1104]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, backoff: 1}}",
      problem: "4:50-51: 'backoff': expected duration, got the number 1; did you mean '1s'? [F1206]"
    ),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, factor: 0.5}}",
      problem: "4:49-52: 'factor' must be a number from 1.0 to 1000.0, not the number 0.5 [F1104]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, max: long}}",
      problem: "4:46-50: 'max': expected duration, got the string \"long\" [F1206]\(note)"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, jitter: 2}}",
      problem: "4:49-50: 'jitter' must be a number from 0.0 to 1.0, not the number 2 [F1104]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, on: too-many}}",
      problem: "4:45-53: 'on' of 'retry' must be a list, not the string \"too-many\" [F1104]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, on: [too-mony]}}",
      problem: "4:46-54: 'p.count' declares no error 'too-mony'; did you mean 'too-many'? [F1207]"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, on: [never]}}",
      problem: "4:46-51: 'p.count' declares no error 'never' [F1207] (errors: too-many)"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, on: [503]}}",
      problem: "4:46-49: 'p.count' declares no error '503' [F1207] "
        + "(a status is not an error; expect the field 'status' of the answer instead)"),
    Case(
      step: "{uses: p.count, retry: {attempts: 2, backof: 1s}}",
      problem: "4:41-47: unknown key 'backof' in 'retry'; did you mean 'backoff'? [F1102]"),
    Case(
      step: "{uses: p.count, retry: {atempts: 2}}",
      problem: "4:28-35: unknown key 'atempts' in 'retry'; did you mean 'attempts'? [F1102]"),
    Case(
      step: "{set: {a: 1}, retry: {attempts: 2}}",
      problem: "4:18-23: 'retry' cannot be combined with 'set' [F1110]"),
    Case(
      step: "{uses: p.count, timout: 10s}",
      problem: "4:20-26: unknown key 'timout' in a step; did you mean 'timeout'? [F1102]"),
  ]
}
