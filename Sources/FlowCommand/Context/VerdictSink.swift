internal import FlowCore
internal import FlowDatabase
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
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

/// The commands to run after a problem.
struct VerdictAdvice {
  /// The command that repeats the run.
  let again: String
  /// The command that records the present behaviour, or an empty string.
  let acceptance: String
  /// The command that records for the first time or in place of a broken transcript, or an empty
  /// string.
  var recording = ""

  private static let mostCommands = 5
  private static let format = " --format json"

  /// The options of every command with a verdict.
  static let options = [
    Option(
      "details", .required("PATH"),
      "With '--format json': writes the complete result to a file, or to standard output if PATH is '-'."
    )
  ]

  /// The option of a command without other formats.
  static let formatOption = Option(
    "format", .required("FORMAT"), "Prints text (the default) or json.",
    completion: .words(["text", "json"]))

  /// Returns the command to run after a problem is mended, or to mend it.
  func next(after problem: Diagnostic) -> String {
    let file = problem.span?.file ?? ""
    let isFile = !file.isEmpty && file != StandardInput.name
    switch problem.code.name.prefix(3) {
    case "F10", "F11", "F12", "F13", "F15":
      return isFile ? Self.printingJSON("flow check \(file.shellPath)") : again
    case "F30" where !acceptance.isEmpty: return Self.printingJSON(acceptance)
    case "F31" where !recording.isEmpty: return Self.printingJSON(recording)
    default: return Self.printingJSON(again)
    }
  }

  /// Returns a command whose result is read by a program.
  static func printingJSON(_ command: String) -> String {
    let name = command.split(separator: " ").dropFirst().first
    let hasVerdict = Command.all.contains { $0.hasVerdict && $0.syntax.name == name ?? "" }
    return hasVerdict && !command.contains(" --format") ? command + format : command
  }

  /// Returns the first different commands.
  static func first(of commands: [String]) -> [String] {
    var first: [String] = []
    for command in commands where !command.isEmpty && !first.contains(command) {
      if first.count < mostCommands { first.append(command) }
    }
    return first
  }

  /// Returns the command with the arguments as given, or an empty string if it would show a secret.
  static func again(_ arguments: [String], _ redactor: Redactor) -> String {
    let command = (["flow"] + arguments.map(\.shellWord)).joined(separator: " ")
    let shown = AddressPasswords(in: arguments).removed(from: redactor.redacted(command))
    return shown == command && !command.contains("\n") ? command : ""
  }
}

extension Command {
  /// True for a command with a verdict, printed by `--format json`.
  var hasVerdict: Bool {
    ["check", "run", "test", "resume", "replay", "diff", "mutate", "explore"]
      .contains(syntax.name)
  }
}

extension ParsedArguments {
  /// True if a program reads the verdict.
  var wantsVerdict: Bool { values("format") == ["json"] }
}
