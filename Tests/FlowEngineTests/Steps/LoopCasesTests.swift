import FlowCore
import FlowPlan
import TestKit
import Testing

@testable import FlowEngine

/// The iterations of a loop as cases, and loops that go on after a failure.
@Suite struct LoopCasesTests {
  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n- "
  private static let failing =
    "do: [{uses: p.echo, with: {value: '${{ i }}'}, expect: {value: '${{ it != 2 }}'}}]"

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let step: String
    let expected: [String]
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `each iteration is a case with a name and an end`(
    _ sample: Case
  ) async throws {
    let run = try await ProbeRun(
      Self.head + sample.step,
      files: [
        "part.yaml": "flow: 1\nsteps: [{for: j, in: [x], cases: '${{ j }}', do: [{wait: 0s}]}]"
      ])

    #expect(run.result.cases.map { "\($0.name): \($0.state)" } == sample.expected)
  }

  static let cases = [
    Case(
      id: "the first failure ends a loop",
      step: "{for: i, in: [1, 2, 3], cases: 'row ${{ i }}', \(failing)}",
      expected: ["row 1: passed", "row 2: failed", "row 3: notRun"]),
    Case(
      id: "a loop that goes on",
      step: "{for: i, in: [1, 2, 3], fail-fast: false, cases: 'row ${{ i }}', \(failing)}",
      expected: ["row 1: passed", "row 2: failed", "row 3: passed"]),
    Case(
      id: "at the same time",
      step:
        "{for: i, in: [1, 2, 3], parallel: 3, fail-fast: false, cases: 'row ${{ i }}', \(failing)}",
      expected: ["row 1: passed", "row 2: failed", "row 3: passed"]),
    Case(
      id: "equal names, and none",
      step: "{for: i, in: [a, a, '', 'a (2)', a], cases: '${{ i }}', do: [{wait: 0s}]}",
      expected: [
        "a: passed", "a (2): passed", "iteration 3: passed", "a (2) (2): passed", "a (3): passed",
      ]),
    Case(
      id: "repeat",
      step:
        "{repeat: {until: '${{ loop.index == 1 }}', limit: 3}, cases: 'n${{ loop.index }}', do: [{wait: 0s}]}",
      expected: ["n0: passed", "n1: passed"]),
    Case(
      id: "a loop inside of a case",
      step: "{for: i, in: [a], cases: '${{ i }}', do: [{scenario: part.yaml}]}",
      expected: ["a / x: passed", "a: passed"]),
    Case(
      id: "another attempt replaces the cases",
      step:
        "{for: i, in: [a], cases: '${{ i }}', retry: {attempts: 2}, do: [{uses: p.flaky, with: {failures: 1}}]}",
      expected: ["a: passed"]),
    Case(
      id: "no iteration", step: "{for: i, in: [], cases: '${{ i }}', do: [{wait: 0s}]}",
      expected: []),
  ]

  @Test func `a sequential loop that goes on fails with all failed iterations`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        {id: rows, for: i, in: [1, 2, 2], fail-fast: false, cases: "row ${{ i }}", \(Self.failing)}
        - {uses: p.count}
        """)

    #expect(run.result.failures.map { "\($0.address)" } == ["rows/p.echo#2", "rows/p.echo#3"])
    #expect(run.result.counts == .init(passed: 1, failed: 2, notRun: 1))
    #expect(
      run.result.diagnostics.map { $0.notes.last ?? "" }
        == [#"the case is "row 2""#, #"the case is "row 2 (2)""#])
  }

  @Test func `a name has the first number that no other case has`() {
    var names = CaseNames()
    let taken = (2...30_001).map { "x (\($0))" }

    #expect(taken.map { names.unique($0) } == taken)
    #expect(["x", "x", "x"].map { names.unique($0) } == ["x", "x (30002)", "x (30003)"])
  }

  @Test func `an output without a value fails a loop that goes on`() async throws {
    let run = try await ProbeRun(
      Self.head
        + "{for: i, in: [0, 1], fail-fast: false, do: [{wait: 0s}], outputs: {x: '${{ 1 / i }}'}}")

    #expect(run.result.diagnostics.map(\.message) == ["'for#1': division by zero"])
  }
}
