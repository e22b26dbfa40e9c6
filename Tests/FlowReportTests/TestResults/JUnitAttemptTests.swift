import FlowCore
import FlowReport
import TestKit
import Testing

/// Failed attempts of steps and of whole runs in JUnit's XML.
@Suite struct JUnitAttemptTests {
  /// The cases of completed scenarios, without the elements around them.
  private func cases(_ scenarios: ScenarioReport...) throws -> String {
    try WrittenReports(scenarios).text("junit").split(separator: "\n")
      .filter { !$0.hasPrefix("<?xml") && !$0.contains("testsuite") && !$0.contains("testcase") }
      .joined(separator: "\n")
  }

  private func run(
    _ failures: Int, attempts: Int, more: String = "", times: Int = 1
  ) async throws -> ScenarioReport {
    try await Page.run(
      "s.yaml",
      """
      steps:
        - {id: a, uses: p.flaky, with: {failures: \(failures)}, retry: {attempts: \(attempts)}}
        \(more)
      """, times: times)
  }

  private func attempt(_ tag: String, _ number: Int, of limit: Int) -> String {
    """
    <\(tag) message="'a#1' failed with the error 'refused': attempt \(number) failed" type="F2002">
    <stackTrace>test.yaml:4:19: error: 'a#1' failed with the error 'refused' [F2002]
      note: attempt \(number) failed
      note: attempt \(number) of \(limit)
      input: {failures: 2, code: &quot;refused&quot;}
    </stackTrace>
    </\(tag)>
    """
  }

  @Test func `each failed attempt of a step that passed is a flaky error`() async throws {
    let scenario = try await run(2, attempts: 3)

    #expect(scenario.verdict == .passed)
    #expect(
      try cases(scenario)
        == attempt("flakyError", 1, of: 3) + "\n" + attempt("flakyError", 2, of: 3))
  }

  @Test func `attempts that waited for another answer are no flaky failures`() async throws {
    let scenario = try await run(
      1, attempts: 2, more: "- {id: b, uses: p.count, expect: {value: 3}, retry: {attempts: 5}}")

    #expect(scenario.attempts[0].retried.count == 3)
    #expect(
      try cases(scenario).matches(of: #/<(\w+) message="([^"]*)"/#).map { "\($0.1) \($0.2)" }
        == ["flakyError 'a#1' failed with the error 'refused': attempt 1 failed"])
  }

  @Test func `the last failure is the case's, and those before it are reruns`() async throws {
    let scenario = try await run(2, attempts: 2)

    #expect(
      try cases(scenario) == """
        <error message="'a#1' failed with the error 'refused': attempt 2 failed" type="F2002">\
        test.yaml:4:19: error: 'a#1' failed with the error 'refused' [F2002]
          note: attempt 2 failed
          input: {failures: 2, code: &quot;refused&quot;}
        </error>
        """ + "\n" + attempt("rerunError", 1, of: 2))
  }

  @Test func `what failed otherwise is the case's failure, before what was tried again`()
    async throws
  {
    let scenario = try await run(
      2, attempts: 3, more: "- {uses: p.count, expect: {value: 9}, retry: {attempts: 2}}")

    let tags = try cases(scenario).matches(of: #/<(\w+) message="([^"]*)"/#).map {
      "\($0.1) \($0.2)"
    }
    #expect(
      tags == [
        "failure 'p.count#1' did not answer as expected: value: expected 9, got 2",
        "rerunFailure 'p.count#1' did not answer as expected: value: expected 9, got 1",
        "rerunError 'a#1' failed with the error 'refused': attempt 1 failed",
        "rerunError 'a#1' failed with the error 'refused': attempt 2 failed",
      ])
  }

  @Test func `attempts of steps and runs that failed are one list`() async throws {
    var scenario = try await run(9, attempts: 2, times: 2)
    scenario.attempts += try await run(1, attempts: 2).attempts
    scenario.verdict = .flaky

    let failed = try cases(scenario)
    scenario.isTolerated = true
    let passed = try cases(scenario)

    #expect(
      failed.matches(of: #/<(flakyError|rerunError|error) /#).map(\.1)
        == Array(repeating: "flakyError", count: 5))
    #expect(passed == failed)
  }

  @Test func `at most twenty are in a case`() async throws {
    let scenario = try await run(9, attempts: 3, times: 20)

    #expect(try cases(scenario).ranges(of: "<error ").count == 1)
    #expect(try cases(scenario).ranges(of: "<rerunError ").count == 20)
  }

  @Test func `a message is one line of bounded length, and a text is bounded`() async throws {
    let text = String(repeating: "<long>\n", count: 100_000)
    let long = Diagnostic(.unexpectedError, text, at: nil)
    var scenario = ScenarioReport(path: "s.yaml")
    scenario.attempts = [
      .init(passed: true, diagnostics: [], retried: [long], log: [], trace: RunTrace())
    ]

    let report = try cases(scenario)

    let message = try #require(report.firstMatch(of: #/message="([^"]*)"/#)?.1)
    #expect(message.replacing("&lt;", with: "<").replacing("&gt;", with: ">").count == 1_000)
    let stack = try #require(report.firstMatch(of: #/(?s)<stackTrace>(.*)<\/stackTrace>/#)?.1)
    #expect(stack.replacing("&lt;", with: "<").replacing("&gt;", with: ">").utf8.count <= 64 << 10)
  }
}
