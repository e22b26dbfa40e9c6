internal import FlowCore
internal import FlowRedaction

/// JUnit's XML, as Jenkins, GitLab and others read it: valid by Jenkins' `junit-10.xsd`, and each suite alone by the
/// schema of Maven Surefire 3.0.2.
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <testsuites name="flow" tests="2" failures="0" errors="1" time="0.012">
///     <testsuite name="good.yaml" tests="1" failures="0" errors="0" skipped="0" time="0.002">
///     <testcase classname="good.yaml" name="good.yaml" time="0.002">
///     </testcase>
///     </testsuite>
///     <testsuite name="pay.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.001">
///     <testcase classname="pay.yaml" name="Pay" time="0.001">
///     <error message="'pay#1' failed with the error 'insufficient'" type="F2002">pay.yaml:5:21: error: …
///     </error>
///     </testcase>
///     </testsuite>
///     </testsuites>
extension ReportFormat<SuiteReport> {
  static var junit: ReportFormat {
    ReportFormat(
      "junit", file: "flow-junit.xml",
      // GitLab ignores larger ones ("Unit test reports").
      Traits(showsRuns: false, worrying: (30 << 20, "GitLab reads no JUnit report above 30 MB"))
    ) { scenario, _, redactor in
      ReportEntry(JUnitCase(scenario, redactor).suite)
    } frame: { suite in
      let results = suite.results.merging(suite.cases, uniquingKeysWith: +)
      let total = suite.total + suite.cases.values.reduce(0, +)
      return (
        head: """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="flow" tests="\(total)" failures="\(results[.failure] ?? 0)" \
        errors="\(results[.error] ?? 0)" time="\(suite.elapsed.seconds)">

        """,
        foot: "</testsuites>\n"
      )
    }
  }
}

/// The suite of one scenario: its own case, then one for each iteration of its loops with `cases`.
private struct JUnitCase {
  private static let longestText = 64 << 10
  private static let longestLog = 100_000
  private static let longestMessage = 1_000

  /// The possible elements of a case, in the order of Surefire's schema.
  private enum Tag: String, CaseIterable {
    case failure, rerunFailure, flakyFailure, skipped, error, rerunError, flakyError
  }

  private let scenario: ScenarioReport
  private let redactor: Redactor

  init(_ scenario: ScenarioReport, _ redactor: Redactor) {
    self.scenario = scenario
    self.redactor = redactor
  }

  var suite: String {
    let (time, path) = (scenario.elapsed.seconds, attribute(scenario.path))
    let cases = scenario.shownCases(redactor)
    let results = [scenario.result] + cases.map(\.result)
    let count = { (result: ScenarioReport.Result) in results.count { $0 == result } }
    return """
      <testsuite name="\(path)" tests="\(results.count)" failures="\(count(.failure))" errors="\(count(.error))" \
      skipped="\(count(.skipped))" time="\(time)">
      <testcase classname="\(path)" name="\(attribute(name))" time="\(time)">
      \(content)</testcase>
      \(cases.map(text).joined())</testsuite>

      """
  }

  private func text(_ shown: ShownCase) -> String {
    let opening = """
      <testcase classname="\(attribute(scenario.path))" \
      name="\(attribute("\(name): \(shown.name)"))" time="\(shown.elapsed.seconds)">

      """
    return opening + problem(of: shown) + "</testcase>\n"
  }

  private func problem(of shown: ShownCase) -> String {
    let message = attribute(shown.message)
    switch shown.result {
    case .passed: return ""
    case .skipped where shown.mayFail:
      return "<skipped message=\"failed, and may fail: \(message)\"/>\n"
    case .skipped: return "<skipped message=\"not run\"/>\n"
    case .failure, .error:
      let tag = shown.result == .failure ? "failure" : "error"
      let text = shown.text.xml(limit: Self.longestText)
      return
        "<\(tag) message=\"\(message)\" type=\"\(attribute(shown.code))\">\(text)</\(tag)>\n"
    }
  }

  /// No two cases of a path have the same.
  private var name: String {
    scenario.shownName + (scenario.occurrence > 1 ? " (\(scenario.occurrence))" : "")
  }

  private var content: String {
    let elements = self.elements
    let ordered = Tag.allCases.flatMap { tag in elements.filter { $0.tag == tag }.map(\.text) }
    return ordered.joined() + systemOutput
  }

  private var elements: [(tag: Tag, text: String)] {
    switch scenario.result {
    case .skipped: return [(.skipped, "<skipped message=\"not run\"/>\n")]
    case .passed: return earlier.map { problem($0, .flakyFailure, .flakyError) }
    case .failure, .error: break
    }
    let tag = scenario.result == .failure ? Tag.failure : .error
    let type = attribute(scenario.firstCode ?? scenario.verdict.rawValue)
    let text = scenario.foundText(redactor).xml(limit: Self.longestText)
    let opening = "<\(tag.rawValue) message=\"\(attribute(scenario.message))\" type=\"\(type)\">"
    return [(tag, "\(opening)\(text)</\(tag.rawValue)>\n")]
      + earlier.map { problem($0, .rerunFailure, .rerunError) }
  }

  private var earlier: [EarlierProblem] { scenario.earlierProblems(redactor) }

  private func problem(
    _ problem: EarlierProblem, _ failure: Tag, _ error: Tag
  ) -> (tag: Tag, text: String) {
    let tag = problem.isFailure ? failure : error
    let name = tag.rawValue
    return (
      tag,
      """
      <\(name) message="\(attribute(problem.message))" type="\(attribute(problem.code))">
      <stackTrace>\(problem.text.xml(limit: Self.longestText))</stackTrace>
      </\(name)>

      """
    )
  }

  /// The log lines of components in a failed run, and the paths of its files.
  private var systemOutput: String {
    let lines = scenario.outputLines
    if lines.isEmpty { return "" }
    let text = lines.map { $0 + "\n" }.joined().xml(limit: Self.longestLog)
    return "<system-out>\(text)</system-out>\n"
  }

  private func attribute(_ text: String) -> String {
    text.line(Self.longestMessage).xml(limit: 8 * Self.longestMessage)
  }
}
