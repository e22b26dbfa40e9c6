internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let resume = Command(
    syntax: CommandSyntax(
      name: "resume", summary: "Resumes an interrupted run.",
      operands: .one("JOURNAL"),
      options: [
        .scenario(named: "journal"),
        Option(
          "or-run", .required("SCENARIO"),
          "Runs the scenario with this journal if the journal is still empty."),
        .secret,
        Option(
          "retry-unknown", .none, "Repeats interrupted calls with an unknown outcome."),
        Option("force", .none, "Resumes even if the scenario or a plugin has changed."),
        .virtualTime, ReportRequests.option, RunOptions.seed,
      ] + GivenInputs.options + ConsoleReport.Detail.options + Permissions.options,
      details: """
        Calls in the journal of 'flow run --journal' are not repeated: their recorded answers are
        used. Only components with their state in memory repeat their calls. A started 'wait'
        continues for its remaining time.

        With '--or-run', the same command starts the run, continues it, or reports its end, for jobs
        that may restart at any time. Inputs and seed are those of the start of the run.

        The exit code is 75 while another process holds the journal, or if a component cannot be
        opened again.

          flow resume shop.journal
          flow resume shop.journal --or-run shop.yaml --input amount=30
        """)
  ) { (flow, arguments) throws(UsageError) in
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    let journal = try JournalPlace(arguments.operands[0])
    let orRun = try arguments.only("or-run")
    if orRun != nil, arguments.has("scenario") {
      throw .conflict(option: "scenario", with: "or-run")
    }
    if let orRun {
      let isBegun: Bool
      do throws(FileError) { isBegun = try journal.isBegun() } catch {
        flow.process.say("\(error)")
        return .cannotWrite
      }
      if !isBegun {
        let options = try RunOptions(orRunning: arguments, journal: journal)
        return try await flow.run(orRun, options, secrets)
      }
    }
    try Command.refuseBeginning(arguments, unless: orRun)
    var run = CommandRun()
    run.session.virtualTime = arguments.has("virtual-time") ? VirtualTime() : nil
    run.session.secret = { secrets.value($0) }
    run.detail = try ConsoleReport.Detail(arguments)
    run.given = RepeatedOptions(arguments).text
    run.retriesUnknown = arguments.has("retry-unknown")
    run.isForced = arguments.has("force")
    let scenario = try arguments.only("scenario") ?? orRun
    let reports = try ReportRequests(arguments)
    let flow = flow.making(reports)
    do throws(FileError) { run.reports = try Reports(reports, flow) } catch {
      return flow.reportsNotWritten(error)
    }
    return await flow.resume(
      journal, of: scenario, begins: orRun != nil, run, secrets)
  }
}

extension Command {
  /// Refuses options for the start of a run if none may start.
  fileprivate static func refuseBeginning(
    _ arguments: ParsedArguments, unless scenario: String?
  ) throws(UsageError) {
    guard scenario == nil else { return }
    for option in ["input", "inputs", "seed"] where arguments.has(option) {
      throw .needs(option: option, other: "or-run")
    }
  }
}

extension CommandContext {
  fileprivate func resume(
    _ place: JournalPlace, of scenario: String?, begins: Bool, _ run: CommandRun,
    _ secrets: GivenSecrets
  ) async -> ExitCode {
    let path = place.text
    do {
      // Taking the journal from another process stops that process, so all checks come first.
      if place.isTakenOver,
        case .refused(let code) = try admit(
          place.read(), at: place, of: scenario, run, begins: begins, hiding: secrets)
      {
        return code
      }
      let (store, journal) = try place.take()
      let (plan, inputs): (Plan, [Value])
      switch try admit(
        journal, at: place, of: scenario, run, begins: begins, hiding: secrets,
        isTold: place.isTakenOver)
      {
      case .refused(let code): return code
      case .admitted(let admitted, let given): (plan, inputs) = (admitted, given)
      }
      if journal.tornBytes > 0 {
        process.say(
          "the last line of '\(path.onOneLine)' is incomplete and was dropped", as: .warning)
      }
      let resumed = try run.resuming(journal, in: store, at: place, redactor)
      return try await complete(resumed, plan, inputs)
    } catch let error as TranscriptError {
      print(error)
      return .badInput
    } catch let error as ScenarioError {
      print(error.diagnostics)
      return .badInput
    } catch {
      process.say("\(error)")
      return (error as? FileError)?.code ?? .cannotWrite
    }
  }

  private enum Admission {
    case admitted(Plan, inputs: [Value])
    /// A run that has ended or may not be resumed.
    case refused(ExitCode)
  }

  /// Returns the plan and the inputs for the rest of a journal, or the exit code of a refusal.
  ///
  /// With `isTold` the changes were printed before.
  private func admit(
    _ journal: Journal, at place: JournalPlace, of scenario: String?, _ run: CommandRun,
    begins: Bool, hiding secrets: GivenSecrets, isTold: Bool = false
  ) throws -> Admission {
    if let passed = journal.passed {
      return .refused(
        tell(journal, at: place.text, hasPassed: passed, as: begins ? scenario : nil, run))
    }
    let scenario = try self.scenario(scenario, of: journal.header, in: place.path)
    guard let plan = plan(scenario, running: .all),
      accepts(journal, plan, isForced: run.isForced, isTold: isTold)
    else { return .refused(.badInput) }
    if run.isForced {
      let departures = journal.departures(in: plan, hidingSecretsBy: redactor)
      if !departures.isEmpty {
        print(departures)
        return .refused(.badInput)
      }
    }
    let recorded = try journal.header.inputValues(for: plan, file: place.text)
    return .admitted(plan, inputs: try plan.liveInputs(recorded, secret: secrets.value))
  }

  /// Prints that the run of a journal has finished.
  private func tell(
    _ journal: Journal, at path: String, hasPassed: Bool, as scenario: String?, _ run: CommandRun
  ) -> ExitCode {
    // The end of this run does not complete a job for another scenario.
    if let scenario {
      guard let plan = plan(scenario, running: .all), accepts(journal, plan, isForced: run.isForced)
      else { return .badInput }
    }
    process.output("the run in '\(path.onOneLine)' has finished; there is nothing to resume\n")
    return hasPassed ? .passed : .failed
  }

  /// Returns true if the scenario and its plugins are those of the journal, or changes are allowed.
  private func accepts(
    _ journal: Journal, _ plan: Plan, isForced: Bool, isTold: Bool = false
  ) -> Bool {
    let unchecked =
      "the journal was written by an earlier flow and has no checksums, so damage cannot be detected"
    let changes = journal.header.changes(in: plan) + (journal.isChecked ? [] : [unchecked])
    if changes.isEmpty { return true }
    if isTold, isForced { return true }
    for change in changes { process.say(change.onOneLine, as: isForced ? .warning : .error) }
    if !isForced {
      process.errorOutput("the journal may no longer fit; --force resumes it anyway\n")
    }
    return isForced
  }
}

extension CommandRun {
  /// Returns the run that continues a journal.
  fileprivate func resuming(
    _ journal: Journal, in store: any JournalStore, at place: JournalPlace, _ redactor: Redactor
  ) throws(FileError) -> CommandRun {
    var copy = self
    copy.session.name = journal.run
    copy.session.seed = journal.header.seed
    copy.inputs = journal.header.inputOptions
    copy.journal = try JournalOutput(resuming: journal, in: store, at: place, redactor)
    return copy
  }
}
