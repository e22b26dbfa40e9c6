internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A scenario in a page: its row, and the details below it.
struct ScenarioHTML {
  /// The element.
  private(set) var html: HTML = ""
  /// The files to store next to the report.
  private(set) var attachments: [Attachment] = []

  private let scenario: ScenarioReport
  private let redactor: Redactor
  private let anchor: String

  /// Creates the element of a scenario that has ended, or was not started.
  init(_ scenario: ScenarioReport, _ redactor: Redactor) {
    self.scenario = scenario
    self.redactor = redactor
    anchor = scenario.anchor
    let body = self.body()
    let style: HTML = "class=\"s \(mark.style)\" id=\"\(text: anchor)\""
    if body.isEmpty {
      html = "<div \(style)><div class=\"w\">\(row)</div></div>\n"
    } else if !isOpen, let deflated = Deflate.text(body.bytes) {
      html = "<details \(style) data-z=\"\(text: deflated)\"><summary>\(row)</summary></details>\n"
    } else {
      html = """
        <details \(style)\(isOpen ? " open" : "")><summary>\(row)</summary>\
        <div class="b">\(body)</div></details>

        """
    }
  }

  /// True if its details need a look.
  private var isOpen: Bool { scenario.isFailing || scenario.mutation != nil }

  private var mark: Mark {
    scenario.mutation != nil && scenario.verdict == .passed ? .scored : Mark(scenario.verdict)
  }

  private var row: HTML {
    let path: HTML = "\(text: scenario.path, atMost: 300)"
    let name: HTML = scenario.name.isEmpty ? path : "\(text: scenario.name, atMost: 200)"
    // The style adds the sign, since a page may have very many rows.
    var text: HTML = "<span class=\"y\">\(mark.word)</span><span class=\"l\"><b>\(name)</b>"
    if !scenario.name.isEmpty { text += " <span>\(path)</span>" }
    for tag in scenario.tags { text += " <i>@\(text: tag, atMost: 60)</i>" }
    text += "</span>"
    if !scenario.details.isEmpty {
      let details = scenario.details.joined(separator: ", ")
      text += "<span class=\"n\">\(text: details, atMost: 120)</span>"
    }
    return text + (scenario.verdict == .notRun ? "" : scenario.elapsed.time)
  }

  // MARK: - What opens

  private mutating func body() -> HTML {
    let logs = Set(scenario.attempts.flatMap(\.log))
    let notes = scenario.findings.notes.filter { !logs.contains($0) }
    var text = scenario.isFailing ? command : ""
    text += problems
    let difference = scenario.difference?.lines ?? []
    text += Self.lines("Differences", difference.map(redactor.redacted))
    text += Self.lines("Changes since the recording", scenario.changes)
    text += Self.lines("Notes", notes)
    if let mutation = scenario.mutation {
      text += MutationHTML(mutation, anchor: anchor, redactor).html
    }
    for (index, attempt) in scenario.attempts.enumerated() {
      text += self.attempt(attempt, number: index + 1)
    }
    return text + graph
  }

  private var command: HTML {
    if scenario.command.isEmpty { return "" }
    return """
      <p class="c"><span>Run it again:</span> <code>\(text: scenario.command)</code>\
      <button type="button" class="copy">Copy</button>\
      <a href="#\(text: anchor)">Link to this scenario</a></p>
      """
  }

  private var problems: HTML {
    let found = scenario.findings.diagnostics
    if found.isEmpty, scenario.isFailing {
      return "<section class=\"d\"><h3>\(text: scenario.message, atMost: 500)</h3></section>"
    }
    // The lines of a transcript are long and generated.
    let files = Set(found.prefix(100).compactMap { $0.span?.file })
      .subtracting([Path.transcript(of: scenario.path)])
    let renderer = DiagnosticText.renderer(quoting: DiagnosticText.sources(files), redactor)
    let text = found.prefix(100).map { problem($0, renderer) }.joined()
    if found.count <= 100 { return text }
    return text + "<p class=\"o\">\(text: counted(found.count - 100, "further problem"))</p>"
  }

