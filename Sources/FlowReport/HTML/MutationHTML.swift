internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// The share of recorded alterations noticed by the checks of a scenario, and a table of the
/// others.
struct MutationHTML {
  private static let mostRows = 1_000
  private static let longestValue = 300

  /// The section.
  let html: HTML

  /// Creates the result of `flow mutate` below the row of an anchor.
  ///
  /// The redactor hides secrets in paths and values.
  init(_ report: MutationReport, anchor: String, _ redactor: Redactor) {
    guard !report.results.isEmpty else {
      html =
        "<section class=\"j\"><h3>Nothing to alter: no recorded answer has a value</h3></section>"
      return
    }
    let unnoticed = report.results.filter { $0.notice != .noticed }
    var text: HTML = "<section class=\"j\"><h3>Mutation score \(text: report.score) %</h3>"
    text += "<p>\(report.noticed) of \(text: counted(report.results.count, "alteration")) of "
    text += "recorded values were noticed by an expectation, an assertion or a later call.</p>"
    if report.count > report.results.count {
      text += "<p class=\"o\">Only the first of \(report.count) were tried.</p>"
    }
    if !unnoticed.isEmpty {
      text += "<table class=\"x\"><caption>Unnoticed alterations</caption><thead><tr>"
      for head in Self.heads { text += "<th scope=\"col\">\(head)</th>" }
      text += "</tr></thead><tbody>"
      for result in unnoticed.prefix(Self.mostRows) {
        text += Self.row(result, anchor, redactor)
      }
      text += "</tbody></table>"
    }
    let rest = unnoticed.count - Self.mostRows
    if rest > 0 { text += "<p class=\"o\">\(text: moreLeftOut(rest)).</p>" }
    html = text + "</section>"
  }

  private static let heads: [HTML] = ["answer", "value", "recorded", "instead of it"]

  private static func row(
    _ result: MutationReport.Result, _ anchor: String, _ redactor: Redactor
  ) -> HTML {
    let alteration = result.alteration
    // A call made by a component links to the scenario.
    let place = "\(anchor):\("\(alteration.address)".anchor)"
    let effect: HTML =
      result.notice == .outputs ? " <span class=\"o\">changes only the outputs</span>" : ""
    var text: HTML = "<tr><th scope=\"row\"><a href=\"#\(text: place)\">"
    text += "\(text: alteration.place, atMost: longestValue)</a></th>"
    for part in ["\(alteration.path)", alteration.recordedText] {
      text += "<td>\(text: redactor.redacted(part), atMost: longestValue)</td>"
    }
    text += "<td>\(text: redactor.redacted(alteration.alteredText), atMost: longestValue)"
    return text + effect + "</td></tr>"
  }
}
