private import Dispatch
internal import FlowCore
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What every command works with: the components, the process around it, and the secrets to hide.
struct CommandContext: Sendable {
  static let version = "0.1.0"

  let registry: Registry
  var process: ProcessEnvironment
  let redactor: Redactor
  /// What the command's options forbid.
  var permissions = Permissions()
  /// The scenario from standard input, where the command takes it from there: it cannot be read again.
  var input: ScenarioSource?

  /// Hides the secrets of one run; the command's texts hide them, too.
  func runRedactor() -> Redactor { Redactor(within: redactor) }

  // MARK: - Printing

  /// Prints problems to standard error in their order, with the lines of scenarios they are about.
  func print(_ diagnostics: [Diagnostic], quoting quotes: DiagnosticText.Quotes? = nil) {
    let quotes = quotes ?? input.map { .source($0) } ?? .files
    process.errorOutput(
      DiagnosticText.text(
        of: diagnostics, quoting: quotes, hasColors: process.usesErrorColors, redactor))
  }

  /// Prints the problem of a transcript, whose lines are long and generated; their numbers are enough.
  func print(_ error: TranscriptError) { print([error.diagnostic], quoting: .nothing) }
  /// Prints notes to standard error, a line for each whatever they hold.
  func note(_ notes: [String]) { for note in notes { process.say(note.onOneLine, as: .note) } }

  /// Notes which folders are projects of their own, and what is not done with them.
  func note(projects: [String], notBeing action: String) {
    note(
      projects.map {
        "'\($0.onOneLine)' is a project of its own and is not \(action) with this one"
      })
  }

  /// Prints the report of a subject to standard output; false where its text is printed by other means.
  ///
  /// Secrets are hidden in all texts of a JSON document. What the project's patterns match is hidden in the data
  /// that it is built of, before: they would match codes and digests, too.
  @discardableResult
  func write<Subject>(_ subject: Subject, as output: Output<Subject>) -> Bool {
    switch output.document?(subject, redactor) {
    case .text(let text): process.output(text)
    case .json(let document):
      process.documentOutput(
        document.redacted(by: redactor.withoutPatterns, names: false).text.shownJSON + "\n")
    case nil: return false
    }
    return true
  }

  func consoleReport(_ detail: ConsoleReport.Detail) -> ConsoleReport {
    var style = ConsoleReport.Style()
    style.isTerminal = process.showsSigns
    style.hasColors = process.usesColors
    style.detail = detail
    return ConsoleReport(style: style, write: process.output)
  }

  // MARK: - Files

  /// The context of a command whose scenario is on standard input.
  func readingInput() throws(FileError) -> Self {
    let bytes = try FileSystem.standardInput(limit: ScenarioSource.largest)
    var copy = self
    copy.input = ScenarioSource(file: StandardInput.name, bytes: bytes)
    return copy
  }

  func project(around path: String) -> Project? {
    do throws(ScenarioError) {
      return try Project(around: path)
    } catch {
      print(error.diagnostics)
      return nil
    }
  }

  /// Hides what the project around a file says; false after the problems of its file were printed.
  func hidePatterns(around path: String) -> Bool { hidingProject(around: path) != nil }

  /// The project around a file, whose patterns are hidden from now on; nil after its problems were printed.
  private func hidingProject(around path: String) -> Project? {
    guard let project = project(around: path) else { return nil }
    redactor.use(project.file?.patterns ?? [])
    return project
  }

  /// The plan of a scenario of which these components will be opened, if they may; nil after its problems were
  /// printed.
  func plan(_ file: String, running live: LiveComponents = .none) -> Plan? {
    guard let project = hidingProject(around: file) else { return nil }
    let permissions = permissions.adding(project.file)
    let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
    do throws(ScenarioError) {
      let source = if let input { input } else { try ScenarioSource(reading: file) }
      let plan = try loader.plan(source)
      let names = live.names(in: plan)
      try permissions.check(plan, running: names, hidingSecretsBy: redactor)
      note(permissions.notes(on: plan, running: names))
      return plan
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
  }

  /// The scenario of a transcript or journal: the one that the user names, else the one that the file does.
  ///
  /// - Throws: `TranscriptError` when the file leads to one that is neither beside it nor where the user works.
  func scenario(
    _ given: String?, of header: TranscriptHeader, in file: String
  ) throws(TranscriptError) -> String {
    if let given { return given }
    let project = ProjectFile.folder(around: ".").map { [$0] } ?? []
    return try header.scenarioPath(beside: file, or: ["."] + project)
  }

  /// Does work that Ctrl-C cancels, where the process's signals may be taken; the work is awaited in
  /// any case.
  func interruptibly<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, wasInterrupted: Bool) {
    guard process.takesSignals else { return (await work(), false) }
    return await Interruption.cancelling(
      work,
      notice: { [process] in process.say("stopping; press Ctrl-C again to stop at once")
      },
      abandon: { [process] in process.leaveTerminal() })
  }
}

