internal import FlowCore
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
private import Synchronization

/// The collected result of a command with `--format json`.
///
/// It is inactive for texts for people, and with other formats.
final class VerdictSink: Sendable {
  private struct State {
    /// The name of the command, or nil while inactive.
    var command: String?
    /// The command as given, to be run again.
    var again = ""
    /// The place of the complete document, or nil.
    var details: String?
    var problems: [VerdictProblem] = []
    var notes: [String] = []
    var counts: [(name: String, count: Int)] = []
    var next: [String] = []
    var report: JSON?
  }

  private let state = Mutex(State())

  /// True if the command prints its verdict in place of texts.
  var isActive: Bool { state.withLock { $0.command != nil } }
  /// The command as given.
  var again: String { state.withLock { $0.again } }
  /// The place of the complete document, or nil.
  var details: String? { state.withLock { $0.details } }

  /// Collects the verdict of a command from now on.
  func activate(_ command: String, again: String, details: String?) {
    state.withLock { ($0.command, $0.again, $0.details) = (command, again, details) }
  }

  // MARK: - Collecting

  /// Adds problems, each with the departure it is about.
  func add(_ problems: VerdictProblems) {
    state.withLock { $0.problems += problems.all }
  }

  /// Adds a problem that no diagnostic describes.
  func add(code: String, _ message: String, next: String) {
    let problem = VerdictProblem(code: code, message: message, next: next)
    state.withLock { $0.problems.append(problem) }
  }

  /// Adds a message for people.
  func note(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    state.withLock { if $0.command != nil { $0.notes += lines } }
  }

  /// Adds numbers that sum up the work.
  func count(_ counts: [(name: String, count: Int)]) { state.withLock { $0.counts += counts } }

  /// Adds a command to run next, before those of the problems.
  func offer(_ command: String) {
    state.withLock { $0.next.append(VerdictAdvice.printingJSON(command)) }
  }

  /// Sets the command's own report, for the complete document.
  func keep(_ report: JSON) { state.withLock { $0.report = report } }

  /// Returns the verdict of the command.
  func verdict(_ code: ExitCode) -> Verdict {
    let state = state.withLock { $0 }
    var verdict = Verdict(of: state.command ?? "", exitCode: code.rawValue)
    verdict.problems = state.problems
    verdict.notes = state.notes
    verdict.counts = state.counts
    verdict.report = state.report
    let fallback = code == .passed || code == .badCommandLine ? [] : [state.again]
    let commands = state.next + state.problems.map(\.next)
    verdict.next = VerdictAdvice.first(of: commands.allSatisfy(\.isEmpty) ? fallback : commands)
    return verdict
  }
}

extension ProcessEnvironment {
  /// Returns this environment with the texts for people passed to a verdict, once it is collected:
  /// messages are its notes, and standard output is left to it.
  func observed(by verdict: VerdictSink) -> ProcessEnvironment {
    var copy = self
    let (output, errorOutput) = (output, errorOutput)
    copy.output = { if !verdict.isActive { output($0) } }
    copy.errorOutput = { text in
      verdict.note(text.withoutColors)
      errorOutput(text)
    }
    return copy
  }
}

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
  /// Collects problems for the verdict.
  ///
  /// Without advice, the command is to be run again.
  func collect(
    _ diagnostics: [Diagnostic], _ mismatches: [ReplayMismatch] = [], advice: VerdictAdvice? = nil
  ) {
    var problems = VerdictProblems(quoting: input.map { .source($0) } ?? .files, redactor)
    let advice = advice ?? VerdictAdvice(again: verdict.again, acceptance: "")
    problems.add(diagnostics, mismatches) { advice.next(after: $0) }
    verdict.add(problems)
  }

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

extension String {
  /// The text without the sequences that colour it on a terminal.
  fileprivate var withoutColors: String {
    guard utf8.contains(0x1B) else { return self }
    var (result, rest) = ("", Substring(self))
    while let escape = rest.firstIndex(of: "\u{1B}") {
      result += rest[..<escape]
      rest = rest[escape...].drop { $0 != "m" }.dropFirst()
    }
    return result + rest
  }
}
