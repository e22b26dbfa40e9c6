internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
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
          "twice", .none,
          "With '--record': runs the scenario again, and proposes 'varies' and 'volatile' for what differs."
        ),
        Option(
          "journal", .required("PATH"),
          "Writes a journal to a file or to PostgreSQL. 'flow resume' continues the run from it."),
        RunOptions.seed, .virtualTime, FailureDebugging.option, VerdictAdvice.formatOption,
      ] + VerdictAdvice.options + [
        ReportRequests.option,
        Option(
          "dry-run", .none,
          "Prints the steps and the values of the inputs without running anything."),
      ] + ConsoleReport.Detail.options + Permissions.options,
      details: """
        Values of inputs are read as YAML, except for string inputs. The transcript of shop.yaml is
        shop.transcript.jsonl. '--record PATH' requires a PATH that ends in .jsonl, and
        '--record=PATH' takes any. A failing run does not replace the transcript of a passing one.
        It is recorded beside it.

        A scenario with 'trials' runs until enough of its runs have passed, or too many have failed.
        '--record' writes the last one that passed, and nothing if the trials failed.

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
    // A resumed run goes on from what it has left.
    let project = options.resumes || options.isDryRun ? nil : project(around: scenario)
    guard
      let flow = try project.map({ project throws(UsageError) in
        try starting(fromStateOf: project, options.inputs, secrets)
      }) ?? self
    else { return .badInput }
    return await flow.making(options.reports).run(plan, inputs: inputs, options, hiding: secrets)
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
    guard let reports = reports(options.reports, printsDocument: verdict.isActive)
    else { return .cannotWrite }
    do throws(FileError) {
      // Secrets are known before any file is created, so that no other user can read it first.
      plan.hideSecrets(inputs: inputs, by: redactor)
      let name = Session.newName(for: plan)
      var run = CommandRun()
      run.session = options.session(named: name, secrets)
      run.detail = options.detail
      run.isFromInput = input != nil
      run.debugsFailures = options.debugsFailures
      run.inputs = options.inputs.options(for: plan, redactor)
      run.given = options.repeated.text
      run.reports = reports
      run.transcript = try options.record.map { path throws(FileError) in
        try TranscriptOutput(of: plan, at: path, redactor)
      }
      run.journal = try options.journal.map { place throws(FileError) in
        try JournalOutput(of: plan, at: place, run: name, redactor, mayExist: options.resumes)
      }
      if let series = trials(of: plan, inputs, options) {
        return try await complete(run, by: series, plan, inputs)
      }
      if options.isTwice { run.first = Recorder(of: plan) }
      let code = try await complete(run, plan, inputs)
      guard let first = run.first, code == .passed else { return code }
      let session = options.session(named: Session.newName(for: plan), secrets)
      return await propose(from: first.recording, run.again(in: session, plan), plan, inputs)
    } catch {
      process.say("the \(options.place(of: error)) was not written: \(error)")
      return error.writingCode
    }
  }
}
