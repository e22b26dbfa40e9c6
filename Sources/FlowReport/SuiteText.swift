internal import FlowCore
package import FlowRedaction
internal import FlowScenario
internal import FlowSystem

/// Reports a suite to people while it runs: a line for each scenario, and a summary.
package struct SuiteText {
  /// How the report looks.
  package struct Style: Sendable {
    /// Writes each line at once.
    package var isTerminal = false
    /// Writes signs instead of words.
    package var usesSigns = false
    /// Writes no lines for scenarios that passed.
    package var isQuiet = false

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

  /// A report to these streams; what is wrong goes to the second.
  package init(
    style: Style, _ redactor: Redactor, output: @escaping @Sendable (String) -> Void,
    errorOutput: @escaping @Sendable (String) -> Void
  ) {
    self.style = style
    self.redactor = redactor
    self.output = output
    self.errorOutput = errorOutput
  }

  /// Reports one scenario: its line, then what is wrong.
  package mutating func add(_ scenario: ScenarioReport) {
    if scenario.verdict == .passed, style.isQuiet { return }
    buffer += line(scenario)
    buffer += scenario.changes.map { "    \($0.onOneLine)\n" }.joined()
    let found = scenario.findings
    let isWordless = found.diagnostics.isEmpty && found.notes.isEmpty
    if style.isTerminal || !isWordless || buffer.utf8.count >= Self.chunk { flush() }
    if isWordless { return }
    // The lines of a transcript are long and generated; their numbers are enough.
    let transcript = Path.transcript(of: scenario.path)
    let isQuoting = !found.diagnostics.contains { $0.span?.file == transcript }
    errorOutput(DiagnosticText.text(of: found.diagnostics, isQuoting: isQuoting, redactor))
    errorOutput(DiagnosticText.notes(found.notes))
  }

  /// Reports the end: `failed in 45 ms: 12 passed, 1 failed`.
  package mutating func finish(_ suite: SuiteReport) {
    let parts = ScenarioReport.Verdict.allCases.compactMap { verdict -> String? in
      let count = suite.counts[verdict, default: 0]
      return count > 0 || verdict == .passed ? "\(count) \(verdict.rawValue)" : nil
    }
    buffer += "\(suite.passed ? "passed" : "failed") in \(suite.elapsed.reportText): "
    buffer += parts.joined(separator: ", ") + "\n"
    if let seed = suite.seed {
      buffer += "shuffled, --shuffle \(seed) gives this order again\n"
    }
    flush()
  }

  private mutating func flush() {
    if !buffer.isEmpty { output(buffer) }
    buffer = ""
  }

  private func line(_ scenario: ScenarioReport) -> String {
    let details = (scenario.details + [scenario.elapsed.reportText]).joined(separator: ", ")
    return "\(mark(scenario.verdict)) \(("\(scenario.path)  (\(details))").onOneLine)\n"
  }

  /// A sign for a terminal, a word for everything else.
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
