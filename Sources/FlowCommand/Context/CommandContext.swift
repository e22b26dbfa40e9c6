internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The environment of every command: the components, the process around it, and the secrets to
/// hide.
struct CommandContext: Sendable {
  static let version = "0.2.0"

  let registry: Registry
  var process: ProcessEnvironment
  let redactor: Redactor
  /// The limits set by the options of the command.
  var permissions = Permissions()
  /// The result for programs.
  var verdict = VerdictSink()
  /// The settings of a command inside of another one, which leaves the state of projects as it is,
  /// or nil.
  var inner: InnerCommand?
  /// The code of a signal that stopped the command.
  let stopCode = StopCode()
  /// True if confirmations are not printed.
  var isQuiet = false
  /// The scenario from standard input, which cannot be read again, or nil if it is in a file.
  var input: ScenarioSource?
  /// The state that live runs start from, or nil if they start from what is there.
  var state: ScenarioState?

  /// Returns the redactor of one run.
  ///
  /// Its secrets are hidden in the command's texts, too.
  func runRedactor() -> Redactor { Redactor(within: redactor) }

  // MARK: - Printing

  /// Prints problems to standard error in their order, each with its line of the scenario.
  func print(_ diagnostics: [Diagnostic], quoting quotes: DiagnosticText.Quotes? = nil) {
    if verdict.isActive { return collect(diagnostics) }
    let quotes = quotes ?? input.map { .source($0) } ?? .files
    process.errorOutput(
      DiagnosticText.text(
        of: diagnostics, quoting: quotes, hasColors: process.usesErrorColors, isBrief: true,
        redactor))
  }

  /// Prints the problem of a transcript.
  ///
  /// Its lines are long and generated, so only their numbers are shown.
  func print(_ error: TranscriptError) { print([error.diagnostic], quoting: .nothing) }

  /// Prints what a command has done, unless it is to be quiet.
  func confirm(_ text: String) { if !isQuiet { process.output(text) } }

  /// Prints the problem of the plugins built into this flow.
  func unusable(_ error: RegistryError) -> ExitCode {
    process.say("\(error)")
    return .internalError
  }

  /// Prints notes to standard error, each on a single line.
  func note(_ notes: [String]) { for note in notes { process.say(note.onOneLine, as: .note) } }

  /// Notes the folders that are separate projects, sorted, and the action not done with them.
  func note(projects: [String], notBeing action: String) {
    note(
      projects.sorted().map {
        "'\($0.onOneLine)' is a separate project and is not \(action) with this one"
      })
  }

  /// Prints the report of a subject to standard output.
  ///
  /// False if its text is printed by other means.
  @discardableResult
  func write<Subject>(_ subject: Subject, as output: ReportFormat<Subject>) -> Bool {
    switch output.document?(subject, redactor) {
    case .text(let text, let foot): process.output(text + foot)
    case .json(let document) where verdict.isActive: verdict.keep(document)
    case .json(let document): process.documentOutput(document.documentText(redactor))
    case nil: return false
    }
    return true
  }

  func consoleReport(_ detail: ConsoleReport.Detail, trial: Int? = nil) -> ConsoleReport {
    var style = ConsoleReport.Style()
    style.isTerminal = process.showsSigns
    style.hasColors = process.usesColors
    style.detail = detail
    style.trial = trial
    return ConsoleReport(style: style, write: process.output)
  }

  // MARK: - Files

  /// Returns the context of a command with its scenario on standard input, as the file of a name.
  func readingInput(named name: String = StandardInput.name) throws(FileError) -> Self {
    let bytes = try FileSystem.standardInput(limit: ScenarioSource.largest)
    var copy = self
    copy.input = ScenarioSource(file: name, bytes: bytes)
    return copy
  }

  func project(around path: String) -> Project? {
    do throws(ScenarioError) {
      return try Project(around: path, registry)
    } catch {
      print(error.diagnostics)
      return nil
    }
  }

  /// Hides the patterns of the project around a file.
  ///
  /// False after printing the problems of its `flow.yaml`.
  func hidePatterns(around path: String, and others: [RedactionPattern] = []) -> Bool {
    guard let project = hidingProject(around: path) else { return false }
    if !others.isEmpty { redactor.use((project.file?.patterns ?? []) + others) }
    return true
  }

  /// Returns the project around a file and hides its patterns from now on, or returns nil after
  /// printing its problems.
  private func hidingProject(around path: String) -> Project? {
    guard let project = project(around: path) else { return nil }
    redactor.use(project.file?.patterns ?? [])
    return project
  }

  /// Returns the plan of a scenario, or nil after printing its problems.
  ///
  /// The live components of a test may be opened. Nil if none is opened.
  func plan(_ file: String, running live: LiveComponents? = nil) -> Plan? {
    guard let project = hidingProject(around: file) else { return nil }
    let permissions = permissions.adding(project.file)
    var registry = registry.limited(to: permissions.network)
    if live == .all { registry = registry.loading(by: LibraryLoading.begin) }
    let loader = ScenarioLoader(registry: registry)
    do throws(ScenarioError) {
      let source = if let input { input } else { try ScenarioSource(reading: file) }
      let plan = try loader.plan(source)
      let names = live?.names(in: plan) ?? []
      try permissions.check(plan, running: names, hidingSecretsBy: redactor)
      note(permissions.notes(on: plan, running: names))
      return plan
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
  }

  /// Returns the values of a scenario's inputs, or nil after printing their problems.
  func inputs(
    of plan: Plan, _ texts: [(name: String, text: String)], _ given: GivenInputs
  ) -> [Value]? {
    var given = given
    do throws(ScenarioError) {
      try given.readFile()
      return try plan.inputValues(texts: texts, file: given.file)
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
  }

  /// Returns the recorded inputs with their secrets, or nil after printing their problems.
  func liveInputs(_ recorded: [Value], of plan: Plan, _ secrets: GivenSecrets) -> [Value]? {
    do throws(ScenarioError) {
      return try plan.liveInputs(recorded, secret: secrets.value)
    } catch {
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
    let project = ProjectFolder.path(around: ".").map { [$0] } ?? []
    return try header.scenarioPath(beside: file, or: ["."] + project)
  }

  /// Runs work that a request to stop cancels, provided the process's signals may be taken.
  ///
  /// Every command runs its components within this, so that they end what they have started. The
  /// work is awaited in any case. `notice` and `abandon` are called at the first and at the second
  /// request. With `withoutCtrlC` the work takes Ctrl-C itself.
  func interruptibly<Value: Sendable, Failure: Error>(
    withoutCtrlC: Bool = false, notice: @escaping @Sendable () -> Void = {},
    abandon: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> (value: Value, wasInterrupted: Bool) {
    guard process.takesSignals else { return (try await work(), false) }
    let (result, code) = await Interruption.cancelling(withoutCtrlC: withoutCtrlC) {
      () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    } notice: { [process] in
      notice()
      process.say("stopping; press Ctrl-C again to stop at once")
    } abandon: { [process] in
      process.leaveTerminal()
      abandon()
    }
    if let code { stopCode.note(code) }
    return (try result.get(), code != nil)
  }
}

/// A command, with its syntax and its action.
struct Command: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (CommandContext, ParsedArguments) async throws(UsageError) -> ExitCode
}

/// The names of standard input in arguments and in messages.
enum StandardInput {
  static let operand = "-"
  static let name = "standard input"
}
