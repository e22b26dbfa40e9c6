import FlowCore
import FlowEngine
import FlowExpression
import FlowPlan
import Synchronization
import TestKit
import Testing

@testable import FlowEditor

/// The values at each moment of a run, folded from the writes.
@Suite struct TimelineTests {
  /// Keeps the real values beside the timeline.
  private final class Witness: StepGate {
    private let state = Mutex((timeline: Timeline(), values: [Activation]()))

    var timeline: Timeline { state.withLock { $0.timeline } }
    var values: [Activation] { state.withLock { $0.values } }

    func note(_ moment: StepMoment) -> (number: Int, stops: Bool) {
      state.withLock { state in
        state.values.append(moment.scope.activation)
        return (state.timeline.add(moment), false)
      }
    }

    func wait(at number: Int) async -> Bool { false }
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var files: [String: String] = [:]
    var atLeast = 4
  }

  private static let samples = [
    Sample(
      testDescription: "loops in loops, with variables set around them",
      steps: """
          - set: {total: 0, last: null}
          - id: rows
            for: row
            in: [[1, 2], [3], []]
            do:
              - set: {size: "${{ row.size() }}"}
              - for: cell
                in: ${{ row }}
                do:
                  - set: {total: "${{ total + cell }}", size: 0}
            outputs: {size: "${{ size }}"}
          - repeat: {while: "${{ total < 9 }}", limit: 5}
            do:
              - set: {total: "${{ total + 1 }}", mine: "${{ loop.index }}"}
          - {id: end, uses: probe.echo, with: {value: "${{ total }}"}}
        """, atLeast: 30),
    Sample(
      testDescription: "branches, and iterations at the same time",
      steps: """
          - parallel:
              a:
                - {id: left, uses: probe.sleep, with: {span: 2s}}
                - set: {a: 1}
              b:
                - set: {b: 2}
                - {id: right, uses: probe.echo, with: {value: "${{ b }}"}}
          - set: {sum: 3}
          - id: rows
            for: row
            in: [3, 2, 1]
            parallel: 3
            do:
              - set: {own: "${{ row + sum }}"}
              - {id: waiting, uses: probe.sleep, with: {span: "${{ duration(string(row) + 's') }}"}}
            outputs: {own: "${{ own }}"}
          - {assert: "${{ steps.rows.own[0] == 6 }}"}
        """, atLeast: 30),
    Sample(
      testDescription: "attempts of a block, failures that go on, and 'finally'",
      steps: """
          - set: {tries: 0}
          - retry: {attempts: 3}
            do:
              - set: {tries: "${{ tries + 1 }}"}
              - {id: flaky, uses: probe.flaky, with: {failures: 2, code: refused}}
          - id: bad
            uses: probe.fail
            with: {code: refused}
            continue-on-error: true
          - do: [{set: {code: "${{ steps.bad.error.code }}"}}]
            finally:
              - set: {done: true}
        """, atLeast: 20),
    Sample(
      testDescription: "another scenario, with loops of its own",
      steps: """
          - set: {total: 5}
          - {id: part, scenario: part.yaml, with: {start: "${{ total }}"}}
          - set: {total: "${{ steps.part.sum }}"}
        """,
      files: [
        "part.yaml": """
        flow: 1
        inputs: {start: {type: int}}
        steps:
          - set: {sum: "${{ inputs.start }}"}
          - for: row
            in: [1, 2]
            do: [{set: {sum: "${{ sum + row }}"}}]
        outputs: {sum: "${{ sum }}"}
        """
      ], atLeast: 15),
    Sample(
      testDescription: "more moments than between two copies of all values",
      steps: """
          - set: {total: 0}
          - repeat: {while: "${{ total < 1500 }}", limit: 2000}
            do: [{set: {total: "${{ total + 1 }}"}}]
          - set: {after: "${{ total }}"}
        """, atLeast: 4_500),
  ]

  @Test(arguments: samples)
  func `the values at a moment are those that the run had there`(_ sample: Sample) async throws {
    let text = "flow: 1\ncomponents: {probe: {plugin: probe}}\nsteps:\n" + sample.steps
    let witness = Witness()
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.gate = witness
    let report = await Session(of: try ProbeRun.plan(text, files: sample.files), options: options)
      .run(inputs: [])

    #expect(report.diagnostics == [])
    let (timeline, values) = (witness.timeline, witness.values)
    #expect(values.count >= sample.atLeast)
    for (number, activation) in values.enumerated() {
      let folded = timeline.values(at: number)
      #expect(folded.levels == activation.levels, "moment \(number)")
      if folded.levels != activation.levels { break }
    }
  }

  @Test func `a step knows the steps around it, and its end`() async throws {
    let witness = Witness()
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.gate = witness
    let plan = try ProbeRun.plan(
      """
      flow: 1
      steps:
        - for: row
          in: [1, 2]
          do: [{do: [{set: {a: 1}}]}]
      """)
    _ = await Session(of: plan, options: options).run(inputs: [])
    let timeline = witness.timeline

    let around = timeline.moments.indices.map { number in
      "\(timeline.moments[number].address): "
        + timeline.containers(of: number).map(String.init).joined(separator: " ")
        + (timeline.moments[number].end.map { " ends \($0)" } ?? "")
    }

    #expect(
      around == [
        "#1: ", "for#1:  ends 12", "for#1: 1", "for/do#1: 1 ends 6", "for/do/set#1: 3 1 ends 5",
        "for/do/set#1: 3 1", "for/do#1: 1", "for#2: 1", "for/do#2: 1 ends 11",
        "for/do/set#2: 8 1 ends 10", "for/do/set#2: 8 1", "for/do#2: 1", "for#1: ",
      ])
  }
}
