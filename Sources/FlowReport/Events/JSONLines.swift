internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// JSON Lines, an object each: `version`, `kind` and `payload`, as `Docs/schemas/report.schema.json` describes them.
///
/// A reader passes over kinds and members that it does not know, so adding some is no new version.
///
///     {"version":1,"kind":"suite","payload":{"tool":"flow","scenarios":1}}
///     {"version":1,"kind":"scenario","payload":{"number":1,"path":"good.yaml","verdict":"passed", …}}
///     {"version":1,"kind":"run","payload":{"scenario":1,"run":1,"passed":true,"virtualTime":false, …}}
///     {"version":1,"kind":"step","payload":{"scenario":1,"run":1,"id":1,"address":"first#1", …}}
extension ReportFormat<SuiteReport> {
  static var jsonLines: ReportFormat {
    var format = ReportFormat("jsonl", file: "flow-report.jsonl") { scenario, number, redactor in
      JSONLines(scenario, number, redactor).entry
    } frame: {
      frame(of: $0)
    }
    format.traits.showsLines = true
    format.stored = StoredForm(entry: format.entry) { text, _, number in
      JSONLines.rewritten(text, number).map { ReportEntry($0) }
    }
    return format
  }

  private static func frame(of suite: SuiteReport) -> (head: String, foot: String) {
    var (head, foot) = (JSONWriter(), JSONWriter())
    head.line("suite", [.init("tool", .string("flow")), .init("scenarios", .number(suite.total))])
    let counts = ScenarioReport.Verdict.allCases.map { verdict in
      JSON.Member(verdict.rawValue, .number(suite.counts[verdict] ?? 0))
    }
    foot.line(
      "end",
      [
        .init("passed", .bool(suite.passed)), .init("interrupted", .bool(suite.wasInterrupted)),
        .init("seconds", .number(suite.elapsed.preciseSeconds)), .init("verdicts", .object(counts)),
      ])
    return (head.text, foot.text)
  }
}

/// The lines of one scenario: its own, then each of its runs with the spans of the run.
private struct JSONLines {
  private let scenario: ScenarioReport
  private let number: Int
  private let redactor: Redactor

  init(_ scenario: ScenarioReport, _ number: Int, _ redactor: Redactor) {
    self.scenario = scenario
    self.number = number
    self.redactor = redactor
  }

  /// The lines, with long values in files until the report is assembled.
  var entry: ReportEntry {
    var pieces: [ReportEntry.Piece] = []
    var writer = JSONWriter()
    writer.line("scenario", members)
    for (index, attempt) in scenario.attempts.enumerated() {
      let place: [JSON.Member] = [
        .init("scenario", .number(number)), .init("run", .number(index + 1)),
      ]
      writer.beginLine("run")
      writer.members(place + run(attempt))
      attempt.trace.outputs.write(to: &writer, &pieces)
      writer.finishLine()
      var problems = CaseProblems(of: attempt)
      for id in attempt.trace.spans.indices {
        let found = problems.next(of: attempt.trace.spans[id]).map {
          JSON.diagnostics($0.bounded, redactor)
        }
        attempt.trace.write(id, found, scenario: number, run: index + 1, to: &writer, &pieces)
      }
    }
    let failure = scenario.attempts.lazy.compactMap(\.trace.failure).first
    return ReportEntry(
      pieces + [.text(writer.text.shownJSON)], failure: failure)
  }

  private static let kinds: Set<String> = [
    "scenario", "run", "step", "call", "wait", "event", "case",
  ]

