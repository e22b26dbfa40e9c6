internal import FlowRedaction

/// A page for people, in one file: the summary, every scenario, and whole what failed.
extension ReportFormat {
  /// What `--report` calls a page.
  package static let pageName = "html"

  static let html: ReportFormat = {
    var format = ReportFormat(pageName, file: "flow-report.html") { scenario, _, redactor in
      let shown = ScenarioHTML(scenario, redactor)
      return Entry(
        shown.html, isFirst: scenario.isFailing, attachments: shown.attachments)
    } frame: { suite in
      let page = PageHTML(suite)
      return (head: page.head, foot: page.foot)
    }
    // A browser does nothing for a group that is out of sight, which makes 10,000 scenarios bearable.
    format.separator = (text: PageHTML.groupSeparator, every: 50)
    return format
  }()
}
