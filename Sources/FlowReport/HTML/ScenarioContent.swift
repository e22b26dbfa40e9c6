internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

extension ScenarioPage {
  /// Creates the content for a scenario that has ended, or was not started.
  ///
  /// The redactor hides secrets in quotes of files.
  init(_ scenario: ScenarioReport, _ redactor: Redactor) {
    (occurrence, tags) = (scenario.occurrence, scenario.tags)
    command = scenario.isFailing ? scenario.command : ""
    let logs = Set(scenario.attempts.flatMap(\.log))
    let difference = scenario.difference?.lines ?? []
    findings =
      scenario.problems(redactor)
      + Piece.lines("Differences", difference.map(redactor.redacted))
      + Piece.lines("Changes since the recording", scenario.changes)
      + Piece.lines("Notes", scenario.findings.notes.filter { !logs.contains($0) })
    runs =
      scenario.attempts.enumerated().flatMap { index, attempt in
        attempt.pieces(number: index + 1, of: scenario.attempts.count, redactor)
      } + scenario.graph(redactor)
  }
}

extension ScenarioPage.Piece {
  /// Returns a section with the first lines, or nothing without lines.
  fileprivate static func lines(_ title: String, _ lines: [String]) -> [Self] {
    if lines.isEmpty { return [] }
    let shown = lines.prefix(500).map { $0.onOneLine(atMost: 2_000) }
    let rest = lines.count - shown.count
    return [
      .section(.lines, heading: [.init(title)]), .quote([.init(shown.joined(separator: "\n"))]),
    ] + (rest > 0 ? [.aside(counted(rest, "further line"))] : []) + [.end]
  }

  /// A remark of the page.
  static func aside(_ text: String) -> Self { .paragraph(.aside, [.init(text)]) }
}

extension ScenarioReport {
  private static let mostProblems = 100

  /// Returns the problems, each in a section.
  fileprivate func problems(_ redactor: Redactor) -> [ScenarioPage.Piece] {
    let found = findings.diagnostics
    if found.isEmpty {
      let heading = ScenarioPage.Phrase(message.onOneLine(atMost: 500))
      return isFailing ? [.section(.problem, heading: [heading]), .end] : []
    }
    let shown = found.prefix(Self.mostProblems)
    // The lines of a transcript are long and generated.
    let files = Set(shown.compactMap { $0.span?.file }).subtracting([Path.transcript(of: path)])
    let renderer = DiagnosticText.renderer(quoting: DiagnosticText.sources(files), redactor)
    let pieces = shown.flatMap { $0.pieces(renderer) }
    if found.count <= Self.mostProblems { return pieces }
    return pieces + [.aside(counted(found.count - Self.mostProblems, "further problem"))]
  }

  /// Returns the plan as a picture, with how its steps ended in the run that explains the end.
  fileprivate func graph(_ redactor: Redactor) -> [ScenarioPage.Piece] {
    guard let trace = decisive?.trace, let plan = trace.plan else { return [] }
    let graph = PlanGraph(plan, hidingBy: redactor.isActive ? redactor : nil)
    return PlanPicture(graph, trace).map { [.plan($0)] } ?? []
  }
}

extension ScenarioReport.Attempt {
  fileprivate func pieces(
    number: Int, of count: Int, _ redactor: Redactor
  ) -> [ScenarioPage.Piece] {
    var pieces = StepTree(trace, passed ? .passed : .failed, redactor).pieces
    if let timeline = Timeline(trace, isOfFailure: !passed) { pieces.append(.timeline(timeline)) }
    pieces += ScenarioPage.Piece.lines("Logged", log)
    if pieces.isEmpty { return [] }
    return [.run(number: number, of: count, passed: passed)] + pieces + [.end]
  }
}

extension Diagnostic {
  fileprivate func pieces(_ renderer: DiagnosticRenderer) -> [ScenarioPage.Piece] {
    let heading = ScenarioPage.Phrase(message.onOneLine(atMost: 500))
    var pieces: [ScenarioPage.Piece] = [
      .section(.problem, heading: [heading, .init(code.name, .code)])
    ]
    if let span { pieces.append(.paragraph(.plain, [.init("\(span)".onOneLine(atMost: 300))])) }
    let excerpt = excerpt(renderer)
    if !excerpt.isEmpty { pieces.append(.quote(excerpt)) }
    for (texts, isContext) in [(notes, false), (context, true)] where !texts.isEmpty {
      pieces.append(.notes(Self.notes(texts), isContext: isContext))
    }
    return pieces + [.end]
  }

  /// Returns the quoted lines with their pointers marked.
  private func excerpt(_ renderer: DiagnosticRenderer) -> [ScenarioPage.Phrase] {
    let lines = renderer.render(Diagnostic(code, "", at: span)).split(separator: "\n").dropFirst()
    return lines.flatMap { line -> [ScenarioPage.Phrase] in
      let rest = line.hasSuffix("^") ? line.reversed().drop { $0 == "^" }.count : line.count
      let start = line.startIndex == lines.first?.startIndex ? "" : "\n"
      let carets = String(line.dropFirst(rest))
      let text = ScenarioPage.Phrase(start + line.prefix(rest))
      return carets.isEmpty ? [text] : [text, .init(carets, .pointer)]
    }
  }

  /// Returns the first texts about a problem.
  private static func notes(_ texts: [String]) -> [ScenarioPage.Note] {
    var notes: [ScenarioPage.Note] = []
    var shown = texts.prefix(200)[...]
    while let text = shown.popFirst() {
      // Indented lines belong to the text before them.
      let lines = shown.prefix { $0.hasPrefix("  ") }
      shown = shown.dropFirst(lines.count)
      notes.append(
        .init(
          text: text.onOneLine(atMost: 4_000),
          lines: lines.map { String($0.dropFirst(2)).onOneLine(atMost: 1_000) }))
    }
    let rest = texts.count - 200
    return notes + (rest > 0 ? [.init(text: counted(rest, "further line"), lines: [])] : [])
  }
}