/// What stands for standard input in arguments and in messages.
enum StandardInput {
  static let operand = "-"
  static let name = "standard input"
}

extension ConsoleReport.Detail {
  static let options = [
    Option("quiet", .none, "Prints no line for a step that passed."),
    Option(
      "verbose", .none, "Prints every call with its input and answer; -vv also events and waits.",
      letter: "v"),
  ]

  /// How much the arguments ask for.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let count = arguments.values("verbose").count
    if count > 0, arguments.has("quiet") { throw .conflict(option: "quiet", with: "verbose") }
    self =
      switch count {
      case 0: arguments.has("quiet") ? .failures : .steps
      case 1: .calls
      default: .events
      }
  }
}

extension Array {
  /// The option that chooses one of these outputs; the first is the default.
  func option<Subject>() -> Option where Element == Output<Subject> {
    let names = map(\.name)
    let choice = ["\(names[0]) (the default)"] + names.dropFirst()
    return Option(
      "format", .required("FORMAT"), "Prints \(choice.alternatives).", completion: .words(names))
  }

  /// The output that the arguments choose.
  func chosen<Subject>(
    by arguments: ParsedArguments
  ) throws(UsageError) -> Output<Subject> where Element == Output<Subject> {
    guard let name = try arguments.only("format") else { return self[0] }
    if let output = first(where: { $0.name == name }) { return output }
    throw .malformed(option: "format", value: name, expected: map(\.name).alternatives)
  }
}

/// One command: what it takes and what it does.
struct Command: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (CommandContext, ParsedArguments) async throws(UsageError) -> ExitCode
}

/// Turns the first request to stop into the cancellation of a task; the second ends the process.
///
/// `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP` are taken while the task runs, the last one not below `nohup`. Only the
/// executable's environment asks for it: a library must not change the signals of the program that it is part of.
enum Interruption {
  /// A request so soon after the first one is the same: a supervisor tells the process and its group, a shell and the
  /// system that the terminal is gone.
  private static let same = Duration.milliseconds(50)
  /// How long the terminal may take; output that nobody takes must not keep the process from ending.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  /// The signals that ask to stop.
  private static var signals: [CInt] {
    [SIGINT, SIGTERM] + (TakenSignals.isIgnored(SIGHUP) ? [] : [SIGHUP])
  }

  /// Has a request to stop end the process, also where it would be ignored, until what is answered lets go of it.
  static func ending() -> TakenSignals {
    TakenSignals(signals) { exit(ExitCode.interrupted.rawValue) }
  }

  /// The work's value, and whether it was asked to stop.
  ///
  /// The work begins when no signal can be missed any more.
  static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, notice: @escaping @Sendable () -> Void,
    abandon: @escaping @Sendable () -> Void
  ) async -> (value: Value, wasInterrupted: Bool) {
    let ready = AsyncStream<Never>.makeStream()
    let task = Task {
      for await _ in ready.stream {}
      return await work()
    }
    let first = Mutex<ContinuousClock.Instant?>(nil)
    let signals = TakenSignals(signals) {
      if let begun = first.withLock({ $0 }) {
        if begun.duration(to: .now) < same { return }
        patiently(abandon)
        exit(ExitCode.interrupted.rawValue)
      }
      patiently(notice)
      task.cancel()
      first.withLock { $0 = .now }
    }
    defer { signals.release() }
    ready.continuation.finish()
    return (await task.value, task.isCancelled)
  }

  /// Does what prints, and goes on before its end when that is too long in coming.
  private static func patiently(_ action: @escaping @Sendable () -> Void) {
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended, execute: DispatchWorkItem(block: action))
    _ = ended.wait(timeout: .now() + patience)
  }
}
