import FlowCore
import FlowEngine
import TestKit
import Testing

/// `retry` on blocks, and expressions in limits and times.
@Suite struct BlockRetryTests {
  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\n"

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let step: String
    let addresses: [String]
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `a block is tried again, each attempt like an iteration`(
    _ sample: Case
  ) async throws {
    let run = try await ProbeRun(
      Self.head + "steps:\n- " + sample.step,
      files: [
        "part.yaml":
          "flow: 1\ncomponents: {q: {plugin: probe}}\nsteps: [{uses: q.count, expect: {value: 2}}]"
      ],
      virtualTime: VirtualTime())

    #expect(run.invoked == sample.addresses)
  }

  static let cases = [
    Case(
      id: "do",
      step:
        "{id: b, retry: {attempts: 3}, do: [{uses: p.count}, {uses: p.flaky, with: {failures: 1}}]}",
      addresses: ["b/p.count#1", "b/p.flaky#1", "b/p.count#2", "b/p.flaky#2"]),
    Case(
      id: "for",
      step:
        "{id: b, retry: {attempts: 2}, for: i, in: [1, 2], do: [{uses: p.flaky, with: {failures: 1}}]}",
      addresses: ["b/p.flaky#1.1", "b/p.flaky#2.1", "b/p.flaky#2.2"]),
    Case(
      id: "parallel",
      step: "{id: b, retry: {attempts: 2}, parallel: {a: [{uses: p.flaky, with: {failures: 1}}]}}",
      addresses: ["b/a/p.flaky#1", "b/a/p.flaky#2"]),
    Case(
      id: "scenario", step: "{id: b, retry: {attempts: 2}, scenario: part.yaml}",
      addresses: [
        "b/components/q#1", "b/q.count#1", "b/components/q#2", "b/q.count#2",
      ]),
    Case(
      id: "a failure that stays",
      step: "{id: b, retry: {attempts: 2}, do: [{uses: p.crash}], finally: [{uses: p.count}]}",
      addresses: ["b/p.crash#1", "b/p.crash#2", "b/finally/p.count#1"]),
  ]

  @Test func `an attempt starts with the variables of the first one`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - set: {total: 0}
          - retry: {attempts: 3}
            do:
              - set: {total: "${{ total + 1 }}"}
              - {uses: p.flaky, with: {failures: 2}}
          - assert: ${{ total == 1 }}
        """)

    #expect(run.failures == "")
    #expect(run.result.counts == .init(passed: 5))
  }

  @Test func `the last attempt decides, and the others are noted`() async throws {
    let run = try await ProbeRun(
      Self.head + "steps: [{id: b, retry: {attempts: 2}, do: [{id: x, uses: p.crash}]}]")

    #expect(run.result.failures.map { "\($0.address)" } == ["b/x#2"])
    #expect(run.result.counts == .init(failed: 1))
  }

  @Test func `a timeout covers each attempt, and the wait between them passes`() async throws {
    let run = try await ProbeRun(
      Self.head
        + "steps: [{id: b, timeout: 1s, retry: {attempts: 2, backoff: 5s}, do: [{wait: 3s}]}]",
      virtualTime: VirtualTime())

    #expect(run.result.elapsed == .seconds(7))
    #expect(
      run.result.diagnostics.map(\.message) == ["'b#1' did not end within 1s"])
  }

  @Test(arguments: [
    ("{uses: p.flaky, with: {failures: 2}, retry: {attempts: '${{ inputs.n }}'}}", ""),
    (
      "{uses: p.sleep, with: {span: 2s}, timeout: '${{ inputs.t }}'}",
      "'p.sleep#1' did not end within 1s"
    ),
    ("{do: [{wait: 2s}], timeout: '${{ inputs.t }}'}", "'do#1' did not end within 1s"),
    (
      "{repeat: {until: '${{ false }}', limit: '${{ inputs.n }}'}, do: [{wait: 0s}]}",
      "'repeat#1' reached its limit of 3 iterations"
    ),
    (
      "{uses: p.count, retry: {attempts: '${{ inputs.n - 3 }}'}}",
      "'p.count#1': 'attempts' must be a whole number from 1 to 1000000, not 0"
    ),
    (
      "{uses: p.count, retry: {attempts: 2, backoff: '${{ inputs.t - inputs.t - inputs.t }}'}}",
      "'p.count#1': 'backoff' must be a duration of zero or more, not -1s"
    ),
    (
      "{repeat: {until: '${{ true }}', limit: '${{ inputs.n - 3 }}'}, do: [{wait: 0s}]}",
      "'repeat#1': 'limit' must be a whole number from 1 to 1000000000, not 0"
    ),
  ])
  func `limits and times may be computed`(_ step: String, _ expected: String) async throws {
    let run = try await ProbeRun(
      Self.head
        + "inputs: {n: {type: int, default: 3}, t: {type: duration, default: 1s}}\nsteps:\n- "
        + step,
      virtualTime: VirtualTime())

    #expect(run.result.diagnostics.map(\.message).joined() == expected)
    #expect(run.result.diagnostics.allSatisfy { $0.span?.start.line == 5 })
  }
}

extension ProbeRun {
  /// The addresses of the calls, without the opening of `p`.
  fileprivate var invoked: [String] {
    events.compactMap { event in
      guard case .invoked(let invocation) = event, invocation.address.path != "components/p" else {
        return nil
      }
      return "\(invocation.address)"
    }
  }
}
