import FlowCore
import FlowEngine
import TestKit
import Testing

/// The error of a step as later steps read it.
@Suite struct StepErrorTests {
  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\n"

  /// Returns the outputs `code` and `message` of the error of the step `x`, or the failures.
  private func error(_ steps: String, of step: String = "x") async throws -> [String] {
    let run = try await ProbeRun(
      Self.head + "steps:\n" + steps
        + """

        outputs:
          code: ${{ steps.\(step).error.code }}
          message: ${{ steps.\(step).error.message }}
        """)
    return run.result.passed ? run.result.outputs.map { $0.value.text } : [run.failures]
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let steps: String
    let expected: [String]
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `the error of a failed step has a code and a message`(
    _ sample: Case
  ) async throws {
    #expect(try await error(sample.steps) == sample.expected)
  }

  static let cases = [
    Case(
      id: "a component's error",
      steps: "- {id: x, uses: p.fail, with: {code: refused}, continue-on-error: true}",
      expected: ["refused", "asked to fail with refused"]),
    Case(
      id: "an expected error",
      steps: "- {id: x, uses: p.fail, with: {code: refused}, expect: {error: refused}}",
      expected: ["refused", "asked to fail with refused"]),
    Case(
      id: "another error than the expected one",
      steps:
        "- {id: x, uses: p.fail, with: {code: refused}, expect: {error: too-many}, continue-on-error: true}",
      expected: ["refused", "asked to fail with refused"]),
    Case(
      id: "an unexpected answer",
      steps: "- {id: x, uses: p.count, expect: {value: 2}, continue-on-error: true}",
      expected: ["F2001", "'x#1' did not answer as expected: value: expected 2, got 1"]),
    Case(
      id: "a false assertion", steps: "- {id: x, assert: '${{ 1 > 2 }}', continue-on-error: true}",
      expected: ["F2004", "'x#1': assertion failed"]),
    Case(
      id: "a step inside of a block",
      steps:
        "- {id: x, do: [{wait: 0s}, {uses: p.fail, with: {code: refused}}], continue-on-error: true}",
      expected: ["refused", "asked to fail with refused"]),
    Case(
      id: "a step inside of a block that may fail",
      steps: "- {do: [{id: x, uses: p.fail, with: {code: refused}}], continue-on-error: true}",
      expected: ["refused", "asked to fail with refused"]),
    Case(
      id: "an iteration at the same time as others",
      steps:
        "- {id: x, for: i, in: [1], parallel: 2, do: [{uses: p.fail, with: {code: refused}}], continue-on-error: true}",
      expected: ["refused", "asked to fail with refused"]),
  ]

  @Test func `without a failure the error is null`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - {id: a, uses: p.count, continue-on-error: true}
          - {id: b, if: "${{ false }}", uses: p.count, continue-on-error: true}
          - assert:
              - ${{ steps.a.error == null && !has(steps.a.error) }}
              - ${{ steps.b.error == null && !steps.?b.hasValue() }}
        """)

    #expect(run.failures == "")
  }

  @Test func `the error of a step without one has no code`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - {id: a, uses: p.count, continue-on-error: true}
          - {assert: "${{ steps.a.error.code == 'refused' }}"}
        """)

    #expect(
      run.failures == """
        test.yaml:5:19: error: 'assert#1': steps.a.error.code: no such field; it is null [F2005]
            5 |   - {assert: "${{ steps.a.error.code == 'refused' }}"}
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
  }

  @Test func `finally reads why the run failed`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - {id: a, uses: p.fail, with: {code: refused}}
          - {id: b, uses: p.count}
        finally:
          - {if: "${{ has(steps.a.error) }}", uses: p.echo, with: {value: "${{ steps.a.error.code }}"}}
          - {assert: "${{ steps.b.error == null }}"}
        """)

    #expect(run.events.map(\.line).contains(#"finally/p.echo#1 p.echo {value: "refused"}"#))
    #expect(run.result.failures.map { "\($0.address)" } == ["a#1"])
  }

  @Test func `a field named error takes precedence`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - {id: x, for: i, in: [1], do: [{wait: 0s}], outputs: {error: "${{ i }}"}, continue-on-error: true}
          - {assert: "${{ has(steps.x) && steps.x.error == [1] }}"}
        """)

    #expect(run.failures == "")
  }

  @Test(arguments: [
    (
      "- {id: a, uses: p.count}\n- {assert: '${{ steps.a.error.code == ok }}'}",
      "5:25: error: 'steps.a.error' has no value here: the steps after 'a' run only if it passes [F1312]"
    ),
    (
      "- {id: a, uses: p.count, continue-on-error: true}\n- {assert: \"${{ steps.a.error.cod == '' }}\"}",
      "5:31: error: the record has no field 'cod'; did you mean 'code'? [F1304]"
    ),
    (
      "- {uses: p.fail, with: {code: refused}, expect: {error: refused, message: '${{ it > 1 }}'}}",
      "4:80: error: '>' is not defined for (string, int) [F1303]"
    ),
  ])
  func `a wrong use of an error is found before the run`(_ steps: String, _ problem: String) throws
  {
    let problems = try ProbeRun.problems(Self.head + "steps:\n" + steps)

    #expect(problems.split(separator: "\n").first.map(String.init) == "test.yaml:" + problem)
  }

  @Test(arguments: [
    ("asked to fail with refused", nil),
    ("${{ it.contains('refused') }}", nil),
    ("${{ it.contains('12') }}", "message: expected ${{ it.contains('12') }}"),
    ("no", #"message: expected "no""#),
  ])
  func `an expected error may have an expected message`(
    _ message: String, _ expected: String?
  ) async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - uses: p.fail
            with: {code: refused}
            expect:
              error: refused
              message: "\(message)"
        """)

    #expect(
      run.result.diagnostics.map(\.notes)
        == (expected.map { [[$0 + #", got "asked to fail with refused""#]] } ?? []))
  }
}

extension Value {
  fileprivate var text: String { if case .string(let text) = self { text } else { "\(self)" } }
}
