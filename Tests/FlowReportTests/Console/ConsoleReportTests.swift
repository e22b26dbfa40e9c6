import FlowCore
import FlowEngine
import FlowPlan
import FlowReport
import TestKit
import Testing

/// The console's lines while a scenario runs.
@Suite struct ConsoleReportTests {
  /// Steps that pass, are left out, repeat and fail.
  private static let shop = """
    name: A shop
    steps:
      - {id: first, uses: p.count}
      - {name: Left out, uses: p.count, if: "${{ false }}"}
      - {id: many, for: i, in: "${{ [1, 2] }}", do: [{uses: p.count}, {uses: p.count}]}
      - {name: Goes wrong, uses: p.crash}
      - {uses: p.count}
    finally:
      - {uses: p.count}
    """

  @Test func `another scenario's steps are counted in the line of the step that runs it`()
    async throws
  {
    let report = try await Report(
      "steps: [{id: part, scenario: a.yaml}, {uses: p.count}]",
      files: ["a.yaml": "flow: 1\nsteps: [{set: {x: 1}}, {wait: 1s}]\nfinally: [{set: {x: 2}}]"])

    #expect(
      report.text == """
        test.yaml
          passed part  (3 steps, 80 ms)
          passed p.count  (10 ms)
        passed in 120 ms: steps 5 passed

        """)
  }

  @Test func `a run without a terminal is told line by line`() async throws {
    let report = try await Report(Self.shop)

    #expect(
      report.text == """
        A shop
          passed first  (10 ms)
          not run Left out  (its condition is false)
          passed many  (4 steps, 90 ms)
          failed Goes wrong  (10 ms)
          not run p.count[2]
          passed finally/p.count  (10 ms)
        failed in 190 ms: steps 7 passed, 1 failed, 2 not run

        """)
    #expect(report.pieces.count == 1)
  }

  @Test func `a quiet report names only what did not pass`() async throws {
    let report = try await Report(Self.shop) { $0.detail = .failures }

    #expect(
      report.text == """
        A shop
          failed Goes wrong  (10 ms)
          not run p.count[2]
        failed in 190 ms: steps 7 passed, 1 failed, 2 not run

        """)
  }

  @Test func `a run that passed shows its outputs`() async throws {
    let report = try await Report(
      """
      steps: [{id: a, uses: p.count}]
      outputs: {count: "${{ steps.a.value }}", text: "a\\nb", long: "\(String(repeating: "x", count: 300))"}
      """)

    #expect(
      report.text == """
        test.yaml
          passed a  (10 ms)
        passed in 30 ms: steps 1 passed
          count: 1
          text: "a\\nb"
          long: "\(String(repeating: "x", count: 198))…

        """)
  }

  @Test func `a component that cannot be opened leaves every step out`() async throws {
    let report = try await Report("steps: [{uses: p.count}]", settings: "{start: -1}")

    #expect(
      report.text == """
        test.yaml
          not run p.count
        failed in 10 ms: steps 0 passed, 1 not run

        """)
  }

  @Test func `a terminal sees each line at once, with signs`() async throws {
    let report = try await Report("steps: [{id: a, uses: p.count}, {id: b, uses: p.crash}]") {
      $0.isTerminal = true
    }

    #expect(
      report.pieces == [
        "test.yaml\n", "  ✓ a  (10 ms)\n", "  ✗ b  (10 ms)\n",
        "failed in 50 ms: steps 1 passed, 1 failed\n",
      ])
  }

  @Test func `colours stand around marks, names and details`() async throws {
    let report = try await Report(
      "name: x\nsteps: [{id: a, uses: p.count}, {id: b, uses: p.crash}]"
    ) {
      $0.isTerminal = true
      $0.hasColors = true
    }

    #expect(
      report.visible == """
        ^[1mx^[0m
          ^[32m✓^[0m a  ^[2m(10 ms)^[0m
          ^[31m✗^[0m b  ^[2m(10 ms)^[0m
        ^[31mfailed^[0m in 50 ms: steps 1 passed, 1 failed

        """)
  }

  @Test(arguments: [
    (#""a\nb\e[31mc""#, #"a\nb\u{1b}[31mc"#), (#""a\u202Eb""#, #"a\u{202e}b"#),
    (String(repeating: "n", count: 120), String(repeating: "n", count: 120)),
    (String(repeating: "n", count: 121), String(repeating: "n", count: 119) + "…"),
    (String(repeating: "é", count: 120), String(repeating: "é", count: 120)),
    (
      "e" + String(repeating: "\u{301}", count: 5_000),
      "e" + String(repeating: "\u{301}", count: 118) + "…"
    ),
  ]) func `a hostile name stays on one line of bearable length`(_ name: String, _ shown: String)
    async throws
  {
    let report = try await Report("name: \(name)\nsteps: [{name: \(name), uses: p.count}]")

    let lines = report.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].unicodeScalars.elementsEqual(shown.unicodeScalars))
    #expect(lines[1].unicodeScalars.elementsEqual("  passed \(shown)  (10 ms)".unicodeScalars))
  }

  @Test func `a long report is written piece by piece`() async throws {
    let steps = Array(
      repeating: "{name: \(String(repeating: "n", count: 100)), uses: p.count}", count: 400)
    let report = try await Report("steps: [\(steps.joined(separator: ", "))]")

    #expect(report.pieces.count == 2)
    #expect(report.text.split(separator: "\n").count == 402)
  }

  @Test func `a component's message stands before its step's line`() throws {
    let text = OutputText()
    let report = ConsoleReport(style: .init(), write: text.append)
    let plan = try ProbeRun.plan(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{id: a, uses: p.count}]")

    report.receive(.stepStarted(Address(path: "a"), plan.steps[0]))
    report.log(Address(path: "a", iterations: [2, 3]), "here")
    report.receive(.stepEnded(Address(path: "a"), plan.steps[0], .passed, elapsed: .zero))
    report.receive(.runEnded(RunReport()))

    #expect(text.text.hasPrefix("    a#2.3: here\n  passed a  (0.00 ms)\npassed in"))
  }
}
