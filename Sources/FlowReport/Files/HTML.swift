/// A page for people, in one file: the summary, every scenario, and whole what failed.
extension ReportFormat {
  /// What `--report` calls a page.
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
    // A browser does nothing for a group that is out of sight, which makes 10,000 scenarios bearable.
    format.separator = (text: PageHTML.groupSeparator.text, every: 50)
    return format
  }()
}
