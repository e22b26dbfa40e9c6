internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem

extension CommandContext {
  /// Collects the verdict of a command if its arguments ask for it.
  func expectVerdict(
    of command: Command, _ parsed: ParsedArguments, _ arguments: [String]
  ) throws(UsageError) {
    let details = try parsed.only("details")
    if command.syntax.options.contains(where: { $0.completion == .words(["text", "json"]) }) {
      _ = try parsed.only("format", "text or json") { ["text", "json"].contains($0) ? $0 : nil }
    }
    if parsed.wantsVerdict {
      let again = VerdictAdvice.again(arguments, redactor)
      verdict.activate(command.syntax.name, again: again, details: details)
    } else if details != nil, parsed.has("format") || command.syntax.name != "test" {
      throw .needs(option: "details", other: "format json")
    }
  }

  /// Collects the verdict of a suite whose project asks for it.
  func expectVerdict(
    of settings: ProjectSettings, _ parsed: ParsedArguments
  ) throws(UsageError) {
    if verdict.isActive { return }
    let details = try parsed.only("details")
    if settings.format.value == "json" {
      verdict.activate("test", again: "", details: details)
    } else if details != nil {
      throw .needs(option: "details", other: "format json")
    }
  }

  /// Collects the verdict of a command with a wrong command line that asks for it.
  func expectVerdict(of name: String?, _ arguments: [String]) {
    let asks = zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
    guard let name, !verdict.isActive, asks || arguments.contains("--format=json"),
      Command.all.contains(where: { $0.hasVerdict && $0.syntax.name == name })
    else { return }
    verdict.activate(name, again: "", details: nil)
  }

  /// Prints the verdict, if it was collected, and writes the complete one to its file.
  func printVerdict(_ code: ExitCode) -> ExitCode {
    guard verdict.isActive else { return code }
    var (code, file) = (code, verdict.details)
    if let path = file, path != ReportRequests.output, let problem = writeDetails(code, to: path) {
      process.say("the details were not written: \(problem)")
      (code, file) = (code.worse(.cannotWrite), nil)
    }
    let isComplete = file == ReportRequests.output
    let verdict = verdict.verdict(code)
    process.documentOutput(
      isComplete
        ? verdict.document(.complete, file: nil).documentText(redactor)
        : short(verdict, file: file))
    return code
  }

  /// The most bytes of a short document.
  private static let largest = 16 << 10

  /// Returns the short document, with fewer problems if they are long.
  private func short(_ verdict: Verdict, file: String?) -> String {
    let largest = inner?.largestVerdict ?? Self.largest
    var limits = Verdict.Limits.short
    while true {
      let text = verdict.document(limits, file: file).documentText(redactor)
      if text.utf8.count <= largest || limits.problems <= 1 { return text }
      limits.problems /= 2
      limits.notes = max(2, limits.notes / 2)
    }
  }

  private func writeDetails(_ code: ExitCode, to path: String) -> FileError? {
    do throws(FileError) {
      try OutputPlace.check(report: path)
      let document = verdict.verdict(code).document(.complete, file: nil)
      try FileSystem.replace(
        path, with: Array(document.documentText(redactor).utf8), followsLinks: true,
        isPrivate: redactor.hasSecrets)
      return nil
    } catch {
      return error
    }
  }
}

extension CommandContext {
  /// Collects the scenarios of a suite for the verdict.
  func collect(_ suite: SuiteReport) {
    verdict.count(suite.verdictCounts)
    for scenario in suite.scenarios where scenario.isFailing {
      let findings = scenario.findings
      var advice = VerdictAdvice(
        again: scenario.command.isEmpty ? verdict.again : scenario.command,
        acceptance: findings.acceptance)
      advice.recording = "flow run \(scenario.path.shellPath) --record"
      collect(findings.diagnostics, findings.mismatches, advice: advice)
      if findings.diagnostics.isEmpty {
        verdict.add(
          code: "scenario", redactor.redacted("\(scenario.path): \(scenario.message)"),
          next: VerdictAdvice.printingJSON(scenario.command))
      }
    }
  }
}
