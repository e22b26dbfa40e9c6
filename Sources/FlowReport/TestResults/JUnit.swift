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
///     <error message="'pay#1' failed with the error 'insufficient': 20.00 is …" type="F2002">pay.yaml:5:21: error: …
///     </error>
///     </testcase>
///     </testsuite>
///     </testsuites>
extension ReportFormat<SuiteReport> {
  /// A case for each scenario.
  static var junit: ReportFormat { junit("junit", showsSteps: false) }

  /// A case for each scenario, and one for each of its outermost steps.
  ///
  ///     <testcase classname="pay.yaml" name="Pay: The card is charged" time="0.001">
  static var junitSteps: ReportFormat { junit("junit-steps", showsSteps: true) }

  private static func junit(_ name: String, showsSteps: Bool) -> ReportFormat {
    ReportFormat(
      name, file: "flow-\(name).xml",
      // GitLab ignores larger ones ("Unit test reports").
      Traits(
        showsRuns: showsSteps, worrying: (30 << 20, "GitLab reads no JUnit report above 30 MB"))
    ) { scenario, _, redactor in
      ReportEntry(JUnitCase(scenario, redactor, showsSteps: showsSteps).suite)
    } frame: { suite in
      var results = suite.results.merging(suite.cases, uniquingKeysWith: +)
      if showsSteps { results.merge(suite.steps, uniquingKeysWith: +) }
      return (
        head: """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="flow" tests="\(results.values.reduce(0, +))" \
        failures="\(results[.failure] ?? 0)" errors="\(results[.error] ?? 0)" \
        time="\(suite.elapsed.seconds)">

        """,
        foot: "</testsuites>\n"
      )
    }
  }
}

/// The suite of one scenario: its own case, then one for each step on request, then one for each
/// iteration of its loops with `cases`.
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
  private let showsSteps: Bool

  init(_ scenario: ScenarioReport, _ redactor: Redactor, showsSteps: Bool) {
    self.scenario = scenario
    self.redactor = redactor
    self.showsSteps = showsSteps
  }

  var suite: String {
    let (time, path) = (scenario.elapsed.seconds, attribute(scenario.path))
    let cases = scenario.shownCases(redactor)
    let steps = showsSteps ? scenario.shownSteps(redactor).steps : []
    let results = [scenario.result] + steps.map(\.result) + cases.map(\.result)
    let count = { (result: ScenarioReport.Result) in results.count { $0 == result } }
    return """
      <testsuite name="\(path)" tests="\(results.count)" failures="\(count(.failure))" errors="\(count(.error))" \
      skipped="\(count(.skipped))" time="\(time)">
      <testcase classname="\(path)" name="\(attribute(name))" time="\(time)">
      \(content)</testcase>
      \(text(steps, besides: cases))\(cases.map(text).joined())</testsuite>

      """
  }

  /// Returns the cases of steps, of which further ones of a title have a number.
  private func text(_ steps: [ShownStep], besides cases: [ShownCase]) -> String {
    var known = Dictionary(cases.map { ($0.name, 1) }, uniquingKeysWith: +)
    return steps.map { step in
      let number = known[step.title, default: 0] + 1
      known[step.title] = number
      let title = step.title + (number > 1 ? " (\(number))" : "")
      return opening(of: title, step.elapsed) + problem(of: step) + "</testcase>\n"
    }.joined()
  }

  private func problem(of step: ShownStep) -> String {
    switch step.result {
    case .passed: return ""
    case .skipped:
      let reason = step.state == .failed ? "failed, and may fail" : "not run"
      return "<skipped message=\"\(reason)\"/>\n"
    case .failure, .error:
      let code = step.problem?.code ?? step.state.rawValue
      return element(
        step.result, step.problem?.message ?? step.state.rawValue, code, step.problem?.text ?? "")
    }
  }

  private func text(_ shown: ShownCase) -> String {
    opening(of: shown.name, shown.elapsed) + problem(of: shown) + "</testcase>\n"
  }

  private func opening(of part: String, _ elapsed: Duration) -> String {
    """
    <testcase classname="\(attribute(scenario.path))" name="\(attribute("\(name): \(part)"))" \
    time="\(elapsed.seconds)">

    """
  }

  private func problem(of shown: ShownCase) -> String {
    switch shown.result {
    case .passed: return ""
    case .skipped where shown.mayFail:
      return "<skipped message=\"failed, and may fail: \(attribute(shown.message))\"/>\n"
    case .skipped: return "<skipped message=\"not run\"/>\n"
    case .failure, .error: return element(shown.result, shown.message, shown.code, shown.text)
    }
  }

  /// Returns the element of a problem, which ends a line.
  private func element(
    _ result: ScenarioReport.Result, _ message: String, _ code: String, _ text: String
  ) -> String {
    let tag = result == .failure ? Tag.failure : .error
    let opening = "<\(tag.rawValue) message=\"\(attribute(message))\" type=\"\(attribute(code))\">"
    return "\(opening)\(text.xml(limit: Self.longestText))</\(tag.rawValue)>\n"
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
    let text = element(
      scenario.result, scenario.sentence, scenario.firstCode ?? scenario.verdict.rawValue,
      scenario.foundText(redactor))
    let tag = scenario.result == .failure ? Tag.failure : .error
    return [(tag, text)]
      + earlier.map { problem($0, .rerunFailure, .rerunError) }
  }

  private var earlier: [ShownProblem] { scenario.earlierProblems(redactor) }

  private func problem(
    _ problem: ShownProblem, _ failure: Tag, _ error: Tag
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
