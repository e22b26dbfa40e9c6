internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let resume = Command(
    syntax: CommandSyntax(
      name: "resume", summary: "Resumes an interrupted run.",
      operands: .one("JOURNAL"),
      options: [
        Option(
          "scenario", .required("PATH|REV:[PATH]"),
          "The scenario, also of a revision of Git. Default: the one named in the journal."),
        Option(
          "or-run", .required("SCENARIO"),
          "Runs the scenario with this journal if the journal is still empty."),
        .secret,
        Option(
          "retry-failed", .none, "Continues a failed run. Runs the failed step again."),
        Option(
          "retry-unknown", .none, "Repeats interrupted calls with an unknown outcome."),
        DoneCalls.option,
        StepNames.option,
        Option(
          "all", .none,
          "Resumes all runs with a journal in the folder JOURNAL, or in a database."),
        Option(
          "jobs", .required("NUMBER"),
          "With --all: runs as many at the same time. Default: 1.", letter: "j"),
        Option(
          "force", .none,
          "Resumes a changed scenario even if something new comes before what was done."),
        .virtualTime, VerdictAdvice.formatOption, ReportRequests.option, RunOptions.seed,
      ] + VerdictAdvice.options + GivenInputs.options + ConsoleReport.Detail.options
        + Permissions.options,
      details: """
        Calls in the journal of 'flow run --journal' are not repeated: their recorded answers are
        used. Only components with their state in memory repeat their calls. A started 'wait'
        continues for its remaining time.

        With '--retry-failed', a failed run continues: successful calls keep their recorded answers.
        The failed step, the calls that its failure cut off, 'finally' and all later steps run. A
        run that did not fail is resumed as usual.

        A changed scenario goes on if it first makes all recorded calls again ('flow check --journals'
        tells it beforehand). Otherwise nothing is run. '--as pay=charge' says that the done calls of
        the step 'pay' are those of 'charge' now. '--scenario' with the old version finishes the run
        with that: 'v1.4:' is the scenario in a revision of Git, 'v1.4:jobs/pay.yaml' another file
        in it, by its path from the root of the repository. The working tree is not touched, and
        components work in its folder, with the programs that are there.

        '--done' takes a call's address as printed, such as pay#1, or 'pay#2={"receipt": "7"}' if
        its answer has required fields. With '--retry-failed' it may also be the call that failed.

        With '--or-run', the same command starts the run, continues it, or reports its end, for jobs
        that may restart at any time. Inputs and seed are those of the start of the run.

        With '--all', JOURNAL is a folder, with those below it, or postgres://HOST/DATABASE. A line
        for each run tells its end. Runs that have passed are left out, and those that have failed,
        too, unless '--retry-failed' is given. A journal that another process holds is left to that
        one.

        The exit code is 75 while another process holds the journal, or if a component cannot be
        opened again.

          flow resume shop.journal
          flow resume shop.journal --retry-failed
          flow resume shop.journal --done 'pay#1={"receipt": "7"}'
          flow resume shop.journal --or-run shop.yaml --input amount=30
          flow resume orders --all --retry-failed --jobs 4
        """)
  ) { (flow, arguments) throws(UsageError) in
    if arguments.has("all") { return try await flow.resumeAll(arguments) }
    if arguments.has("jobs") { throw .needs(option: "jobs", other: "all") }
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
        if let done = arguments.values("done").first {
          throw .doneCall(done, problem: "the run has not begun")
        }
        let options = try RunOptions(orRunning: arguments, journal: journal)
        return try await flow.run(orRun, options, secrets)
      }
    }
    try Command.refuseBeginning(arguments, unless: orRun)
    var run = try CommandRun(resumingBy: arguments, secrets)
    let done = try DoneCalls(arguments)
    let steps = try StepNames(arguments)
    let scenario = try arguments.only("scenario") ?? orRun
    let reports = try ReportRequests(arguments)
    let flow = flow.making(reports)
    do throws(FileError) {
      run.reports = try Reports(reports, flow, printsDocument: flow.verdict.isActive)
    } catch {
      return flow.reportsNotWritten(error)
    }
    return try await flow.resume(
      ResumedJournal(
        place: journal, scenario: scenario, isBegun: orRun != nil, run: run, secrets: secrets,
        done: done, steps: steps))
  }
}

