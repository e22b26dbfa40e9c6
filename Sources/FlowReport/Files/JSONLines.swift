internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowSystem

/// JSON Lines, an object each: `version`, `kind` and `payload`, as `Docs/schemas/report.schema.json` describes them.
///
/// A reader passes over kinds and members that it does not know, so adding some is no new version.
extension ReportFormat {
  static let jsonLines = ReportFormat("jsonl", file: "flow-report.jsonl") {
    scenario, number, redactor in
    Entry(JSONLines(scenario, number, redactor).text)
  } frame: { suite in
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

/// The lines of one scenario: itself, then each of its runs with what happened in it.
private struct JSONLines {
  private let scenario: ScenarioReport
  private let number: Int
  private let redactor: Redactor

  init(_ scenario: ScenarioReport, _ number: Int, _ redactor: Redactor) {
    self.scenario = scenario
    self.number = number
    self.redactor = redactor
  }

  var text: String {
    var writer = JSONWriter()
    writer.line("scenario", members)
    for (index, attempt) in scenario.attempts.enumerated() {
      let place: [JSON.Member] = [
        .init("scenario", .number(number)), .init("run", .number(index + 1)),
      ]
      writer.line("run", place + run(attempt))
      for (index, span) in attempt.trace.spans.enumerated() {
        writer.line(span.jsonKind, place + span.members(index))
      }
    }
    return writer.text
  }

  private var members: [JSON.Member] {
    let name: [JSON.Member] = scenario.name.isEmpty ? [] : [.init("name", .text(scenario.name))]
    return [.init("number", .number(number)), .init("path", .text(scenario.path))] + name + [
      .init("verdict", .string(scenario.verdict.rawValue)),
      .init("seconds", .number(scenario.elapsed.preciseSeconds)),
      .init("details", .array(scenario.details.map(JSON.text))),
      .init("diagnostics", .diagnostics(scenario.findings.diagnostics, redactor)),
      .init("notes", .array(scenario.findings.notes.map(JSON.text))),
    ]
  }

  private func run(_ attempt: ScenarioReport.Attempt) -> [JSON.Member] {
    [
      .init("passed", .bool(attempt.passed)),
      .init("virtualTime", .bool(attempt.trace.isTimeVirtual)),
      .init("omitted", .number(attempt.trace.omitted)),
      .init("diagnostics", .diagnostics(attempt.diagnostics, redactor)),
      .init("log", .array(attempt.log.map(JSON.text))),
    ]
  }
}

extension RunTrace.Span {
  fileprivate var jsonKind: String {
    switch kind {
    case .step: "step"
    case .call: "call"
    case .wait: "wait"
    case .report: "event"
    }
  }

  fileprivate func members(_ index: Int) -> [JSON.Member] {
    var members: [JSON.Member] = [.init("id", .number(index))]
    if let parent { members.append(.init("parent", .number(parent))) }
    members += [
      .init("address", .text("\(address)")), .init("title", .text(title)),
      .init("state", .string(state.reportName)), .init("start", .number(start.preciseSeconds)),
      .init("seconds", .number(elapsed.preciseSeconds)),
    ]
    if let input { members.append(.init("input", .value(input))) }
    switch outcome {
    case .answer(let value): members.append(.init("answer", .value(value)))
    case .error(let error): members.append(.init("error", .string(error.code.name)))
    case .cancelled, nil: break
    }
    return members
  }
}

extension RunTrace.Span.State {
  /// How reports for machines call it.
  var reportName: String {
    switch self {
    case .running: "running"
    case .passed: "passed"
    case .failed: "failed"
    case .notRun: "not run"
    case .cancelled: "cancelled"
    }
  }
}

extension JSON {
  private static let longestText = 64 << 10

  /// A text of bearable length.
  static func text(_ text: String) -> JSON { .string(text.cut(toBytes: longestText)) }

  /// A value that crossed the boundary, its long texts cut.
  fileprivate static func value(_ value: Value) -> JSON {
    // A value is nested no deeper than the parser reads.
    (try? JSONParser.parse(Array(value.json.utf8)[...]))?.cut ?? .null
  }

  private var cut: JSON {
    switch self {
    case .string(let text): .text(text)
    case .array(let elements): .array(elements.map(\.cut))
    case .object(let members): .object(members.map { .init($0.name, $0.value.cut) })
    case .null, .bool, .number: self
    }
  }

}

extension JSONWriter {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  fileprivate mutating func line(_ kind: String, _ payload: [JSON.Member]) {
    value(
      .object([
        .init("version", .number("1")), .init("kind", .string(kind)),
        .init("payload", .object(payload)),
      ]))
    endLine()
  }
}
