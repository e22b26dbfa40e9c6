import FlowRedaction
import FlowReport
import TestKit
import Testing

/// The scenarios of a suite that have a line.
@Suite struct SuiteTextTests {
  private static let suite: [ScenarioReport] = [
    scenario("failed", .failed), scenario("flaky", .flaky), scenario("recorded", .recorded),
    scenario("slow", .passed, seconds: 61), scenario("passed", .passed),
    scenario("not-run", .notRun),
  ]

  private static func scenario(
    _ path: String, _ verdict: ScenarioReport.Verdict, seconds: Int = 0
  ) -> ScenarioReport {
    var scenario = ScenarioReport(path: path)
    scenario.verdict = verdict
    scenario.elapsed = .seconds(seconds)
    return scenario
  }

  private func text(_ change: (inout SuiteText.Style) -> Void) -> String {
    let output = OutputText()
    var style = SuiteText.Style()
    change(&style)
    var text = SuiteText(
      style: style, Redactor(), output: { output.append($0) }, errorOutput: { _ in })
    var report = SuiteReport(keepsScenarios: false)
    for scenario in Self.suite {
      text.add(scenario)
      report.add(scenario)
    }
    report.passed = false
    text.finish(report)
    return output.text
  }

  private static let lines = [
    "failed   failed  (0.00 ms)\n", "flaky    flaky  (0.00 ms)\n",
    "recorded recorded  (0.00 ms)\n", "passed   slow  (slow, 1 min 1 s)\n",
    "passed   passed  (0.00 ms)\n", "not run  not-run  (0.00 ms)\n",
  ]

  private static let end =
    "failed in 0.00 ms: scenarios 2 passed, 1 failed, 1 flaky, 1 recorded, "
    + "1 not run, 1 slow\n"

  @Test(arguments: zip(StatusLevel.allCases, 0...6))
  func `each level has the lines of those before it and some more`(
    _ level: StatusLevel, _ count: Int
  ) {
    let lines = Self.lines.prefix(count).joined()

    #expect(text { $0.status = level } == lines + Self.end)
    #expect(
      text {
        $0.status = .none
        $0.final = level
      } == lines + Self.end)
  }

  @Test func `lines are counted also where some are left out, but not once more`() {
    let text = text {
      $0.total = 100
      $0.status = .slow
      $0.final = .fail
    }

    let counted = zip(1...4, Self.lines).map { "[  \($0)/100] \($1)" }.joined()
    #expect(text == counted + Self.lines[0] + Self.end)
  }

  private func end(_ sources: [AnswerSources], _ status: StatusLevel = .pass) -> String {
    let output = OutputText()
    var style = SuiteText.Style()
    style.status = status
    var text = SuiteText(
      style: style, Redactor(), output: { output.append($0) }, errorOutput: { _ in })
    var report = SuiteReport(keepsScenarios: false)
    for source in sources {
      var scenario = ScenarioReport(path: "s.yaml")
      scenario.sources = source
      report.add(scenario)
    }
    text.finish(report)
    return output.text.replacing(/passed in .*\n/, with: "")
  }

  private static let note =
    "note: all answers were recorded ones: the scenarios still ask and accept what was recorded, "
    + "but no system was asked; 'flow test --live' asks them\n"

  @Test func `the end names the components by the source of their answers`() {
    let api = AnswerSources(replayed: ["db", "api"], replaysSystems: true)
    let files = AnswerSources(replayed: ["store"], live: ["files"])
    let many = AnswerSources(live: Set((10..<32).map { "c\($0)" }))

    #expect(end([]) == "")
    #expect(end([api, files]) == "replayed: api, db, store; live: files\n")
    #expect(end([api, api]) == "replayed: api, db\n" + Self.note)
    #expect(end([AnswerSources(replayed: ["store"])]) == "replayed: store\n")
    #expect(end([many]).hasSuffix(", c28, c29 and 2 more\n"))
    #expect(end([api], .recorded) == "")
  }
}
