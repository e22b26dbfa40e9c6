package import FlowRedaction
package import FlowSystem

/// A tested scenario, kept for the process that makes the reports of the whole suite.
///
/// Reports are rendered from its data by that process. Of a page, that is the content before it is
/// drawn. Events are already in the form of their reports, which is read strictly: the author of
/// results can put only text into a report that flow itself would write.
/// The numbers are those of the whole suite.
package struct StoredScenario: Sendable {
  /// The number in the whole suite, from 1.
  package let number: Int
  /// The data of its line.
  package let report: ScenarioReport
  /// The entries of the kinds not rendered from its facts, by the kind's name.
  ///
  /// In their stored form in the testing process, and as the reports have them in the other one.
  let entries: [String: ReportEntry]

  /// Creates the record of a scenario tested in this process, without its secrets.
  package init(
    _ scenario: ScenarioReport, number: Int, in job: GitHubJob?, _ redactor: Redactor
  ) {
    self.number = number
    var shown = scenario.redacted(by: redactor)
    entries = Dictionary(
      uniqueKeysWithValues: ReportFormat.all.compactMap { [shown] format in
        format.stored.map { (format.name, $0.entry(shown, number, redactor)) }
      })
    shown.stored = ScenarioReport.Stored(
      result: scenario.result, text: redactor.redacted(shown.foundText(redactor)),
      brief: redactor.redacted(shown.foundText(isBrief: true, redactor)),
      json: scenario.json(redactor).redacted(by: redactor.withoutPatterns, names: false),
      facts: ScenarioFacts(shown, in: job, redactor))
    report = shown
  }

  /// The members of one object.
  package var members: [JSON.Member] {
    [
      .init("number", .number(number)), .init("path", .string(report.path)),
      .init("name", .string(report.name)), .init("verdict", .string(report.verdict.rawValue)),
      .init("result", .string(report.result.rawValue)), .init("details", .list(report.details)),
      .init("changes", .list(report.changes)), .init("slow", .bool(report.isSlow)),
      .init("refused", .bool(report.isRefused)), .init("tolerated", .bool(report.isTolerated)),
      .init("interrupted", .bool(report.wasInterrupted)),
      .init("seconds", .number(report.elapsed.preciseSeconds)),
      .init("text", .string(report.stored?.text ?? "")),
      .init("brief", .string(report.stored?.brief ?? "")),
      .init("facts", report.stored?.facts.json ?? .null),
      .init("report", report.stored?.json ?? .null),
      .init("entries", .object(ReportFormat.all.compactMap(entry))),
    ] + report.sources.members + usage
  }

  /// The quantities of its calls, left out without any.
  private var usage: [JSON.Member] {
    report.measures.usage.isEmpty ? [] : [.init("usage", report.measures.usage.json)]
  }

  private func entry(_ format: ReportFormat<SuiteReport>) -> JSON.Member? {
    // The merge of the results refuses a missing entry.
    guard let entry = entries[format.name], let text = try? entry.text, !text.isEmpty else {
      return nil
    }
    return .init(format.name, .string(text))
  }

  /// Creates a scenario from JSON, keeping only these kinds of reports.
  ///
  /// Nil if something is missing, impossible, or never written by flow.
  package init?(_ json: JSON, keeping formats: Set<String>) {
    let members = MemberIndex(json)
    guard let number = members["number"]?.count, number > 0,
      let report = ScenarioReport(stored: members), let entries = members["entries"]
    else { return nil }
    var kept: [String: ReportEntry] = [:]
    for format in ReportFormat.all where formats.contains(format.name) {
      guard let stored = format.stored else { continue }
      // A missing entry is empty, which few kinds allow.
      guard let text = (entries[format.name] ?? .string("")).string,
        let restored = stored.restored(text, report, number)
      else { return nil }
      kept[format.name] = restored
    }
    self.number = number
    self.report = report
    self.entries = kept
  }
}

extension ScenarioReport {
  /// Creates the report of a scenario from another process.
  ///
  /// Nil if something is missing or impossible.
  fileprivate init?(stored members: MemberIndex) {
    guard let path = members["path"]?.string, let name = members["name"]?.string,
      let verdict = members["verdict"]?.string.flatMap(Verdict.init),
      let result = members["result"]?.string.flatMap(Result.init),
      let details = members["details"]?.texts, let changes = members["changes"]?.texts,
      let seconds = members["seconds"]?.seconds, let text = members["text"]?.string,
      let brief = members["brief"]?.string,
      let usage = members["usage"].map(RunUsage.init) ?? RunUsage(),
      let facts = members["facts"].flatMap(ScenarioFacts.init), let document = members["report"]
    else { return nil }
    self.init(path: path, name: name)
    (self.verdict, self.details, self.changes) = (verdict, details, changes)
    elapsed = seconds
    slowAfter = members["slow"] == .bool(true) ? .seconds(-1) : nil
    sources = AnswerSources(members)
    measures.usage = usage
    isRefused = members["refused"] == .bool(true)
    isTolerated = members["tolerated"] == .bool(true)
    wasInterrupted = members["interrupted"] == .bool(true)
    // The author of results may not drive the terminal of the merging user.
    stored = Stored(
      result: result, text: text.plain, brief: brief.plain, json: document, facts: facts)
  }
}

// MARK: - Facts

extension ScenarioFacts {
  /// The longest kept text in bytes.
  ///
  /// No report shows a longer one.
  private static let longestText = 128 << 10

