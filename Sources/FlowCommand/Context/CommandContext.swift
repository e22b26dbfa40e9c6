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

/// The environment of every command: the components, the process around it, and the secrets to
/// hide.
struct CommandContext: Sendable {
  static let version = "0.2.0"

  let registry: Registry
  var process: ProcessEnvironment
  let redactor: Redactor
  /// The limits set by the options of the command.
  var permissions = Permissions()
  /// The scenario from standard input, which cannot be read again, or nil if it is in a file.
  var input: ScenarioSource?

  /// Returns the redactor of one run.
  ///
  /// Its secrets are hidden in the command's texts, too.
  func runRedactor() -> Redactor { Redactor(within: redactor) }

  // MARK: - Printing

  /// Prints problems to standard error in their order, each with its line of the scenario.
  func print(_ diagnostics: [Diagnostic], quoting quotes: DiagnosticText.Quotes? = nil) {
    let quotes = quotes ?? input.map { .source($0) } ?? .files
    process.errorOutput(
      DiagnosticText.text(
        of: diagnostics, quoting: quotes, hasColors: process.usesErrorColors, redactor))
  }

  /// Prints the problem of a transcript.
  ///
  /// Its lines are long and generated, so only their numbers are shown.
  func print(_ error: TranscriptError) { print([error.diagnostic], quoting: .nothing) }
  /// Prints notes to standard error, each on a single line.
  func note(_ notes: [String]) { for note in notes { process.say(note.onOneLine, as: .note) } }

  /// Notes the folders that are separate projects, and the action not done with them.
  func note(projects: [String], notBeing action: String) {
    note(
      projects.map {
        "'\($0.onOneLine)' is a project of its own and is not \(action) with this one"
      })
  }

  /// Prints the report of a subject to standard output.
  ///
  /// False if its text is printed by other means.
  ///
  /// Secrets are hidden in all strings of a JSON document. Matches of the project's patterns are
  /// hidden earlier, in the data of the document, since the patterns would match codes and digests,
  /// too.
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

  /// Returns the context of a command with its scenario on standard input.
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

  /// Hides the patterns of the project around a file.
  ///
  /// False after printing the problems of its `flow.yaml`.
  func hidePatterns(around path: String) -> Bool { hidingProject(around: path) != nil }

  /// Returns the project around a file and hides its patterns from now on, or returns nil after
  /// printing its problems.
  private func hidingProject(around path: String) -> Project? {
    guard let project = project(around: path) else { return nil }
    redactor.use(project.file?.patterns ?? [])
    return project
  }

  /// Returns the plan of a scenario whose named components may be opened, or nil after printing its
  /// problems.
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

  /// Returns the scenario of a transcript or journal: the given one, or else the one named in the
  /// file.
  ///
  /// - Throws: `TranscriptError` if the named scenario is neither next to the file nor in the
  ///   working directory or its project.
  func scenario(
    _ given: String?, of header: TranscriptHeader, in file: String
  ) throws(TranscriptError) -> String {
    if let given { return given }
    let project = ProjectFile.folder(around: ".").map { [$0] } ?? []
    return try header.scenarioPath(beside: file, or: ["."] + project)
  }

  /// Runs work that Ctrl-C cancels, provided the process's signals may be taken.
  ///
  /// The work is awaited in any case.
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

/// The names of standard input in arguments and in messages.
enum StandardInput {
  static let operand = "-"
  static let name = "standard input"
}

extension ConsoleReport.Detail {
  static let options = [
    Option("quiet", .none, "Prints no lines for passed steps."),
    Option(
      "verbose", .none,
      "Prints every call with its input and answer. -vv also prints events and waits.",
      letter: "v"),
  ]

  /// Creates the level of detail requested by the arguments.
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
  /// Returns the option that chooses one of these outputs.
  ///
  /// The first is the default.
  func option<Subject>() -> Option where Element == Output<Subject> {
    let names = map(\.name)
    let choice = ["\(names[0]) (the default)"] + names.dropFirst()
    return Option(
      "format", .required("FORMAT"), "Prints \(choice.alternatives).", completion: .words(names))
  }

  /// Returns the output chosen by the arguments.
  func chosen<Subject>(
    by arguments: ParsedArguments
  ) throws(UsageError) -> Output<Subject> where Element == Output<Subject> {
    guard let name = try arguments.only("format") else { return self[0] }
    if let output = first(where: { $0.name == name }) { return output }
    throw .malformed(option: "format", value: name, expected: map(\.name).alternatives)
  }
}

/// A command, with its syntax and its action.
struct Command: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (CommandContext, ParsedArguments) async throws(UsageError) -> ExitCode
}

/// The handling of requests to stop: the first cancels a task, and the second ends the process.
///
/// `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP` are taken while the task runs, except `SIGHUP` below
/// `nohup`. Only the executable's environment requests this, because a library must not change the
/// signals of its program.
enum Interruption {
  /// The time within which a second request is a copy of the first.
  ///
  /// A supervisor signals the process and its group. A shell and the system both report a closed
  /// terminal.
  private static let same = Duration.milliseconds(50)
  /// The longest wait for the terminal.
  ///
  /// Output without a reader must not keep the process from ending.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  /// The signals for a request to stop.
  private static var signals: [CInt] {
    [SIGINT, SIGTERM] + (TakenSignals.isIgnored(SIGHUP) ? [] : [SIGHUP])
  }

  /// Makes a request to stop end the process, even where it would be ignored, until the returned
  /// value is released.
  static func ending() -> TakenSignals {
    TakenSignals(signals) { exit(ExitCode.interrupted.rawValue) }
  }

  /// Returns the value of the work, and true if a stop was requested.
  ///
  /// The work starts only when no signal can be missed any more.
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

  /// Runs an action that prints, and returns before its end if it takes too long.
  private static func patiently(_ action: @escaping @Sendable () -> Void) {
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended, execute: DispatchWorkItem(block: action))
    _ = ended.wait(timeout: .now() + patience)
  }
}
