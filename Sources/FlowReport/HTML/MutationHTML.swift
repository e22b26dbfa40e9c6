internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The share of recorded alterations noticed by the checks of a scenario, and a table of the
/// others.
struct MutationHTML {
  private static let mostRows = 1_000
  private static let longestValue = 300
  private static let longestLine = 2_000

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
    let unnoticed = report.entries
    var text: HTML = "<section class=\"j\"><h3>Mutation score \(text: report.score.text) %</h3>"
    text += "<p>\(report.score.noticed) of \(text: counted(report.results.count, "alteration")) of "
    text += "recorded values were noticed by an expectation, an assertion or a later call.</p>"
    if report.count > report.results.count {
      text += "<p class=\"o\">Only the first of \(report.count) were tried.</p>"
    }
    if !unnoticed.isEmpty {
      text += "<table class=\"x\"><caption>Unnoticed alterations</caption><thead><tr>"
      for head in Self.heads { text += "<th scope=\"col\">\(head)</th>" }
      text += "</tr></thead><tbody>"
      for entry in unnoticed.prefix(Self.mostRows) {
        text += Self.row(entry, anchor, redactor)
      }
      text += "</tbody></table>"
    }
    let rest = unnoticed.count - Self.mostRows
    if rest > 0 { text += "<p class=\"o\">\(text: moreLeftOut(rest)).</p>" }
    html = text + "</section>"
  }

  private static let heads: [HTML] = [
    "answer", "value", "alteration", "recorded", "instead of it", "noticed by",
  ]

  private static func row(
    _ entry: MutationReport.Entry, _ anchor: String, _ redactor: Redactor
  ) -> HTML {
    let (result, alteration) = (entry.first, entry.first.alteration)
    // A call made by a component links to the scenario.
    let place = "\(anchor):\("\(alteration.address)".anchor)"
    let effect: HTML =
      result.notice == .outputs ? " <span class=\"o\">changes only the outputs</span>" : ""
    var text: HTML = "<tr><th scope=\"row\"><a href=\"#\(text: place)\">"
    text += "\(text: alteration.place, atMost: longestValue)</a></th>"
    let kinds = entry.results.map { "\($0.alteration.kind)" }.joined(separator: " or ")
    for part in ["\(alteration.path)", kinds, alteration.recordedText] {
      text += "<td>\(text: redactor.redacted(part), atMost: longestValue)</td>"
    }
    let altered = entry.results.map(\.alteration.alteredText).joined(separator: " or ")
    text += "<td>\(text: redactor.redacted(altered), atMost: longestValue)" + effect + "</td>"
    return text + "<td>" + proposal(result, redactor) + "</td></tr>"
  }

  private static func proposal(_ result: MutationReport.Result, _ redactor: Redactor) -> HTML {
    if let line = result.proposal {
      return "<code>\(text: redactor.redacted(line), atMost: longestLine)</code>"
    }
    return "<span class=\"o\">\(text: result.noProposal?.rawValue ?? "")</span>"
  }
}
