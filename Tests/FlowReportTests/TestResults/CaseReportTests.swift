import FlowCore
import FlowEngine
import FlowPlan
import FlowReport
import TestKit
import Testing

/// The iterations of a loop with `cases` in reports.
@Suite struct CaseReportTests {
  private static let steps = """
    steps:
      - id: rows
        for: row
        in: ["<a>", "b #1", "b #1"]
        cases: ${{ row }}
        fail-fast: false
        do:
          - {uses: p.echo, with: {value: "${{ row }}"}, expect: {value: "${{ it != 'b #1' || loop.index == 2 }}"}}
      - {uses: p.count}
    """

  /// Returns a report on a run of the steps.
  private func reports() async throws -> WrittenReports {
    let run = try await ProbeRun(
      "flow: 1\ncomponents: {p: {plugin: probe}}\n" + Self.steps, clock: ManualClock())
    let trace = try await WrittenReports.trace(Self.steps)
    var scenario = WrittenReports.scenario("rows.yaml", .failed, runs: [])
    scenario.findings.diagnostics = run.result.diagnostics
    scenario.attempts = [
      .init(
        passed: false, diagnostics: scenario.findings.diagnostics, cases: run.result.cases,
        log: [], trace: trace)
    ]
    return WrittenReports([scenario])
  }

  @Test func `each case is a testcase of JUnit`() async throws {
    let text = try await reports().text("junit")
    let lines = text.split(separator: "\n").map(String.init)

    #expect(lines[1].contains(#"tests="4" failures="2" errors="0""#))
    #expect(
      lines.filter { $0.hasPrefix("<testcase") } == [
        #"<testcase classname="rows.yaml" name="rows.yaml" time="0.012">"#,
        #"<testcase classname="rows.yaml" name="rows.yaml: &lt;a&gt;" time="0.000">"#,
        #"<testcase classname="rows.yaml" name="rows.yaml: b #1" time="0.000">"#,
        #"<testcase classname="rows.yaml" name="rows.yaml: b #1 (2)" time="0.000">"#,
      ])
    #expect(lines.count { $0.hasPrefix("<failure") } == 2)
  }

  @Test(arguments: [
    (
      "tap",
      """
      # Subtest: rows.yaml
          ok 1 - <a>
          not ok 2 - b \\#1
          ok 3 - b \\#1 (2)
          1..3
      not ok 1 - rows.yaml
      """
    ),
    (
      "tap14",
      """
      # Subtest: rows.yaml
          not ok 1 - rows
          ok 2 - p.count # SKIP not run
          ok 3 - <a>
          not ok 4 - b \\#1
          ok 5 - b \\#1 (2)
          1..5
      not ok 1 - rows.yaml
      """
    ),
  ])
  func `each case is a point of TAP`(_ format: String, _ expected: String) async throws {
    let text = try await reports().text(format)

    #expect(text.contains(expected), "\(text)")
  }

  @Test func `a failed case has its own problems in JSON Lines`() async throws {
    let problems = try await reports().text("jsonl").split(separator: "\n")
      .map { try Value(json: Array($0.utf8)) }
      .filter { $0.summary().contains(#"kind: "case""#) }
      .map { "\($0)".split(separator: "diagnostics: ").dropFirst().map(String.init) }

    #expect(problems.map(\.count) == [0, 1, 0])
  }

  @Test func `each case is inside of its loop in JSON Lines and on the page`() async throws {
    let reports = try await reports()
    let lines = try reports.text("jsonl").split(separator: "\n").filter {
      $0.contains(#""kind":"case""#)
    }
    let page = try reports.text("html")

    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains(#""parent":1"#) })
    #expect(page.contains("<b>&lt;a&gt;</b>"))
    #expect(page.contains("<b>b #1 (2)</b>"))
  }
}