  /// Rewrites the lines of a scenario written by another process.
  ///
  /// Nil for lines that this process would not write.
  static func rewritten(_ text: String, _ number: Int) -> String? {
    guard text.utf8.last == 0x0A else { return nil }
    var writer = JSONWriter()
    for (index, line) in text.utf8.dropLast().split(
      separator: 0x0A, omittingEmptySubsequences: false
    ).enumerated() {
      guard let json = try? JSONParser.parse(Array(line)[...]), case .object(let members) = json,
        members.map(\.name) == ["version", "kind", "payload"], json["version"] == .number("1"),
        let kind = json["kind"]?.string, kinds.contains(kind), (kind == "scenario") == (index == 0),
        json["payload"]?[kind == "scenario" ? "number" : "scenario"] == .number(number)
      else { return nil }
      writer.value(json)
      writer.endLine()
    }
    return writer.text.shownJSON
  }

  private var members: [JSON.Member] {
    let name: [JSON.Member] = scenario.name.isEmpty ? [] : [.init("name", .text(scenario.name))]
    return [.init("number", .number(number)), .init("path", .text(scenario.path))] + name + [
      .init("verdict", .string(scenario.verdict.rawValue)),
      .init("seconds", .number(scenario.elapsed.preciseSeconds)),
      .init("details", .array(scenario.details.map(JSON.text))),
      .init("diagnostics", .diagnostics(scenario.findings.diagnostics.bounded, redactor)),
      .init("notes", .array(scenario.findings.notes.map(JSON.text))),
    ] + (scenario.trials.map { [.init("trials", $0.json(redactor))] } ?? [])
  }

  private func run(_ attempt: ScenarioReport.Attempt) -> [JSON.Member] {
    let outputs = attempt.trace.end?.outputs.map { JSON.Member($0.name, .text(of: $0.value)) }
    return [
      .init("passed", .bool(attempt.passed)),
      .init("virtualTime", .bool(attempt.trace.isTimeVirtual)),
      .init("omitted", .number(attempt.trace.omitted)),
      .init("diagnostics", .diagnostics(attempt.diagnostics.bounded, redactor)),
      .init("log", .array(attempt.log.map(JSON.text))),
    ] + (outputs.map { $0.isEmpty ? [] : [.init("outputs", .object($0))] } ?? [])
  }
}

/// The problems of a run's failed cases.
///
/// A trace has no problems, and cases no addresses, so their names tell which belong together.
private struct CaseProblems {
  /// The problems of the cases of each name, in their order, only of names with some.
  private var waiting: [String: ArraySlice<[Diagnostic]>]

  init(of attempt: ScenarioReport.Attempt) {
    waiting = Dictionary(grouping: attempt.cases, by: \.name)
      .filter { $1.contains { !$0.diagnostics.isEmpty } }.mapValues { $0.map(\.diagnostics)[...] }
  }

  /// Returns the problems of the next case with the name of a span, or nil without any.
  mutating func next(of span: RunTrace.Span) -> [Diagnostic]? {
    guard !waiting.isEmpty, case .iteration = span.kind,
      let found = waiting[span.title]?.popFirst(), !found.isEmpty
    else { return nil }
    return found
  }
}

extension [Diagnostic] {
  /// The problems that fit into a line, their texts cut.
  ///
  /// A note of the last one counts the rest.
  fileprivate var bounded: [Diagnostic] {
    var (shown, room) = ([Diagnostic](), 256 << 10)
    for diagnostic in self where room > 0 { shown.append(diagnostic.bounded(by: &room)) }
    let rest = count - shown.count
    if rest > 0 { shown[shown.count - 1].notes.append(moreLeftOut(rest)) }
    return shown
  }
}

extension Diagnostic {
  /// The longest text, in bytes.
  private static let longestText = 8 << 10

  fileprivate func bounded(by room: inout Int) -> Diagnostic {
    var copy = self
    copy.message = message.cut(toBytes: Self.longestText)
    room -= copy.message.utf8.count
    copy.notes = Self.bounded(notes, by: &room)
    copy.context = Self.bounded(context, by: &room)
    copy.fixes = Self.bounded(fixes, by: &room)
    return copy
  }

  private static func bounded(_ texts: [String], by room: inout Int) -> [String] {
    var shown: [String] = []
    for text in texts where room > 0 {
      shown.append(text.cut(toBytes: longestText))
      room -= shown[shown.count - 1].utf8.count
    }
    return shown
  }
}

