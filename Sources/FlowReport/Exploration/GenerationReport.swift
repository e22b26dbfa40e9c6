internal import FlowEngine
package import FlowExplore
internal import FlowRedaction
internal import FlowSystem

/// The result of `flow explore --generate`.
package struct GenerationReport: Sendable {
  private let generation: Generation
  private let file: String
  private let written: Written?

  /// The written failing scenario.
  package struct Written: Sendable {
    let scenario: String
    let transcript: String
    /// True if it existed before.
    let isKnown: Bool

    /// Creates a pair of a scenario and its transcript.
    package init(scenario: String, transcript: String, isKnown: Bool = false) {
      self.scenario = scenario
      self.transcript = transcript
      self.isKnown = isKnown
    }
  }

  /// Creates the report on a scenario's file.
  ///
  /// `written` is nil if nothing failed.
  package init(_ generation: Generation, of file: String, written: Written?) {
    self.generation = generation
    self.file = file
    self.written = written
  }

  private var operations: [String] { generation.callable.names }

  private var isFailing: Bool {
    generation.found != nil || generation.standstill != nil || !generation.problems.isEmpty
  }

  private var scenariosASecond: Int {
    let seconds = generation.elapsed / .seconds(1)
    return seconds > 0 ? Int(Double(generation.tried + generation.shrinkingTries) / seconds) : 0
  }

  /// The called operations.
  private var called: [String] {
    operations.filter { generation.covered.contains("operation \($0)") }
  }

  private func covered(_ kind: String) -> [String] {
    generation.covered.filter { $0.hasPrefix(kind) }.map { String($0.dropFirst(kind.count)) }
      .sorted()
  }

  // MARK: - For people

  fileprivate var text: String {
    var text = "\(file.onOneLine)\n" + components
    if !generation.problems.isEmpty || generation.standstill != nil {
      return text + "failed without a generated call\(generation.standstill?.clause ?? "")\n"
    }
    if operations.isEmpty {
      return text + "nothing to call: flow cannot generate the inputs of any operation\n"
    }
    text += "generated \(counted(generation.tried, "scenario")) with "
    text += "\(counted(generation.calls, "call")) in "
    text += "\(generation.elapsed.reportText), \(scenariosASecond) a second\n"
    return text + coverage + ending
  }

  /// The components called for real, and those not called for that reason.
  private var components: String {
    let callable = generation.callable
    var text = callable.outside.map { outside in
      "'\(outside.component)' \(outside.reason): its generated calls are made for real\n"
    }.joined()
    text += callable.leftOut.map {
      "no generated calls of '\($0.component)' are made: it \($0.reason)\n"
    }.joined()
    return text
  }

  private var coverage: String {
    var text = "called \(called.count) of \(operations.count) operations"
    let missing = operations.filter { !called.contains($0) }
    text += missing.isEmpty ? "\n" : "; not \(missing.joined(separator: ", "))\n"
    for (title, kind) in [("errors", "error "), ("events", "event ")] {
      let found = covered(kind)
      if !found.isEmpty { text += "\(title): \(found.joined(separator: ", "))\n" }
    }
    return text
  }

  private var ending: String {
    guard let found = generation.found else {
      return generation.isStopped ? "interrupted; no failure found so far\n" : "no failure found\n"
    }
    var text = "failed after \(counted(found.calls.count, "call")):\n"
    text += found.calls.map { "  \($0.onOneLine)\n" }.joined()
    if found.run == nil {
      text += "not deterministic: it did not fail when it was run again, so nothing was written\n"
    }
    if let written {
      let path = written.scenario.onOneLine
      text +=
        written.isKnown ? "\(path) already contains it\n" : "wrote \(path) and its transcript\n"
    }
    return text
  }

  // MARK: - For machines

  fileprivate func json(_ redactor: Redactor) -> JSON {
    var members: [JSON.Member] = [
      .init("scenario", .string(file)), .init("generated", .number(generation.tried)),
      .init("calls", .number(generation.calls)), .init("operations", .list(operations)),
      .init("called", .list(called)), .init("errors", .list(covered("error "))),
      .init("events", .list(covered("event "))), .init("interrupted", .bool(generation.isStopped)),
      .init("failed", .bool(isFailing)),
      .init("outside", .list(generation.callable.outside.map(\.component))),
      .init("leftOut", .list(generation.callable.leftOut.map(\.component))),
    ]
    if !generation.problems.isEmpty {
      members.append(.init("diagnostics", .diagnostics(generation.problems, redactor)))
    }
    if let found = generation.found {
      members += [
        .init("failing", .list(found.calls.map(redactor.redacted))),
        .init("written", written.map { .string($0.scenario) } ?? .null),
        .init("recorded", written.map { .string($0.transcript) } ?? .null),
        .init("diagnostics", .diagnostics(found.run?.report.diagnostics ?? [], redactor)),
      ]
    }
    return .object(members)
  }
}

extension GenerationProgress {
  /// `1200 scenarios, 840 a second, 12 of 14 operations called`, and whether a failure is shrunk.
  package var text: String {
    let seconds = elapsed / .seconds(1)
    let rate = seconds > 0 ? Int(Double(tried) / seconds) : 0
    return
      "\(counted(tried, "scenario")), \(rate) a second, \(called) of \(callable) operations called"
      + (isShrinking ? ": shrinking what fails" : "")
  }
}

extension ReportFormat<GenerationReport> {
  /// Text for people.
  ///
  ///     shop.yaml
  ///     no drawn calls of 'catalog' are made: it uses files
  ///     generated 20 scenarios with 82 calls in 482 ms, 41 a second
  ///     called 3 of 3 operations
  ///     errors: balance.add: illegal, balance.subtract: illegal, balance.subtract: insufficient
  ///     events: balance.changed
  ///     no failure found
  package static var text: ReportFormat { ReportFormat("text") { report, _ in .text(report.text) } }
  /// One JSON object.
  ///
  ///     {"scenario":"shop.yaml","generated":20,"calls":82,
  ///     "operations":["balance.load","balance.subtract","balance.add"],
  ///     "called":["balance.load","balance.subtract","balance.add"],
  ///     "errors":["balance.add: illegal", …],"events":["balance.changed"],"interrupted":false,
  ///     "failed":false,"outside":[],"leftOut":["catalog","images"]}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}
