private import CZlib
internal import FlowSystem

/// A scenario in a page: its row, and the details below it.
struct ScenarioHTML {
  /// The element.
  private(set) var html: HTML = ""
  /// The files to store next to the report.
  private(set) var attachments: [Attachment] = []

  private let scenario: ScenarioReport
  private let page: ScenarioPage
  private let anchor: String

  /// Draws the element of a scenario that has ended, or was not started.
  ///
  /// The result of `flow mutate` is between its findings and its runs.
  init(_ scenario: ScenarioReport, _ page: ScenarioPage, mutation: (String) -> HTML = { _ in "" }) {
    self.scenario = scenario
    self.page = page
    // The same in every run. `+` is in no path's anchor.
    anchor = scenario.path.anchor + (page.occurrence > 1 ? "+\(page.occurrence)" : "")
    let body = self.body(mutation(anchor))
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
    for tag in page.tags { text += " <i>@\(text: tag, atMost: 60)</i>" }
    text += "</span>"
    if !scenario.details.isEmpty {
      let details = scenario.details.joined(separator: ", ")
      text += "<span class=\"n\">\(text: details, atMost: 120)</span>"
    }
    return text + (scenario.verdict == .notRun ? "" : scenario.elapsed.time)
  }

  private mutating func body(_ mutation: HTML) -> HTML {
    var writer = PieceWriter(anchor: anchor)
    writer.command(page.command)
    writer.write(page.findings)
    writer.html += mutation
    writer.write(page.runs)
    attachments = writer.attachments
    return writer.html
  }
}

/// Writes the pieces of a scenario as markup.
///
/// Their texts are escaped here, and nothing of them is markup.
private struct PieceWriter {
  var html: HTML = ""
  private(set) var attachments: [Attachment] = []

  private let anchor: String
  /// The start of each step's anchor, that of the present run.
  private var place: HTML
  /// The end tags of the opened pieces, the outermost first.
  private var ends: [HTML] = []

  init(anchor: String) {
    self.anchor = anchor
    place = "\(text: anchor)"
  }

  mutating func command(_ command: String) {
    if command.isEmpty { return }
    html += """
      <p class="c"><span>Run it again:</span> <code>\(text: command)</code>\
      <button type="button" class="copy">Copy</button>\
      <a href="#\(text: anchor)">Link to this scenario</a></p>
      """
  }

