internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A scenario in a page: its row, and what opens below it.
struct ScenarioHTML {
  /// The element.
  private(set) var html = ""
  /// What is stored beside the report.
  private(set) var attachments: [Attachment] = []

  private let scenario: ScenarioReport
  private let redactor: Redactor
  private let anchor: String

  /// A scenario that has ended, or has not begun.
  init(_ scenario: ScenarioReport, _ redactor: Redactor) {
    self.scenario = scenario
    self.redactor = redactor
    anchor = scenario.anchor
    let body = self.body()
    let style = "class=\"s \(Mark(scenario.verdict).style)\" id=\"\(anchor)\""
    if body.isEmpty {
      html = "<div \(style)><div class=\"w\">\(row)</div></div>\n"
    } else if !scenario.isFailing, let deflated = Deflate.text(body) {
      html = "<details \(style) data-z=\"\(deflated)\"><summary>\(row)</summary></details>\n"
    } else {
      html = """
        <details \(style)\(scenario.isFailing ? " open" : "")><summary>\(row)</summary>\
        <div class="b">\(body)</div></details>

        """
    }
  }

  private var row: String {
    let mark = Mark(scenario.verdict)
    let path = scenario.path.html(atMost: 300)
    let name = scenario.name.isEmpty ? path : scenario.name.html(atMost: 200)
    // The style adds the sign, since a page may have very many rows.
    var text = "<span class=\"y\">\(mark.word)</span><span class=\"l\"><b>\(name)</b>"
    if !scenario.name.isEmpty { text += " <span>\(path)</span>" }
    for tag in scenario.tags { text += " <i>@\(tag.html(atMost: 60))</i>" }
    text += "</span>"
    if !scenario.details.isEmpty {
      text +=
        "<span class=\"n\">\(scenario.details.joined(separator: ", ").html(atMost: 120))</span>"
    }
    return text + (scenario.verdict == .notRun ? "" : scenario.elapsed.time)
  }

  // MARK: - What opens

  private mutating func body() -> String {
    let logs = Set(scenario.attempts.flatMap(\.log))
    let notes = scenario.findings.notes.filter { !logs.contains($0) }
    var text = scenario.isFailing ? command : ""
    text += problems
    let difference = scenario.difference?.lines ?? []
    text += Self.lines("What is different", difference.map(redactor.redacted))
    text += Self.lines("What was recorded otherwise", scenario.changes)
    text += Self.lines("Notes", notes)
    for (index, attempt) in scenario.attempts.enumerated() {
      text += self.attempt(attempt, number: index + 1)
    }
    return text
  }

  private var command: String {
    if scenario.command.isEmpty { return "" }
    return """
      <p class="c"><span>Run it again:</span> <code>\(scenario.command.html)</code>\
      <button type="button" class="copy">Copy</button>\
      <a href="#\(anchor)">Link to this scenario</a></p>
      """
  }

  private var problems: String {
    let found = scenario.findings.diagnostics
    if found.isEmpty, scenario.isFailing {
      return "<section class=\"d\"><h3>\(scenario.message.html(atMost: 500))</h3></section>"
    }
    // The lines of a transcript are long and generated.
    let files = Set(found.prefix(100).compactMap { $0.span?.file })
      .subtracting([Path.transcript(of: scenario.path)])
    let renderer = DiagnosticText.renderer(quoting: files, redactor)
    let text = found.prefix(100).map { problem($0, renderer) }.joined()
    if found.count <= 100 { return text }
    return text + "<p class=\"o\">\(counted(found.count - 100, "further problem"))</p>"
  }

  private func problem(_ shown: Diagnostic, _ renderer: DiagnosticRenderer) -> String {
    var text = "<section class=\"d\"><h3>\(shown.message.html(atMost: 500)) "
    text += "<code>\(shown.code.name.html)</code></h3>"
    if let span = shown.span { text += "<p>\("\(span)".html(atMost: 300))</p>" }
    let excerpt = Self.excerpt(of: shown, renderer)
    if !excerpt.isEmpty { text += "<pre>\(Self.quote(excerpt))</pre>" }
    return text + Self.list(shown.notes) + Self.list(shown.context, "i") + "</section>"
  }

  /// The lines that a problem is about.
  private static func excerpt(
    of diagnostic: Diagnostic, _ renderer: DiagnosticRenderer
  ) -> ArraySlice<Substring> {
    let place = Diagnostic(diagnostic.code, "", at: diagnostic.span)
    return renderer.render(place).split(separator: "\n").dropFirst()
  }

  /// What is said of a problem, an item each.
  private static func list(_ texts: [String], _ style: String = "") -> String {
    if texts.isEmpty { return "" }
    let items = texts.prefix(200).map { "<li>\($0.html(atMost: 4_000))</li>" }.joined()
    let rest = texts.count > 200 ? "<li>\(counted(texts.count - 200, "further line"))</li>" : ""
    return "<ul\(style.isEmpty ? "" : " class=\"\(style)\"")>\(items)\(rest)</ul>"
  }

  /// The lines with what points at their text marked.
  private static func quote(_ lines: ArraySlice<Substring>) -> String {
    lines.map { line in
      let rest = line.hasSuffix("^") ? line.reversed().drop { $0 == "^" }.count : line.count
      let carets = String(line.dropFirst(rest))
      let text = String(line.prefix(rest)).html
      return carets.isEmpty ? text : "\(text)<em>\(carets)</em>"
    }.joined(separator: "\n")
  }

  private static func lines(_ title: String, _ lines: [String]) -> String {
    if lines.isEmpty { return "" }
    let text = lines.prefix(500).map { $0.html(atMost: 2_000) }
    let rest = lines.count - text.count
    return "<section class=\"j\"><h3>\(title)</h3><pre>\(text.joined(separator: "\n"))</pre>"
      + (rest > 0 ? "<p class=\"o\">\(counted(rest, "further line"))</p>" : "") + "</section>"
  }

  private mutating func attempt(_ attempt: ScenarioReport.Attempt, number: Int) -> String {
    let place = number == 1 ? anchor : "\(anchor):\(number)"
    let limits = attempt.passed ? StepTreeHTML.Limits.passed : .failed
    let tree = StepTreeHTML(attempt.trace, anchor: place, limits, redactor)
    attachments += tree.attachments
    var text = tree.html
    if let waterfall = Waterfall(attempt.trace), !attempt.passed || waterfall.isTelling {
      text += waterfall.html
    }
    text += Self.lines("Logged", attempt.log)
    if text.isEmpty { return "" }
    guard scenario.attempts.count > 1 else { return "<section class=\"u\">\(text)</section>" }
    let mark = Mark(attempt.passed ? .passed : ScenarioReport.Verdict.failed)
    let word = "run \(number) of \(scenario.attempts.count)"
    return """
      <details class="u \(mark.style)"\(attempt.passed || number > 3 ? "" : " open")><summary>\
      \(mark.html)<b>\(word)</b> \(mark.word)</summary><div class="b">\(text)</div></details>
      """
  }
}

extension ScenarioReport {
  /// The name of its row, which stays the same from run to run; `+` is in no path's anchor.
  fileprivate var anchor: String { path.anchor + (occurrence > 1 ? "+\(occurrence)" : "") }
}
