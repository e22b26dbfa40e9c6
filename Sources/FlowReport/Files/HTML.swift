/// A page for people in one file: the summary, every scenario, and the full record of failures.
extension ReportFormat {
  /// The name of a page in `--report`.
  package static let pageName = "html"

  static let html: ReportFormat = {
    var format = ReportFormat(pageName, file: "flow-report.html") { scenario, _, redactor in
      let shown = ScenarioHTML(scenario, redactor)
      return Entry(
        shown.html.text, isFirst: scenario.isFailing, attachments: shown.attachments)
    } frame: { suite in
      let page = PageHTML(suite)
      return (head: page.head.text, foot: page.foot.text)
    }
    format.traits.showsExcerpts = true
    format.restored = { text, scenario, _, budget in
      ScenarioMarkup.isWritten(text, of: scenario, &budget) ? text : nil
    }
    format.putsFailingFirst = true
    // A browser skips a group out of sight, so 10,000 scenarios stay bearable.
    format.separator = (text: PageHTML.groupSeparator.text, every: 50)
    return format
  }()
}