  mutating func write(_ pieces: [ScenarioPage.Piece]) {
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .section(let section, let heading): open(section, heading)
      case .run(let number, let count, let passed): openRun(number, of: count, passed)
      case .steps: open("<ol class=\"t\">", "</ol>")
      case .step(let step):
        var isEmpty = false
        if index + 1 < pieces.count, case .end = pieces[index + 1] { isEmpty = true }
        open(step, isEmpty: isEmpty)
      case .end: html += ends.popLast() ?? ""
      case .paragraph(let tone, let words): write(words, tone)
      case .quote(let phrases):
        html += "<pre>"
        for phrase in phrases { write(phrase) }
        html += "</pre>"
      case .notes(let notes, let isContext): write(notes, isContext)
      case .table(let table): write(table)
      case .value(let value): html.append(value, storing: &attachments)
      case .timeline(let timeline): html += timeline.html
      case .plan(let picture): html += picture.html(describedBy: "\(text: anchor)::steps")
      }
    }
  }

  private mutating func open(_ start: HTML, _ end: HTML) {
    html += start
    ends.append(end)
  }

  private mutating func open(_ section: ScenarioPage.Section, _ heading: [ScenarioPage.Phrase]) {
    let style: HTML =
      switch section {
      case .problem: "d"
      case .lines: "j"
      }
    open("<section class=\"\(style)\"><h3>", "</section>")
    write(line: heading)
    html += "</h3>"
  }

  private mutating func openRun(_ number: Int, of count: Int, _ passed: Bool) {
    place = number == 1 ? "\(text: anchor)" : "\(text: anchor):\(number)"
    // Where the picture of the plan refers to.
    let id: HTML = number == 1 ? " id=\"\(text: anchor)::steps\"" : ""
    guard count > 1 else { return open("<section class=\"u\"\(id)>", "</section>") }
    let mark = Mark(passed ? .passed : ScenarioReport.Verdict.failed)
    open(
      """
      <details class="u \(mark.style)"\(id)\(passed || number > 3 ? "" : " open")><summary>\
      \(mark.html)<b>run \(number) of \(count)</b> \(mark.word)</summary><div class="b">
      """, "</div></details>")
  }

  private mutating func open(_ step: ScenarioPage.Step, isEmpty: Bool) {
    html += "<li class=\""
    html += Mark(step.state).style
    html += "\""
    if let address = step.address {
      html += " id=\""
      html += place
      html += ":"
      html.append(anchor: address)
      html += "\""
    }
    html += isEmpty ? "><div class=\"w\">" : step.isOpen ? "><details open>" : "><details>"
    if !isEmpty { html += "<summary>" }
    html += Mark(step.state).html
    write(line: step.head)
    if isEmpty {
      open("</div>", "</li>")
    } else {
      open("</summary><div class=\"b\">", "</div></details></li>")
    }
  }

  // MARK: - Texts

  private mutating func write(_ words: [ScenarioPage.Phrase], _ tone: ScenarioPage.Tone) {
    switch tone {
    case .plain: html += "<p>"
    case .error: html += "<p class=\"e\">"
    case .aside: html += "<p class=\"o\">"
    }
    write(line: words)
    html += "</p>"
  }

  /// Writes phrases with spaces between.
  private mutating func write(line phrases: [ScenarioPage.Phrase]) {
    for (index, phrase) in phrases.enumerated() {
      if index > 0 { html += " " }
      write(phrase)
    }
  }

  private mutating func write(_ phrase: ScenarioPage.Phrase) {
    switch phrase.style {
    case .plain: html.append(text: phrase.text)
    case .bold: write("<b>", phrase, "</b>")
    case .code: write("<code>", phrase, "</code>")
    case .italic: write("<i>", phrase, "</i>")
    case .quiet: write("<span class=\"q\">", phrase, "</span>")
    case .expected: write("<ins>", phrase, "</ins>")
    case .actual: write("<del>", phrase, "</del>")
    case .pointer: write("<em>", phrase, "</em>")
    }
  }

  private mutating func write(_ start: HTML, _ phrase: ScenarioPage.Phrase, _ end: HTML) {
    html += start
    html.append(text: phrase.text)
    html += end
  }

  private mutating func write(_ notes: [ScenarioPage.Note], _ isContext: Bool) {
    html += isContext ? "<ul class=\"i\">" : "<ul>"
    for note in notes {
      html += "<li>\(text: note.text)"
      if !note.lines.isEmpty { html += "<pre>\(text: note.lines.joined(separator: "\n"))</pre>" }
      html += "</li>"
    }
    html += "</ul>"
  }

  private mutating func write(_ table: ScenarioPage.Table) {
    html += "<table class=\"x\"><thead><tr>"
    for head in table.heads { html += "<th scope=\"col\">\(text: head)</th>" }
    html += "</tr></thead><tbody>"
    for row in table.rows {
      html += "<tr>"
      for (index, cell) in row.enumerated() {
        html += index == 0 ? "<th scope=\"row\">" : "<td>"
        write(cell)
        html += index == 0 ? "</th>" : "</td>"
      }
      html += "</tr>"
    }
    html += "</tbody></table>"
  }
}

/// Compression of text in a page, for a browser to inflate on demand.
enum Deflate {
  /// Returns the text in zlib's format, in base 64.
  ///
  /// Nil if the system has no zlib.
  static func text(_ bytes: [UInt8]) -> String? {
    // What `compressBound` of zlib's manual allows for, generously.
    let capacity = bytes.count + bytes.count / 1_000 + 64
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer { source in
        count = unsafe flow_zlib_compress(
          buffer.baseAddress, capacity, source.baseAddress, source.count)
      }
    }
    return compressed.isEmpty ? nil : Base64.encode(compressed)
  }
}