  private func problem(_ shown: Diagnostic, _ renderer: DiagnosticRenderer) -> HTML {
    var text: HTML = "<section class=\"d\"><h3>\(text: shown.message, atMost: 500) "
    text += "<code>\(text: shown.code.name)</code></h3>"
    if let span = shown.span { text += "<p>\(text: "\(span)", atMost: 300)</p>" }
    let excerpt = Self.excerpt(of: shown, renderer)
    if !excerpt.isEmpty { text += "<pre>\(Self.quote(excerpt))</pre>" }
    return text + Self.list(shown.notes) + Self.list(shown.context, "i") + "</section>"
  }

  /// Returns the quoted lines of a problem.
  private static func excerpt(
    of diagnostic: Diagnostic, _ renderer: DiagnosticRenderer
  ) -> ArraySlice<Substring> {
    let place = Diagnostic(diagnostic.code, "", at: diagnostic.span)
    return renderer.render(place).split(separator: "\n").dropFirst()
  }

  /// Returns the texts about a problem, an item each.
  private static func list(_ texts: [String], _ style: HTML = "") -> HTML {
    if texts.isEmpty { return "" }
    var list: HTML = "<ul\(style.isEmpty ? "" : " class=\"\(style)\"")>"
    var shown = texts.prefix(200)[...]
    while let text = shown.popFirst() {
      list += "<li>\(text: text, atMost: 4_000)"
      // Indented lines belong to the text before them.
      let lines = shown.prefix { $0.hasPrefix("  ") }
      shown = shown.dropFirst(lines.count)
      let inner = lines.map { "\(text: String($0.dropFirst(2)), atMost: 1_000)" as HTML }
      if !inner.isEmpty { list += "<pre>\(inner.joined(by: "\n"))</pre>" }
      list += "</li>"
    }
    let rest = texts.count - 200
    if rest > 0 { list += "<li>\(text: counted(rest, "further line"))</li>" }
    return list + "</ul>"
  }

  /// Returns the quoted lines with their pointers marked.
  private static func quote(_ lines: ArraySlice<Substring>) -> HTML {
    lines.map { line -> HTML in
      let rest = line.hasSuffix("^") ? line.reversed().drop { $0 == "^" }.count : line.count
      let carets = String(line.dropFirst(rest))
      let text: HTML = "\(text: String(line.prefix(rest)))"
      return carets.isEmpty ? text : "\(text)<em>\(text: carets)</em>"
    }.joined(by: "\n")
  }

  private static func lines(_ title: HTML, _ lines: [String]) -> HTML {
    if lines.isEmpty { return "" }
    let shown = lines.prefix(500).map { "\(text: $0, atMost: 2_000)" as HTML }
    let rest = lines.count - shown.count
    return "<section class=\"j\"><h3>\(title)</h3><pre>\(shown.joined(by: "\n"))</pre>"
      + (rest > 0 ? "<p class=\"o\">\(text: counted(rest, "further line"))</p>" : "") + "</section>"
  }

  /// The plan as a picture, with how its steps ended in the run that explains the end.
  private var graph: HTML {
    guard let trace = scenario.decisive?.trace, let plan = trace.plan else { return "" }
    let graph = PlanGraph(plan, hidingBy: redactor.isActive ? redactor : nil)
    return PlanPicture(graph, trace)?.html(describedBy: "\(text: anchor)::steps") ?? ""
  }

  private mutating func attempt(_ attempt: ScenarioReport.Attempt, number: Int) -> HTML {
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
    // Where the picture of the plan refers to.
    let id: HTML = number == 1 ? " id=\"\(text: anchor)::steps\"" : ""
    guard scenario.attempts.count > 1 else {
      return "<section class=\"u\"\(id)>\(text)</section>"
    }
    let mark = Mark(attempt.passed ? .passed : ScenarioReport.Verdict.failed)
    let word: HTML = "run \(number) of \(scenario.attempts.count)"
    return """
      <details class="u \(mark.style)"\(id)\(attempt.passed || number > 3 ? "" : " open")><summary>\
      \(mark.html)<b>\(word)</b> \(mark.word)</summary><div class="b">\(text)</div></details>
      """
  }
}

extension ScenarioReport {
  /// The name of its row, the same in every run.
  ///
  /// `+` is in no path's anchor.
  fileprivate var anchor: String { path.anchor + (occurrence > 1 ? "+\(occurrence)" : "") }
}