extension RunTrace {
  /// Writes a span without building a tree, since spans are many, and in place, since a copy is as
  /// much work.
  fileprivate func write(
    _ id: Int, _ problems: JSON?, scenario: Int, run: Int, to writer: inout JSONWriter,
    _ pieces: inout [ReportEntry.Piece]
  ) {
    writer.beginLine(spans[id].kind.reportName)
    writer.member("scenario", number: scenario)
    writer.member("run", number: run)
    writer.member("id", number: id)
    if let parent = spans[id].parent { writer.member("parent", number: parent) }
    writer.member("address", string: spans[id].address.description.cut(toBytes: JSON.longestText))
    writer.member("title", string: spans[id].title.cut(toBytes: JSON.longestText))
    writer.member("state", string: spans[id].state.rawValue)
    writer.member("start", spans[id].start.secondParts)
    writer.member("seconds", spans[id].elapsed.secondParts)
    writer.member("input", spans[id].lines.input, &pieces)
    writer.member("answer", spans[id].lines.answer, &pieces)
    spans[id].computed.write(to: &writer, &pieces)
    if case .error(let error) = spans[id].outcome {
      writer.member("error", string: error.code.name)
    }
    if let problems {
      writer.name(plain: "diagnostics")
      writer.value(problems)
    }
    writer.finishLine()
  }
}

extension ComputedValues {
  /// Writes the values as a member, unless there are none.
  fileprivate func write(to writer: inout JSONWriter, _ pieces: inout [ReportEntry.Piece]) {
    if entries.isEmpty { return }
    writer.name(plain: "values")
    writer.beginArray()
    for entry in entries {
      writer.beginObject()
      writer.member("use", string: entry.value.use.rawValue)
      if !entry.value.name.isEmpty { writer.member("name", string: entry.value.name) }
      if !entry.value.source.isEmpty { writer.member("source", string: entry.value.source) }
      writer.member("value", entry.line, &pieces)
      if !entry.value.operands.isEmpty { writer.member(operands: entry.value.operands) }
      writer.endObject()
    }
    writer.endArray()
    if omitted > 0 { writer.member("omittedValues", number: omitted) }
  }
}

extension JSONWriter {
  fileprivate mutating func member(operands: [OperandText]) {
    name(plain: "from")
    beginArray()
    for operand in operands {
      beginObject()
      member("text", string: operand.text)
      member("value", string: operand.value)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func line(_ kind: String, _ payload: [JSON.Member]) {
    beginLine(kind)
    members(payload)
    finishLine()
  }

  fileprivate mutating func members(_ members: [JSON.Member]) {
    for member in members {
      name(member.name)
      value(member.value)
    }
  }

  fileprivate mutating func beginLine(_ kind: String) {
    beginObject()
    member("version", number: 1)
    member("kind", string: kind)
    name(plain: "payload")
    beginObject()
  }

  fileprivate mutating func finishLine() {
    endObject()
    endObject()
    endLine()
  }

  /// Writes a member with an already written value.
  ///
  /// A long one is copied when the report is assembled.
  fileprivate mutating func member(
    _ name: StaticString, _ value: ScratchPiece?, _ pieces: inout [ReportEntry.Piece]
  ) {
    guard let value else { return }
    self.name(plain: name)
    // What cannot be read is reported with the piece.
    if value.count <= 4 << 10, let bytes = try? value.bytes {
      self.value(written: bytes)
    } else {
      pieces.append(.text(takeBeforeValue().shownJSON))
      pieces.append(.stored(value))
    }
  }
}

extension RunTrace.Span.Kind {
  /// The name in reports for machines.
  var reportName: String {
    switch self {
    case .step: "step"
    case .call: "call"
    case .wait: "wait"
    case .report: "event"
    case .iteration: "case"
    }
  }
}
