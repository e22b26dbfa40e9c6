internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let run = Command(
    syntax: CommandSyntax(
      name: "run", summary: "Runs a scenario.", operands: .one("SCENARIO"),
      options: GivenInputs.options + [
        .secret,
        Option(
          "record", .optional("PATH", suffix: ".jsonl"),
          "Writes a transcript, to PATH or next to the scenario."),
        Option(
          "journal", .required("PATH"),
          "Writes a journal to a file or to PostgreSQL. 'flow resume' continues the run from it."),
        RunOptions.seed, .virtualTime, ReportRequests.option,
        Option(
          "dry-run", .none,
          "Prints the steps and the values of the inputs without running anything."),
      ] + ConsoleReport.Detail.options + Permissions.options,
      details: """
        Values of inputs are read as YAML, except for string inputs. The transcript of shop.yaml is
        shop.transcript.jsonl. '--record PATH' requires a PATH that ends in .jsonl, and
        '--record=PATH' takes any. A failing run does not replace the transcript of a passing one.
        It is recorded beside it.

        SCENARIO may be '-' for standard input. Paths in it are then relative to the working
        directory, '--record' needs a path, and '--journal' is not possible.

        Secrets are also read from the environment: 'token' from FLOW_SECRET_TOKEN. NO_COLOR turns
        colours off. FORCE_COLOR turns them on, unless NO_COLOR is set.

          flow run shop.yaml --input amount=30 --record
          flow run shop.yaml --inputs staging.yaml --input amount=30 --dry-run
          flow import request.sh | flow run -
        """)
  ) { (flow, arguments) throws(UsageError) in
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    return try await flow.run(arguments.operands[0], RunOptions(arguments), secrets)
  }
}

/// The options of `run`, and of `resume` for a run that has not started.
struct RunOptions {
  var inputs: GivenInputs
  /// The options repeated by the commands in advice.
  var repeated: RepeatedOptions
  var seed: UInt64
  var detail: ConsoleReport.Detail
  var isVirtualTime: Bool
  var isDryRun: Bool
  var reports: ReportRequests
  /// The path of the transcript, empty for the usual place next to the scenario, or nil for no
  /// transcript.
  var record: String?
  /// The place of the journal, or nil for no journal.
  var journal: JournalPlace?
  /// True if the journal may already have the start of the run.
  var resumes = false

  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    seed = try Self.seed(arguments)
    record = try arguments.only("record")
    journal = try arguments.only("journal").map { text throws(UsageError) in
      try JournalPlace(text)
    }
    detail = try ConsoleReport.Detail(arguments)
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = arguments.has("dry-run")
    reports = try ReportRequests(arguments)
    var file: String?
    if case .file(let path)? = journal { file = path }
    let recorded = record.flatMap { path in
      path.isEmpty ? arguments.operands.first.map { Path.transcript(of: $0) } : path
    }
    try OutputPlace.check(record: recorded, journal: file, reports: reports.paths)
    if isDryRun && record != nil { throw .conflict(option: "record", with: "dry-run") }
    if isDryRun && journal != nil { throw .conflict(option: "journal", with: "dry-run") }
    if isDryRun && !reports.isEmpty { throw .conflict(option: "report", with: "dry-run") }
  }

  /// Reads the options of a run with a journal that another process may have started.
  init(orRunning arguments: ParsedArguments, journal: JournalPlace) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    seed = try Self.seed(arguments)
    detail = try ConsoleReport.Detail(arguments)
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = false
    reports = try ReportRequests(arguments)
    self.journal = journal
    resumes = true
  }

  /// Returns the output that an error is about.
  ///
  /// The error may name a body next to the file.
  fileprivate func place(of error: FileError) -> String {
    if record == nil || error.path == journal?.text { return "journal" }
    let isOfBody = error.path.split(separator: "/").contains { $0 == BlobFolder.name }
    return journal != nil && isOfBody ? "recording" : "transcript"
  }

  private static func seed(_ arguments: ParsedArguments) throws(UsageError) -> UInt64 {
    try arguments.only("seed", "a whole number from 0") { UInt64($0) } ?? 0
  }

  /// The option for the seed of everything random.
  static let seed = Option(
    "seed", .required("NUMBER"), "The seed of all random values in the run. Default: 0.")

  func session(named name: String, _ secrets: GivenSecrets) -> Session.Options {
    var session = Session.Options()
    session.name = name
    session.seed = seed
    session.virtualTime = isVirtualTime ? VirtualTime() : nil
    session.secret = { secrets.value($0) }
    return session
  }
}

extension CommandContext {
  /// Runs the scenario in a file or on standard input.
  func run(
    _ scenario: String, _ options: RunOptions, _ secrets: GivenSecrets
  ) async throws(UsageError) -> ExitCode {
    if scenario == StandardInput.operand, input == nil {
      if options.journal != nil { throw .journalWithoutFile }
      if options.record == "" { throw .recordWithoutPath }
      let flow: CommandContext
      do throws(FileError) { flow = try readingInput() } catch {
        process.say("\(error)")
        return .badInput
      }
      return try await flow.run(scenario, options, secrets)
    }
    guard let plan = plan(scenario, running: .all) else { return .badInput }
    let texts = try secrets.inputs(options.inputs.texts, of: plan)
    guard let inputs = inputs(of: plan, texts, options.inputs) else { return .badInput }
    return await making(options.reports).run(plan, inputs: inputs, options, hiding: secrets)
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

  fileprivate func run(
    _ plan: Plan, inputs: [Value], _ options: RunOptions, hiding secrets: GivenSecrets
  ) async -> ExitCode {
    if options.isDryRun {
      plan.hideSecrets(inputs: inputs, by: redactor)
      process.output(PlanTree(plan, inputs: inputs.map(redactor.redacted)).text)
      return .passed
    }
    return await record(plan, inputs: inputs, options, hiding: secrets)
  }

  private func record(
    _ plan: Plan, inputs: [Value], _ options: RunOptions, hiding secrets: GivenSecrets
  ) async -> ExitCode {
    guard let reports = reports(options.reports) else { return .cannotWrite }
    do throws(FileError) {
      // Secrets are known before any file is created, so that no other user can read it first.
      plan.hideSecrets(inputs: inputs, by: redactor)
      let name = Session.newName(for: plan)
      var run = CommandRun()
      run.session = options.session(named: name, secrets)
      run.detail = options.detail
      run.isFromInput = input != nil
      run.inputs = options.inputs.options(for: plan, redactor)
      run.given = options.repeated.text
      run.reports = reports
      run.transcript = try options.record.map { path throws(FileError) in
        try TranscriptOutput(of: plan, at: path, redactor)
      }
      run.journal = try options.journal.map { place throws(FileError) in
        try JournalOutput(of: plan, at: place, run: name, redactor, mayExist: options.resumes)
      }
      return try await complete(run, plan, inputs)
    } catch {
      process.say("the \(options.place(of: error)) was not written: \(error)")
      return error.writingCode
    }
  }
}
