import FlowCore
import FlowReport
import TestKit
import Testing

/// The steps of scenarios as cases of JUnit's XML.
@Suite struct JUnitStepTests {
  private static let steps = """
    steps:
      - {name: Count, uses: p.count}
      - {name: Count, uses: p.count}
      - {name: <May fail>, uses: p.fail, with: {code: refused}, continue-on-error: true}
      - id: block
        do:
          - {uses: p.count, expect: {value: 7}}
      - {name: Late, uses: p.count}
    """

  private func report(_ format: String) async throws -> String {
    var scenario = try await Page.run("s.yaml", name: "Shop", Self.steps)
    scenario.findings.diagnostics = scenario.attempts[0].diagnostics
    return try WrittenReports([scenario]).text(format)
  }

  @Test func `each step is a case with its own problem`() async throws {
    let text = try await report("junit-steps").replacing(#/time="[^"]*"/#, with: "time=T")
    let problem = """
      <failure message="'block/p.count#1' did not answer as expected: value: expected 7, \
      got 3" type="F2001">test.yaml:9:34: error: 'block/p.count#1' did not answer as expected [F2001]
        note: value: expected 7, got 3
        input: {by: 1}
        answer: {value: 3}
      </failure>

      """

    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="flow" tests="6" failures="2" errors="0" time=T>
        <testsuite name="s.yaml" tests="6" failures="2" errors="0" skipped="2" time=T>
        <testcase classname="s.yaml" name="Shop" time=T>
        \(problem)</testcase>
        <testcase classname="s.yaml" name="Shop: Count" time=T>
        </testcase>
        <testcase classname="s.yaml" name="Shop: Count (2)" time=T>
        </testcase>
        <testcase classname="s.yaml" name="Shop: &lt;May fail&gt;" time=T>
        <skipped message="failed, and may fail"/>
        </testcase>
        <testcase classname="s.yaml" name="Shop: block" time=T>
        \(problem)</testcase>
        <testcase classname="s.yaml" name="Shop: Late" time=T>
        <skipped message="not run"/>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func `without the wish there is one case`() async throws {
    #expect(try await report("junit").ranges(of: "<testcase ").count == 1)
  }

  @Test func `an assertion and a further difference are in the message`() async throws {
    let assertion = try await Page.run(
      "s.yaml", "steps: [{id: a, uses: p.count}, {assert: ['${{ steps.a.value == 3 }}']}]")
    let differences = try await Page.run(
      "s.yaml", "steps: [{uses: p.types, expect: {bool: false, unsigned: 1}}]")

    let messages = try [assertion, differences].map { scenario in
      var scenario = scenario
      scenario.findings.diagnostics = scenario.attempts[0].diagnostics
      let text = try WrittenReports([scenario]).text("junit")
      return text.firstMatch(of: #/failure message="([^"]*)"/#).map { String($0.1) }
    }
    #expect(
      messages == [
        "'assert#1': assertion failed: steps.a.value is 1, from line 3",
        "'p.types#1' did not answer as expected: bool: expected false, got true; 1 further difference",
      ])
  }
}
