internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// A summary in GitHub's Markdown: the number of scenarios by their end, then those that need a
/// look.
///
///     ## flow: failed
///
///     | verdict | scenarios |
///     |---|---:|
///     | passed | 1 |
///     | failed | 1 |
///
///     2 in 12 ms.
///
///     ### failed: pay.yaml: Pay (live, no transcript, 1.7 ms)
///
///     pay.yaml:5
///
///     ```text
///     pay.yaml:5:21: error: 'pay#1' failed with the error 'insufficient' [F2002]
///     …
///     ```
extension ReportFormat<SuiteReport> {
  /// With links into the repository of a job.
  package static func markdown(_ job: GitHubJob?) -> ReportFormat {
    ReportFormat("markdown", file: "flow-report.md", traits) { scenario, _, redactor in
      ReportEntry(MarkdownSection(scenario, job, redactor).text, isFirst: scenario.isFailing)
    } frame: { suite in
      (head(of: suite), "")
    }
  }

  private static var traits: Traits {
    Traits(
      showsRuns: false,
      // GitHub refuses a summary above 1 MiB.
      limit: (850_000, { "\n\($0) more \($0 == 1 ? "scenario is" : "scenarios are") not shown.\n" })
    )
  }

  private static func head(of suite: SuiteReport) -> String {
    let verdict = suite.wasInterrupted ? "interrupted" : suite.passed ? "passed" : "failed"
    var text = "## flow: \(verdict)\n\n"
    text += "| verdict | scenarios |\n|---|---:|\n"
    for verdict in ScenarioReport.Verdict.allCases {
      guard let count = suite.counts[verdict] else { continue }
      text += "| \(verdict.rawValue) | \(count) |\n"
    }
    return text + "\n\(suite.total) in \(suite.elapsed.reportText).\n\n"
  }
}

/// The section of a summary about one scenario, empty for a scenario that passed.
private struct MarkdownSection {
  private static let longestText = 16 << 10

  private let scenario: ScenarioReport
  private let job: GitHubJob?
  private let redactor: Redactor

  init(_ scenario: ScenarioReport, _ job: GitHubJob?, _ redactor: Redactor) {
    self.scenario = scenario
    self.job = job
    self.redactor = redactor
  }

  var text: String {
    if scenario.verdict == .passed { return "" }
    let title = scenario.title.line(500).markdown
    guard scenario.isFailing else { return "- \(scenario.verdict.rawValue): \(title)\n" }
    let word = scenario.wasInterrupted ? "interrupted" : scenario.verdict.rawValue
    let details = scenario.details.filter { $0 != word } + [scenario.elapsed.reportText]
    return "### \(word): \(title) (\(details.joined(separator: ", ").line(500).markdown))\n\n"
      + link + block
  }

  /// A link to the first problem.
  private var link: String {
    guard let place = scenario.firstPlace(in: job) else { return "" }
    let text = "\(place.file.line(500).markdown):\(place.line)"
    guard let page = job?.page(of: place) else { return "\(text)\n\n" }
    return "[\(text)](\(page))\n\n"
  }

  /// The findings in a fence longer than any in the text.
  private var block: String {
    let found = scenario.foundText(redactor)
    let text = found.isEmpty ? scenario.message + "\n" : found
    let plain = text.cut(toBytes: 2 * Self.longestText).plain.cut(toBytes: Self.longestText)
    let fence = String(repeating: "`", count: max(3, plain.longestRun(of: "`") + 1))
    return "\(fence)text\n\(plain)\(plain.hasSuffix("\n") ? "" : "\n")\(fence)\n\n"
  }
}

extension String {
  /// The string with escapes for the syntax of Markdown and HTML.
  fileprivate var markdown: String {
    // By scalars, since a combining mark must not hide its base.
    replacingScalars { scalar in
      switch scalar {
      case "<": "&lt;"
      case "&": "&amp;"
      // Without a name behind it, as GitHub would notify.
      case "@": "@\u{200B}"
      case "\\", "`", "*", "_", "[", "]", "(", ")", "#", "|", "~", "!", ">": "\\\(scalar)"
      default: nil
      }
    }
  }

  fileprivate func longestRun(of scalar: Unicode.Scalar) -> Int {
    var (longest, run) = (0, 0)
    for other in unicodeScalars {
      run = other == scalar ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