  fileprivate var json: JSON {
    let text = { (text: String) in JSON.string(text.cut(toBytes: Self.longestText)) }
    return .object(
      [.init("message", text(message)), .init("sentence", text(sentence))]
        + (code.map { [.init("code", text($0))] } ?? [])
        + (place.map { [.init("place", $0.json)] } ?? []) + [
          .init("notes", .array(notes.map(text))),
          .init("earlier", .array(earlier.map { $0.json(text) })),
          .init("output", .array(output.map(text))),
          .init("steps", .array(steps.map { $0.json(text) })),
          .init("further", .number(furtherSteps)), .init("cases", .array(cases.map(\.json))),
        ])
  }

  /// Creates facts from JSON.
  ///
  /// Nil if something is missing or impossible.
  fileprivate init?(_ json: JSON) {
    guard let message = json["message"]?.string, let sentence = json["sentence"]?.string,
      let notes = json["notes"]?.texts,
      let earlier = json["earlier"]?.all(ShownProblem.init),
      let output = json["output"]?.texts, let steps = json["steps"]?.all(ShownStep.init),
      let further = json["further"]?.count, let cases = json["cases"]?.all(ShownCase.init)
    else { return nil }
    (self.message, self.sentence, self.notes, self.earlier) = (message, sentence, notes, earlier)
    (self.output, self.steps, furtherSteps, self.cases) = (output, steps, further, cases)
    code = json["code"]?.string
    place = json["place"].flatMap(ReportedPlace.init)
  }
}

extension ReportedPlace {
  fileprivate var json: JSON {
    .object(
      [
        .init("file", .string(file)), .init("line", .number(line)),
        .init("column", .number(column)),
      ] + (repositoryPath.map { [.init("repositoryPath", .string($0))] } ?? []))
  }

  fileprivate init?(_ json: JSON) {
    guard let file = json["file"]?.string, let line = json["line"]?.count,
      let column = json["column"]?.count
    else { return nil }
    (self.file, self.line, self.column) = (file, line, column)
    repositoryPath = json["repositoryPath"]?.string
  }
}

extension ShownProblem {
  fileprivate func json(_ text: (String) -> JSON) -> JSON {
    .object([
      .init("failure", .bool(isFailure)), .init("message", text(message)),
      .init("code", text(code)), .init("text", text(self.text)),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard case .bool(let isFailure)? = json["failure"], let message = json["message"]?.string,
      let code = json["code"]?.string, let text = json["text"]?.string
    else { return nil }
    (self.isFailure, self.message, self.code, self.text) = (isFailure, message, code, text)
  }
}

extension ShownStep {
  fileprivate func json(_ text: (String) -> JSON) -> JSON {
    .object(
      [
        .init("title", text(title)), .init("state", text(state.rawValue)),
        .init("mayFail", .bool(mayFail)), .init("seconds", elapsed.json),
      ] + (problem.map { [.init("problem", $0.json(text))] } ?? []))
  }

  fileprivate init?(_ json: JSON) {
    guard let title = json["title"]?.string, case .bool(let mayFail)? = json["mayFail"],
      let state = json["state"]?.string.flatMap(RunTrace.Span.State.init),
      let seconds = json["seconds"]?.seconds
    else { return nil }
    (self.title, self.state, self.mayFail, elapsed) = (title, state, mayFail, seconds)
    problem = json["problem"].flatMap(ShownProblem.init)
  }
}

extension ShownCase {
  /// The longest kept text of a case in bytes.
  private static let longestText = 64 << 10

  fileprivate var json: JSON {
    let cut = { (text: String) in JSON.string(text.cut(toBytes: Self.longestText)) }
    return .object([
      .init("name", cut(name)), .init("result", .string(result.rawValue)),
      .init("mayFail", .bool(mayFail)), .init("seconds", elapsed.json),
      .init("message", cut(message)), .init("code", cut(code)), .init("text", cut(text)),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.string, case .bool(let mayFail)? = json["mayFail"],
      let result = json["result"]?.string.flatMap(ScenarioReport.Result.init),
      let seconds = json["seconds"]?.seconds, let message = json["message"]?.string,
      let code = json["code"]?.string, let text = json["text"]?.string
    else { return nil }
    (self.name, self.result, self.mayFail, elapsed) = (name, result, mayFail, seconds)
    (self.message, self.code, self.text) = (message, code, text)
  }
}

extension JSON {
  /// The whole number from 0, or nil for everything else.
  package var count: Int? {
    guard case .number(let text) = self, let number = Int(text), number >= 0 else { return nil }
    return number
  }

  /// Returns a list of the read elements.
  ///
  /// Nil for everything else, and if `read` returns nil for an element.
  func all<Element>(_ read: (JSON) -> Element?) -> [Element]? {
    guard case .array(let elements) = self else { return nil }
    let all = elements.compactMap(read)
    return all.count == elements.count ? all : nil
  }

  /// The list of strings, or nil for everything else.
  var texts: [String]? { all(\.string) }

  /// The duration of at most 12 days, as written by `Duration.preciseSeconds`, or nil for
  /// everything else.
  package var seconds: Duration? {
    guard case .number(let text) = self, let seconds = Double(text), 0...1_100_000 ~= seconds
    else { return nil }
    return .microseconds(Int((seconds * 1_000_000).rounded()))
  }
}

extension Duration {
  /// The duration in seconds, to the microsecond.
  package var json: JSON { .number(preciseSeconds) }
}
