package import FlowRedaction
internal import FlowSystem

/// The scenarios of a suite that have a line, each level including the ones before it.
package enum StatusLevel: String, Sendable, CaseIterable, Comparable {
  /// No scenario.
  case none
  /// Failed or interrupted scenarios.
  case fail
  /// Scenarios with passing and failing runs.
  case flaky
  /// Scenarios with a newly written transcript.
  case recorded
  /// Slow scenarios that passed.
  case slow
  /// All scenarios that passed.
  case pass
  /// All scenarios, also those not started.
  case all

  /// Returns true if the left level has fewer lines.
  package static func < (left: StatusLevel, right: StatusLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ScenarioReport {
  /// The first level with a line for it.
  fileprivate var level: StatusLevel {
    switch verdict {
    case .failed: .fail
    case .flaky: .flaky
    case .recorded: isRefused ? .fail : .recorded
    case .passed: isSlow ? .slow : .pass
    case .notRun: wasInterrupted ? .fail : .all
    }
  }
}

/// Reports a suite to people while it runs: a line for each scenario, and a summary.
///
///     [1/2] passed   good.yaml  (live, no transcript, 2.4 ms)
///     [2/2] failed   pay.yaml  (live, no transcript, 1.7 ms)
///     failed in 12 ms: scenarios 1 passed, 1 failed
///     live: api
package struct SuiteText {
  /// The look of the report.
  package struct Style: Sendable {
    /// Writes each line at once.
    package var isTerminal = false
    /// Writes signs instead of words.
    package var usesSigns = false
    /// True to write problems in colours.
    package var hasErrorColors = false
    /// The scenarios with a line at their end.
    package var status = StatusLevel.pass
    /// The scenarios with another line at the end of the suite.
    package var final = StatusLevel.none
    /// The total for counting the lines, as in `[ 12/200]`, or nil to count nothing.
    package var total: Int?

    /// Plain text, every line of it.
    package init() {}
  }

  // Text is written in pieces of this many bytes unless a terminal shows it.
  private static let chunk = 32 << 10

  private let style: Style
  private let redactor: Redactor
  private let output: @Sendable (String) -> Void
  private let errorOutput: @Sendable (String) -> Void
  private var buffer = ""
  private var count = 0
  private var finalLines = ""

  /// Creates a report to two streams, of which the second receives the problems.
  package init(
    style: Style, _ redactor: Redactor, output: @escaping @Sendable (String) -> Void,
    errorOutput: @escaping @Sendable (String) -> Void
  ) {
    self.style = style
    self.redactor = redactor
    self.output = output
    self.errorOutput = errorOutput
  }

  /// Reports one scenario: its line, then its problems.
  package mutating func add(_ scenario: ScenarioReport) {
    count += 1
    if scenario.level <= style.final { finalLines += line(scenario) }
    if scenario.level <= style.status {
      buffer += counter + line(scenario)
      buffer += scenario.changes.map { "    \($0.onOneLine)\n" }.joined()
    } else if scenario.verdict == .passed {
      return
    }
    let found = scenario.findings
    let storedText = scenario.stored?.brief ?? ""
    let isWordless = found.diagnostics.isEmpty && found.notes.isEmpty && storedText.isEmpty
    if style.isTerminal || !isWordless || buffer.utf8.count >= Self.chunk { flush() }
    if isWordless { return }
    if !storedText.isEmpty { return errorOutput(storedText) }
    let hasColors = style.hasErrorColors
    errorOutput(
      scenario.text(
        of: found.diagnostics, isAmongOthers: true, hasColors: hasColors, isBrief: true, redactor))
    errorOutput(DiagnosticText.notes(found.notes, hasColors: hasColors))
  }

  /// Reports the end: `failed in 45 ms: scenarios 12 passed, 1 failed`, and unless lines of passed
  /// scenarios are left out, the sources of the answers.
  package mutating func finish(_ suite: SuiteReport) {
    var parts = ScenarioReport.Verdict.allCases.compactMap { verdict -> String? in
      let count = suite.counts[verdict, default: 0]
      return count > 0 || verdict == .passed ? "\(count) \(verdict.rawValue)" : nil
    }
    if suite.slowCount > 0 { parts.append("\(suite.slowCount) slow") }
    buffer += finalLines
    buffer += "\(suite.passed ? "passed" : "failed") in \(suite.elapsed.reportText): scenarios "
    buffer += parts.joined(separator: ", ") + "\n"
    if let seed = suite.seed { buffer += "shuffled, --shuffle \(seed) gives this order again\n" }
    if style.status >= .pass, let sources = suite.sources.text {
      buffer += "\(sources)\n"
      if suite.passed, let note = suite.sources.note { buffer += "note: \(note)\n" }
    }
    if suite.listsCoverage { buffer += suite.redacted(by: redactor).coverage.text }
    flush()
  }

  private mutating func flush() {
    if !buffer.isEmpty { output(buffer) }
    buffer = ""
  }

  private var counter: String {
    guard let total = style.total else { return "" }
    let (digits, all) = (String(count), String(total))
    let padding = String(repeating: " ", count: max(0, all.utf8.count - digits.utf8.count))
    return "[\(padding)\(digits)/\(all)] "
  }

  private func line(_ scenario: ScenarioReport) -> String {
    let slow = scenario.isSlow ? ["slow"] : []
    let details = (scenario.details + slow + [scenario.elapsed.reportText]).joined(separator: ", ")
    return "\(mark(scenario.verdict)) \(("\(scenario.path)  (\(details))").onOneLine)\n"
  }

  private func mark(_ verdict: ScenarioReport.Verdict) -> String {
    guard style.usesSigns else {
      return verdict.rawValue + String(repeating: " ", count: 8 - verdict.rawValue.count)
    }
    switch verdict {
    case .passed: return "✓"
    case .failed: return "✗"
    case .flaky: return "~"
    case .recorded: return "●"
    case .notRun: return "-"
    }
  }
}
