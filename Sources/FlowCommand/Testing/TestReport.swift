internal import FlowCore
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

/// Tells a person how the scenarios of a suite ended, one line for each and a summary.
struct TestReport {
  private static let chunk = 32 << 10

  private let flow: FlowCommand
  private let isQuiet: Bool
  private let usesSigns: Bool
  private var buffer = ""
  /// How many scenarios ended in which way.
  private(set) var counts: [TestOutcome.Verdict: Int] = [:]

  /// The scenarios so far, for machines.
  private var documents: [JSON] = []
  private let format: ReportFormat

  private var world: CommandWorld { flow.world }

  init(_ flow: FlowCommand, _ settings: ProjectSettings) {
    self.flow = flow
    isQuiet = settings.isQuiet.value
    format = settings.format.value
    usesSigns = flow.world.isTerminal && flow.world.environment["TERM"] != "dumb"
  }

  /// Tells of one scenario: its line, then what is wrong, to standard error.
  mutating func add(_ outcome: TestOutcome) {
    counts[outcome.verdict, default: 0] += 1
    if format == .json { return documents.append(outcome.json(flow.redactor)) }
    if outcome.verdict == .passed, isQuiet { return }
    buffer += line(outcome)
    buffer += outcome.changes.map { "    \(Value.onOneLine($0))\n" }.joined()
    let isWordless = outcome.diagnostics.isEmpty && outcome.notes.isEmpty
    if world.isTerminal || !isWordless || buffer.utf8.count >= Self.chunk { flush() }
    if isWordless { return }
    // A line of a transcript is long and nobody wrote it; its number is enough.
    let transcript = outcome.scenario.transcript
    flow.print(
      outcome.diagnostics,
      isQuoting: !outcome.diagnostics.contains { $0.span?.file == transcript })
    flow.note(outcome.notes)
  }

  /// Counts scenarios that were never begun.
  mutating func addNotRun(_ count: Int) {
    if count > 0 { counts[.notRun, default: 0] += count }
  }

  /// Says how it ended: `failed in 45 ms: 12 passed, 1 failed`.
  mutating func finish(_ code: ExitCode, _ elapsed: Duration, seed: UInt64?) {
    if format == .json {
      return flow.write(
        .object([
          .init("passed", .bool(code == .passed)), .init("scenarios", .array(documents)),
        ]))
    }
    let parts = TestOutcome.Verdict.allCases.compactMap { verdict -> String? in
      let count = counts[verdict, default: 0]
      return count > 0 || verdict == .passed ? "\(count) \(verdict.rawValue)" : nil
    }
    buffer += "\(code == .passed ? "passed" : "failed") in \(elapsed.reportText): "
    buffer += parts.joined(separator: ", ") + "\n"
    if let seed { buffer += "shuffled, --shuffle \(seed) gives this order again\n" }
    flush()
  }

  private mutating func flush() {
    if !buffer.isEmpty { world.output(buffer) }
    buffer = ""
  }

  private func line(_ outcome: TestOutcome) -> String {
    let details = (outcome.details + [outcome.elapsed.reportText]).joined(separator: ", ")
    let text = "\(outcome.scenario.path)  (\(details))"
    return "\(mark(outcome.verdict)) \(Value.onOneLine(text))\n"
  }

  /// A sign for a terminal, a word for everything else.
  private func mark(_ verdict: TestOutcome.Verdict) -> String {
    guard usesSigns else {
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

extension TestOutcome {
  /// The outcome for machines, with recorded values that a redactor has seen.
  fileprivate func json(_ redactor: Redactor) -> JSON {
    let differences = difference.map { difference in
      [JSON.Member("difference", DifferenceFormat.json(difference, redactor))]
    }
    return .object(
      [
        .init("path", .string(scenario.path)), .init("verdict", .string(verdict.rawValue)),
        .init("details", .array(details.map(JSON.string))),
        .init(
          "mismatches",
          .array(mismatches.map { MismatchFormat.json($0, acceptance: acceptance, redactor) })),
        .init("diagnostics", DiagnosticFormat.json(diagnostics, redactor)),
        .init("notes", .array(notes.map { .string(redactor.redacted($0)) })),
      ] + (differences ?? []))
  }
}
