internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// The Test Anything Protocol, a point for each scenario.
extension ReportFormat<SuiteReport> {
  /// Version 13, understood by all readers.
  ///
  ///     TAP version 13
  ///     1..2
  ///     ok 1 - good.yaml
  ///     not ok 2 - pay.yaml: Pay
  ///       ---
  ///       message: "'pay#1' failed with the error 'insufficient'"
  ///       severity: "error"
  ///       code: "F2002"
  ///       at: "pay.yaml:5:21"
  ///       duration_ms: "1.715"
  ///       notes: "20.00 is more than the balance of 10.00\ninput: {amount: 20.00}\nlive\nno transcript"
  ///       ...
  static var tap: ReportFormat {
    ReportFormat("tap", file: "flow.tap", Traits(showsRuns: false)) {
      scenario, number, redactor in
      let point = TAPPoint(scenario, number, redactor)
      return ReportEntry(point.caseSubtest + point.text)
    } frame: {
      frame(of: $0, version: 13)
    }
  }

  /// Version 14, with the steps of a scenario as a subtest.
  ///
  ///     TAP version 14
  ///     1..2
  ///     # Subtest: good.yaml
  ///         ok 1 - held
  ///         1..1
  ///     ok 1 - good.yaml
  ///     # Subtest: pay.yaml: Pay
  ///         not ok 1 - pay
  ///         1..1
  ///     not ok 2 - pay.yaml: Pay
  ///       …
  static var tap14: ReportFormat {
    ReportFormat("tap14", file: "flow.tap") { scenario, number, redactor in
      let point = TAPPoint(scenario, number, redactor)
      return ReportEntry(point.subtest + point.text)
    } frame: {
      frame(of: $0, version: 14)
    }
  }

  private static func frame(of suite: SuiteReport, version: Int) -> (head: String, foot: String) {
    let end = suite.wasInterrupted ? "Bail out! interrupted\n" : ""
    return ("TAP version \(version)\n1..\(suite.total)\n", end)
  }
}

/// The point of a scenario.
private struct TAPPoint {
  private static let longestText = 16 << 10
  private static let mostNotes = 120

  private let scenario: ScenarioReport
  private let number: Int
  private let redactor: Redactor

  init(_ scenario: ScenarioReport, _ number: Int, _ redactor: Redactor) {
    self.scenario = scenario
    self.number = number
    self.redactor = redactor
  }

  /// The line, and a block about the problem.
  var text: String {
    // A flaky one that fails the suite must not be ok, though its last run may have passed.
    let start = "\(scenario.isFailing ? "not ok" : "ok") \(number) - \(Self.name(scenario.title))"
    if scenario.result == .skipped { return "\(start) # SKIP not run\n" }
    return start + "\n" + (scenario.isFailing ? block : "")
  }

  /// The steps of the decisive run as a subtest, empty without one.
  var subtest: String {
    let (steps, rest) = scenario.shownSteps(redactor)
    let cases = scenario.shownCases(redactor)
    if steps.isEmpty && cases.isEmpty { return "" }
    var text = TextBuffer()
    text.append(text: "# Subtest: \(Self.name(scenario.title))\n")
    for (index, step) in steps.enumerated() {
      let isPassed = step.state == .passed || step.state == .notRun
      text.append(constant: isPassed ? "    ok " : "    not ok ")
      text.append(number: index + 1)
      text.append(constant: " - ")
      text.append(text: Self.name(step.title))
      if step.state == .notRun { text.append(constant: " # SKIP not run") }
      // A point that is not ok makes the one of its subtest so, unless it is to do.
      if step.state == .failed, step.mayFail { text.append(constant: " # TODO may fail") }
      text.append(constant: "\n")
    }
    for (index, shown) in cases.enumerated() {
      text.append(text: Self.point(shown, steps.count + index + 1))
    }
    if rest > 0 { text.append(text: "    # \(furtherLeftOut(rest))\n") }
    text.append(text: "    1..\(steps.count + cases.count)\n")
    return text.text
  }

  /// The cases of the decisive run as a subtest, empty without one.
  ///
  /// Readers of version 13 that know no subtests pass over it.
  var caseSubtest: String {
    let cases = scenario.shownCases(redactor)
    if cases.isEmpty { return "" }
    let points = cases.enumerated().map { Self.point($1, $0 + 1) }.joined()
    return "# Subtest: \(Self.name(scenario.title))\n\(points)    1..\(cases.count)\n"
  }

  private static func point(_ shown: ShownCase, _ number: Int) -> String {
    let isFailed = shown.mayFail || shown.result == .failure || shown.result == .error
    let directive =
      shown.mayFail ? " # TODO may fail" : shown.result == .skipped ? " # SKIP not run" : ""
    return "    \(isFailed ? "not ok" : "ok") \(number) - \(name(shown.name))\(directive)\n"
  }

  private var block: String {
    var lines = ["message: \(Self.quoted(scenario.message))"]
    lines.append("severity: \"\(scenario.result == .error ? "error" : "fail")\"")
    if let code = scenario.firstCode { lines.append("code: \(Self.quoted(code))") }
    if let place = scenario.firstPlace(in: nil) { lines.append("at: \(Self.quoted(place.text))") }
    lines.append("duration_ms: \"\(scenario.elapsed.milliseconds)\"")
    let notes = scenario.furtherNotes
    // In one text: Perl's `TAP::Parser` takes an item of a list with a colon in it for a mapping.
    if !notes.isEmpty {
      lines.append("notes: \(Self.quoted(notes.prefix(Self.mostNotes).joined(separator: "\n")))")
    }
    return "  ---\n" + lines.map { "  \($0)\n" }.joined() + "  ...\n"
  }

  /// Returns a name that no reader takes for a directive.
  private static func name(_ text: String) -> String {
    let line = text.line(500)
    // As nearly all names.
    if line.everyByte(satisfies: { $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }) {
      return line
    }
    return line.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// Returns YAML text in double quotes on one line, with the escapes known to Perl's
  /// `TAP::Parser`, too.
  private static func quoted(_ text: String) -> String {
    let plain = text.cut(toBytes: 2 * longestText).plain.cut(toBytes: longestText)
    let escaped = plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "\"\(escaped)\""
  }
}