extension CommandRun {
  /// Creates the settings of a resumed run.
  init(resumingBy arguments: ParsedArguments, _ secrets: GivenSecrets) throws(UsageError) {
    self.init()
    session.virtualTime = arguments.has("virtual-time") ? VirtualTime() : nil
    session.secret = { secrets.value($0) }
    detail = try ConsoleReport.Detail(arguments)
    given = RepeatedOptions(arguments).text
    retriesUnknown = arguments.has("retry-unknown")
    isForced = arguments.has("force")
    retriesFailed = arguments.has("retry-failed")
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

/// The journal of `flow resume`, and the options for it.
struct ResumedJournal: Sendable {
  let place: JournalPlace
  /// The scenario named on the command line, or nil for the one named by the journal.
  var scenario: String?
  /// The scenario of a revision whose copy `scenario` names, or nil for a path.
  var earlier: EarlierScenario?
  /// True if the command starts a run that has not begun.
  let isBegun: Bool
  var run: CommandRun
  let secrets: GivenSecrets
  let done: DoneCalls
  let steps: StepNames

  /// Returns the same journal with the scenario of a revision.
  fileprivate func by(_ earlier: EarlierScenario) -> ResumedJournal {
    var copy = self
    (copy.earlier, copy.scenario) = (earlier, earlier.path)
    copy.run.revision = earlier.name
    copy.run.session.directory = earlier.directory
    return copy
  }
}

/// A journal that may go on.
private struct AdmittedJournal: Sendable {
  let plan: Plan
  let inputs: [Value]
  /// True if the scenario or a plugin is not that of the journal.
  let isChanged: Bool
  /// The lines added before the run goes on.
  let lines: [[UInt8]]
}

/// The end of a command that does not go on with its journal.
private struct Refusal: Error {
  let code: ExitCode
}

extension CommandContext {
  /// Goes on with a journal, or says why not.
  func resume(_ resumed: ResumedJournal) async throws(UsageError) -> ExitCode {
    do {
      return try await goOnByName(resumed)
    } catch let error as Refusal {
      return error.code
    } catch let error as EarlierVersion.Failure {
      process.say(error.message)
      return .badInput
    } catch let error as UsageError {
      throw error
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

  /// Goes on with a journal after finding the scenario of a revision if one is named.
  private func goOnByName(_ resumed: ResumedJournal) async throws -> ExitCode {
    guard !resumed.isBegun, let name = resumed.scenario, name.contains(":"),
      let earlier = try EarlierScenario(
        name, of: resumed.place.read().header, at: resumed.place, self)
    else { return try await goOn(resumed) }
    defer { earlier.remove() }
    var flow = self
    flow.process.output = { [process] in process.output(earlier.shown($0)) }
    flow.process.errorOutput = { [process] in process.errorOutput(earlier.shown($0)) }
    return try await flow.goOn(resumed.by(earlier))
  }

  private func goOn(_ resumed: ResumedJournal) async throws -> ExitCode {
    let place = resumed.place
    // Taking the journal from another process stops that process, so all checks come first.
    if place.isTakenOver { _ = try await admit(place.read(), resumed) }
    var (store, journal) = try place.take()
    let admitted = try await admit(journal, resumed, isTold: place.isTakenOver)
    if journal.tornBytes > 0 {
      process.say(
        "the last line of '\(place.text.onOneLine)' is incomplete and was dropped", as: .warning)
    }
    if !admitted.lines.isEmpty {
      journal = try journal.adding(admitted.lines, to: store, at: place, redactor)
    }
    var run = try resumed.run.resuming(journal, in: store, at: place, redactor)
    run.isChanged = admitted.isChanged
    return try await complete(run, admitted.plan, admitted.inputs)
  }

  /// Returns the rest of a journal's run.
  ///
  /// With `isTold` the changes were printed before.
  ///
  /// - Throws: `Refusal` for a run that has ended or may not go on, after printing the reason.
  private func admit(
    _ journal: Journal, _ resumed: ResumedJournal, isTold: Bool = false
  ) async throws -> AdmittedJournal {
    let (place, run) = (resumed.place, resumed.run)
    if journal.passed == true || journal.passed == false && !run.retriesFailed {
      throw Refusal(code: try await tellEnd(of: journal, resumed))
    }
    let scenario = try self.scenario(resumed.scenario, of: journal.header, in: place.path)
    guard let plan = plan(scenario, running: .all),
      accepts(journal, plan, of: resumed, isTold: isTold)
    else { throw Refusal(code: .badInput) }
    let renamed = try resumed.steps.renaming(journal, in: plan)
    let failures = try await failures(of: renamed, plan, resumed)
    let (rest, line) = try retrying(renamed, plan, resumed, failures)
    let version = try await version(of: plan, for: rest, resumed, isTold: isTold)
    if run.isForced {
      let departures = rest.departures(in: plan, hidingSecretsBy: redactor)
      if !departures.isEmpty {
        print(departures)
        throw Refusal(code: .badInput)
      }
    }
    let recorded = try journal.header.inputValues(for: plan, file: place.text)
    let inputs = try plan.liveInputs(recorded, secret: resumed.secrets.value)
    plan.hideSecrets(inputs: inputs, by: redactor)
    let writer = DoneCallLines(
      rest, continuing: failures.map { (renamed, $0.steps) }, of: plan, hidingSecretsBy: redactor)
    let done = try resumed.done.lines(by: writer, redactor)
    return AdmittedJournal(
      plan: plan, inputs: inputs, isChanged: version != nil,
      lines: [version, line].compactMap(\.self) + done)
  }

  /// Returns the line by which a changed scenario goes on, or nil for the same one and with `--force`.
  ///
  /// - Throws: `Refusal` if it does not make the recorded calls again, after printing the reason.
  private func version(
    of plan: Plan, for journal: Journal, _ resumed: ResumedJournal, isTold: Bool
  ) async throws -> [UInt8]? {
    let changes = journal.header.changes(in: plan)
    if changes.isEmpty && resumed.steps.all.isEmpty || resumed.run.isForced { return nil }
    let judgement = await journal.judged(
      by: plan, file: resumed.place.text, hidingSecretsBy: runRedactor())
    if let difference = judgement.difference {
      for change in changes { process.say(change.onOneLine, as: .error) }
      print([difference.diagnostic])
      tellChoices(for: difference, resumed)
      throw Refusal(code: .badInput)
    }
    if !isTold {
      for change in changes {
        process.say("\(change.onOneLine), and goes on with what was done", as: .note)
      }
    }
    return journal.line(changingTo: plan, resumed.steps.all)
  }

  /// Prints the ways to go on with a journal that does not fit the scenario.
  private func tellChoices(
    for difference: JournalJudgement.Difference, _ resumed: ResumedJournal
  ) {
    let choices = ResumeChoices(
      difference, resumed.place, retriesFailed: resumed.run.retriesFailed)
    process.say("nothing was run: the scenario does not repeat what the journal has")
    for choice in choices.lines { process.say(choice, as: .note) }
  }

  /// Returns the failures of a journal's run, or nil if it did not fail.
  private func failures(
    of journal: Journal, _ plan: Plan, _ resumed: ResumedJournal
  ) async throws -> (steps: FailedSteps, diagnostics: [Diagnostic])? {
    guard journal.passed == false else { return nil }
    return try await failures(of: journal, plan, at: resumed.place)
  }

  /// Returns a journal without the calls that are made again because its run failed, and the line
  /// for it.
  private func retrying(
    _ journal: Journal, _ plan: Plan, _ resumed: ResumedJournal,
    _ failures: (steps: FailedSteps, diagnostics: [Diagnostic])?
  ) throws -> (Journal, line: [UInt8]?) {
    guard let failures else { return (journal, nil) }
    let isChanged = !journal.header.changes(in: plan).isEmpty
    if let (line, rest) = journal.retrying(failures.steps, isChanged: isChanged) {
      return (rest, line)
    }
    print(failures.diagnostics)
    let failed = FailedRun(place: resumed.place, plan: plan, failures: failures.steps)
    tell(failed, journal, resumed.run)
    throw Refusal(code: .badInput)
  }

  /// Prints that the run of a journal has ended, where it failed, and how it goes on then.
  private func tellEnd(of journal: Journal, _ resumed: ResumedJournal) async throws -> ExitCode {
    // The end of this run does not complete a job for another scenario. An edited one has ended.
    if resumed.isBegun, let scenario = resumed.scenario,
      !journal.header.names(scenario, beside: resumed.place.path)
    {
      guard let plan = plan(scenario) else { return .badInput }
      if let problem = otherScenario(journal, plan, resumed) {
        process.say(problem, as: .error)
        return .badInput
      }
    }
    let name = resumed.place.text.onOneLine
    if journal.passed == true {
      process.output("the run in '\(name)' has finished; there is nothing to resume\n")
      return .passed
    }
    let path = try self.scenario(resumed.scenario, of: journal.header, in: resumed.place.path)
    guard let plan = plan(path) else { return .failed }
    let failures = try await failures(of: journal, plan, at: resumed.place)
    print(failures.diagnostics)
    let failed = FailedRun(place: resumed.place, plan: plan, failures: failures.steps)
    tell(failed, journal, resumed.run)
    return .failed
  }

  /// Returns true if the scenario and its plugins are those of the journal, or changes are allowed.
  private func accepts(
    _ journal: Journal, _ plan: Plan, of resumed: ResumedJournal, isTold: Bool
  ) -> Bool {
    let isForced = resumed.run.isForced
    // No option makes a journal fit another scenario, so none is offered.
    if let problem = otherScenario(journal, plan, resumed), !isTold {
      process.say(problem, as: isForced ? .warning : .error)
      if !isForced { return false }
    }
    let unchecked =
      "the journal was written by an earlier flow and has no checksums, so damage cannot be detected"
    let changes = journal.header.changes(in: plan) + (journal.isChecked ? [] : [unchecked])
    // A change is judged by the calls, unless these may be damaged.
    if changes.isEmpty || journal.isChecked && !isForced { return true }
    if isTold, isForced { return true }
    for change in changes { process.say(change.onOneLine, as: isForced ? .warning : .error) }
    if !isForced {
      process.errorOutput("the journal may no longer fit; --force resumes it anyway\n")
    }
    return isForced
  }

  /// Returns the problem with a plan of another scenario than the journal's, or nil.
  private func otherScenario(
    _ journal: Journal, _ plan: Plan, _ resumed: ResumedJournal
  ) -> String? {
    let (header, place) = (journal.header, resumed.place)
    let path = resumed.earlier?.present ?? plan.file
    if header.digest == plan.digest || header.names(path, beside: place.path) { return nil }
    return
      "'\(place.text)' is the journal of '\(header.scenario)', and '\(plan.file)' is another scenario"
      .onOneLine
  }
}

extension Journal {
  /// Returns the journal after adding lines to it.
  fileprivate func adding(
    _ lines: [[UInt8]], to store: any JournalStore, at place: JournalPlace, _ redactor: Redactor
  ) throws -> Journal {
    if tornBytes > 0 { try store.cut(to: length) }
    if redactor.hasSecrets { store.makePrivate() }
    for line in signing(lines) { try store.append(line) }
    try store.reachDisk()
    return try place.read()
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
