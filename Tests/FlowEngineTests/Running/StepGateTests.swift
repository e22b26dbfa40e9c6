import FlowCore
import FlowEngine
import FlowPlan
import Synchronization
import TestKit
import Testing

/// The moments that a run tells its gate.
@Suite struct StepGateTests {
  /// Keeps the moments, and runs a failed step again as often as it is told.
  private final class Gate: StepGate {
    private let moments = Mutex<[StepMoment]>([])
    private let repeats: Mutex<Int>

    init(repeats: Int = 0) { self.repeats = Mutex(repeats) }

    var lines: [String] {
      moments.withLock { $0 }.enumerated().map { number, moment in
        let kind =
          switch moment.kind {
          case .scenario: "scenario"
          case .level: "level"
          case .before: "before"
          case .after(.passed, let opened): "passed from \(opened)"
          case .after(.failed, let opened): "failed from \(opened)"
          case .after(.notRun, let opened): "not run from \(opened)"
          }
        let base = moment.base.map { " on \($0)" } ?? ""
        let problems = moment.problems.map { " [\($0.code)]" }.joined()
        return "\(number) \(moment.scope.address) \(kind)\(base)\(problems)"
      }
    }

    func note(_ moment: StepMoment) -> (number: Int, stops: Bool) {
      moments.withLock { moments in
        moments.append(moment)
        if case .after(.failed, _) = moment.kind { return (moments.count - 1, true) }
        return (moments.count - 1, false)
      }
    }

    func wait(at number: Int) async -> Bool {
      repeats.withLock { repeats in
        defer { repeats -= 1 }
        return repeats > 0
      }
    }
  }

  private func run(_ text: String, _ gate: Gate) async throws -> RunReport {
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.gate = gate
    return await Session(of: try ProbeRun.plan(text), options: options).run(inputs: [])
  }

  @Test func `each step has a moment before and after it, on the moment with its values`()
    async throws
  {
    let gate = Gate()

    let report = try await run(
      """
      flow: 1
      steps:
        - set: {total: 1}
        - for: row
          in: [5, 7]
          do:
            - set: {total: "${{ total + row }}"}
        - {assert: "${{ total == 13 }}", if: "${{ total > 13 }}"}
        - {assert: "${{ total == 14 }}"}
      """, gate)

    #expect(
      gate.lines == [
        "0 #1 scenario", "1 set#1 before on 0", "2 set#1 passed from 1 on 1",
        "3 for#1 before on 2", "4 for#1 level on 3", "5 for/set#1 before on 4",
        "6 for/set#1 passed from 5 on 5", "7 for#2 level on 6", "8 for/set#2 before on 7",
        "9 for/set#2 passed from 8 on 8", "10 for#1 passed from 3 on 9",
        "11 assert#1 before on 10", "12 assert#1 not run from 11 on 11",
        "13 assert[2]#1 before on 12", "14 assert[2]#1 failed from 13 on 13 [F2004]",
      ])
    #expect(report.counts == RunReport.Counts(passed: 4, failed: 1, notRun: 1))
  }

  @Test func `a failed step can run again, as if it had not run before`() async throws {
    let gate = Gate(repeats: 2)

    let report = try await run(
      """
      flow: 1
      components: {probe: {plugin: probe}}
      steps:
        - {id: flaky, uses: probe.flaky, with: {failures: 2, code: refused}}
      """, gate)

    #expect(
      gate.lines == [
        "0 #1 scenario", "1 flaky#1 before on 0", "2 flaky#1 failed from 1 on 1 [F2002]",
        "3 flaky#1 failed from 1 on 1 [F2002]", "4 flaky#1 passed from 1 on 1",
      ])
    #expect(report.passed)
    #expect(report.counts == RunReport.Counts(passed: 1))
  }

  @Test func `an inner scenario goes on from the step around it`() async throws {
    let gate = Gate()
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.gate = gate
    let plan = try ProbeRun.plan(
      "flow: 1\nsteps: [{id: part, scenario: part.yaml}, {wait: 1s}]\n",
      files: ["part.yaml": "flow: 1\nsteps: [{set: {a: 1}}]\n"])

    _ = await Session(of: plan, options: options).run(inputs: [])

    #expect(
      gate.lines == [
        "0 #1 scenario", "1 part#1 before on 0", "2 part#1 scenario on 1",
        "3 part/set#1 before on 2", "4 part/set#1 passed from 3 on 3",
        "5 part#1 passed from 1 on 1",
        "6 wait#1 before on 5", "7 wait#1 passed from 6 on 6",
      ])
  }
}
