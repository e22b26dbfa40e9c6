internal import FlowCore
internal import FlowRedaction

/// JUnit's XML, as Jenkins, GitLab and others read it: valid by Jenkins' `junit-10.xsd`, and each suite alone by the
/// schema of Maven Surefire 3.0.2.
extension ReportFormat {
  static let junit = ReportFormat("junit", file: "flow-junit.xml") { scenario, _, redactor in
    Entry(JUnit(scenario, redactor).suite)
  } frame: { suite in
    (
      head: """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="flow" tests="\(suite.total)" time="\(suite.elapsed.seconds)">

      """,
      foot: "</testsuites>\n"
    )
  }
}

/// The suite of one scenario, with its only case.
private struct JUnit {
  let scenario: ScenarioReport
  let redactor: Redactor

  init(_ scenario: ScenarioReport, _ redactor: Redactor) {
    self.scenario = scenario
    self.redactor = redactor
  }

  var suite: String {
    let time = scenario.elapsed.seconds
    return """
      <testsuite name="\(scenario.path.xml)" tests="1" time="\(time)">
      <testcase classname="\(scenario.path.xml)" name="\(scenario.name.xml)" time="\(time)">\
      </testcase>
      </testsuite>

      """
  }
}

extension String {
  fileprivate var xml: String { self }
}

extension Duration {
  /// Seconds with three decimals: `1.234`.
  var seconds: String {
    let milliseconds = max(0, Int(self / .milliseconds(1)))
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
