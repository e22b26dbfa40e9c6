package import FlowRedaction
package import FlowSystem

/// A tested scenario, kept for a process that makes the reports of the whole suite.
///
/// The parts of all kinds of reports are made where the scenario was tested: what they quote is there, and its
/// secrets are known. They are numbered as in the whole suite, so that a report is put together from them.
package struct StoredScenario: Sendable {
  /// Which one it is in the whole suite, from 1.
  package let number: Int
  /// What its line shows.
  package let report: ScenarioReport
  /// What each kind of report has of it, by the kind's name.
  let entries: [String: ReportFormat.Entry]

  /// A scenario that was tested here, of whose secrets nothing is kept.
  package init(
    _ scenario: ScenarioReport, number: Int, in job: GitHubJob?, _ redactor: Redactor
  ) {
    self.number = number
    var shown = scenario.redacted(by: redactor)
    entries = Dictionary(
      uniqueKeysWithValues: ReportFormat.all(in: job).map { [shown] in
        ($0.name, $0.entry(shown, number, redactor))
      })
    shown.stored = ScenarioReport.Stored(
      result: scenario.result, text: redactor.redacted(shown.foundText(redactor)),
      json: scenario.json(redactor).redacted(by: redactor.withoutPatterns, names: false))
    report = shown
  }

  /// One object.
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
      .init("report", report.stored?.json ?? .null),
      .init("entries", .object(ReportFormat.all.compactMap(entry))),
    ]
  }

  private func entry(_ format: ReportFormat) -> JSON.Member? {
    guard let entry = entries[format.name], !entry.text.isEmpty else { return nil }
    let attachments = entry.attachments.map(\.json)
    return .init(
      format.name,
      .object(
        [.init("text", .string(entry.text)), .init("first", .bool(entry.isFirst))]
          + (attachments.isEmpty ? [] : [.init("files", .array(attachments))])))
  }

  /// Reads what was written; of the kinds of reports only these are kept.
  ///
  /// Nil when something is missing or cannot be.
  package init?(_ json: JSON, keeping formats: Set<String>) {
    let members = MemberIndex(json)
    guard let number = members["number"]?.count, number > 0,
      let path = members["path"]?.string, let name = members["name"]?.string,
      let verdict = members["verdict"]?.string.flatMap(ScenarioReport.Verdict.init),
      let result = members["result"]?.string.flatMap(ScenarioReport.Result.init),
      let details = members["details"]?.texts, let changes = members["changes"]?.texts,
      let seconds = members["seconds"]?.seconds, let text = members["text"]?.string,
      let document = members["report"], let entries = members["entries"]
    else { return nil }
    var report = ScenarioReport(path: path, name: name)
    (report.verdict, report.details, report.changes) = (verdict, details, changes)
    report.elapsed = seconds
    report.slowAfter = members["slow"] == .bool(true) ? .seconds(-1) : nil
    report.isRefused = members["refused"] == .bool(true)
    report.isTolerated = members["tolerated"] == .bool(true)
    report.wasInterrupted = members["interrupted"] == .bool(true)
    // Who can write results may not drive the terminal of who merges them.
    report.stored = ScenarioReport.Stored(result: result, text: text.plain, json: document)
    var kept: [String: ReportFormat.Entry] = [:]
    for format in ReportFormat.all where formats.contains(format.name) {
      guard let json = entries[format.name] else { continue }
      guard let entry = ReportFormat.Entry(json), !entry.isForeign(to: format) else { return nil }
      kept[format.name] = entry
    }
    self.number = number
    self.report = report
    self.entries = kept
  }
}

extension ReportFormat.Entry {
  fileprivate init?(_ json: JSON) {
    guard let text = json["text"]?.string, case .bool(let isFirst)? = json["first"] else {
      return nil
    }
    var attachments: [Attachment] = []
    if case .array(let files)? = json["files"] {
      for file in files {
        guard let attachment = Attachment(file) else { return nil }
        attachments.append(attachment)
      }
    }
    self.init(text, isFirst: isFirst, attachments: attachments)
  }

  /// Elements that no part of a page has, and that would do more than show something.
  private static let active = [
    "<script", "<meta", "<base", "<link", "<style", "<iframe", "<object", "<embed", "<form",
    "</main", "</body", "</html",
  ]

  /// Whether it holds what flow writes into no part of such a report.
  fileprivate func isForeign(to format: ReportFormat) -> Bool {
    switch format.name {
    case ReportFormat.pageName:
      let text = text.lowercased()
      return Self.active.contains(where: text.contains)
    case ReportFormat.junit.name: return text.contains("<!") || text.contains("<?")
    default: return false
    }
  }
}

extension Attachment {
  fileprivate var json: JSON {
    .object([
      .init("ending", .string(String(path.split(separator: ".").last ?? ""))),
      .init("base64", .string(Base64.encode(bytes))),
    ])
  }

  /// The name follows from the content, so that it leads nowhere else.
  fileprivate init?(_ json: JSON) {
    guard let ending = json["ending"]?.string, 1...8 ~= ending.utf8.count,
      ending.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }),
      let bytes = json["base64"]?.string.flatMap(Base64.decode)
    else { return nil }
    self.init(bytes, ending: ending)
  }
}

extension JSON {
  /// A whole number from 0; nil for everything else.
  package var count: Int? {
    guard case .number(let text) = self, let number = Int(text), number >= 0 else { return nil }
    return number
  }

  /// A list of texts; nil for everything else.
  fileprivate var texts: [String]? {
    guard case .array(let elements) = self else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }

  /// A duration of at most 12 days, as `Duration.preciseSeconds` writes it; nil for everything else.
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
