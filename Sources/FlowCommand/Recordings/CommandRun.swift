internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

/// The settings of `run` and `resume` for a scenario, and the files written meanwhile.
struct CommandRun: Sendable {
  /// The options of the session, except the ones set by the command itself.
  var session = Session.Options()
  var detail = ConsoleReport.Detail.steps
  /// True if a resumed run always repeats calls with an unknown outcome.
  var retriesUnknown = false
  /// True if a journal of a failed run is continued.
  var retriesFailed = false
  /// True if a journal may be resumed with a changed scenario or plugin.
  var isForced = false
  /// True if the scenario or a plugin is another one than at the beginning of the journal.
  var isChanged = false
  /// True if the run stops at failed steps for a person.
  var debugsFailures = false
  /// True if the scenario was on standard input, so that the plan has no file.
  var isFromInput = false
  /// The name of the scenario in a revision of Git, as in `--scenario`, or nil for a path.
  var revision: String?
  /// The options for the same inputs.
  var inputs = ""
  /// The other options repeated in every command about this run.
  var given = ""
  /// The golden transcript to write, or nil.
  var transcript: TranscriptOutput?
  /// The recording to compare with that of a second run, or nil.
  var first: Recorder?
  /// The number of the run among the trials of its scenario, from 1, or nil for a single run.
  var trial: Int?
  /// Receives the events of all trials, or nil.
  var trialSink: (any EventSink)?
  /// The journal to write, or nil.
  var journal: JournalOutput?
  /// The reports to write, which decide how the run is traced.
  var reports: Reports? {
    didSet {
      tracer = reports?.tracing.map(RunTracer.init)
      tracers = reports?.showsMeasures == true ? CallTracers(.live) : nil
    }
  }
  private var tracer: RunTracer?
  private var tracers: CallTracers?
  fileprivate let failures = FailedSteps()
  fileprivate let log = LogLines()

  /// Returns the result of the run for reports.
  func scenario(_ plan: Plan, _ report: RunReport, wasInterrupted: Bool) -> ScenarioReport {
    var scenario = ScenarioReport(path: plan.file, name: plan.name ?? "")
    scenario.tags = plan.tags
    scenario.command = command(of: plan)
    scenario.verdict = wasInterrupted ? .notRun : report.passed ? .passed : .failed
    scenario.wasInterrupted = wasInterrupted
    if wasInterrupted { scenario.details = ["interrupted"] }
    scenario.findings.diagnostics = report.diagnostics
    scenario.elapsed = report.elapsed
    scenario.measures = tracers?.measures ?? RunMeasures()
    scenario.attempts = [
      .init(
        passed: report.passed, diagnostics: report.diagnostics,
        retried: report.retriedDiagnostics, cases: report.cases, log: log.sentences,
        trace: tracer?.trace ?? RunTrace())
    ]
    return scenario
  }

  /// Returns the command that repeats the run.
  private func command(of plan: Plan) -> String {
    let time = session.virtualTime == nil ? "" : " --virtual-time"
    let file = isFromInput ? StandardInput.operand : plan.file.shellPath
    return "flow run \(file)\(inputs) --seed \(session.seed)\(time)\(given)".onOneLine
  }

  /// Returns the command that goes on with a journal, with the settings of this run and more
  /// options.
  func command(resuming journal: JournalPlace, of plan: Plan?, _ options: String) -> String {
    var scenario = ""
    // A journal may be written by anyone, so the path of a scenario outside of the working
    // directory is not taken from it.
    if let revision {
      scenario = " --scenario \(revision.shellWord)"
    } else if let file = plan?.file, case .file = journal,
      file.utf8.first == UInt8(ascii: "/") || file.hasPrefix("../")
    {
      scenario = " --scenario \(file.shellPath)"
    }
    let time = session.virtualTime == nil ? "" : " --virtual-time"
    let force = isForced ? " --force" : ""
    let settings = "\(options)\(time)\(force)\(given)"
    return "flow resume \(journal.text.shellPath)\(scenario)\(settings)".onOneLine
  }

  var sinks: [any EventSink] {
    // The journal first: it must hold everything sent to any other sink.
    let traced: [any EventSink] = tracer.map { [$0] } ?? []
    let journaled: [any EventSink] = journal.map { [$0.recorder, failures] } ?? []
    let recorders = [transcript?.recorder, first].compactMap(\.self)
    let trials: [any EventSink] = trialSink.map { [$0] } ?? []
    return journaled + recorders + traced + (tracers?.sinks ?? []) + trials
  }

  /// Returns the source of answers: the journal if there is one, and then the components.
  fileprivate func caller(
    in session: Session, _ console: ConsoleReport
  ) -> (any Caller, Pacing?) {
    guard let journal else { return (session.live(), nil) }
    var options = ResumingCaller.Options(
      retriesUnknown: retriesUnknown, keepsOrder: session.plan.hasOverlappingCalls && !isForced)
    options.watchesSteps = isForced || isChanged
    options.notePast = { [tracers] address, past in
      console.note(past == .served ? .served : .repeated, address)
      if past == .served { tracers?.note(address, isLive: false) }
    }
    let caller = journal.caller(in: session, options)
    return (caller, caller.pacing)
  }
}

extension CommandContext {
  /// Returns the transcript next to a scenario, and its inputs, or nil after printing the reason.
  func recorded(beside plan: Plan) -> (transcript: Transcript, inputs: [Value])? {
    let file = Path.transcript(of: plan.file)
    let recording = "flow run \(plan.file.shellPath) --record"
    guard FileSystem.isOccupied(file) else {
      verdict.offer(recording)
      process.say("'\(plan.file)' has no transcript; '\(recording)' writes one")
      return nil
    }
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file, allowsPipe: false)
      return (transcript, try transcript.header.inputValues(for: plan, file: file))
    } catch {
      verdict.offer(recording)
      print(error)
      return nil
    }
  }

  func complete(
    _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async throws(FileError) -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    let journalFailure = run.journal?.finish()
    // Includes secrets that no component received, because lines of the scenario are quoted.
    plan.hideSecrets(inputs: [], by: redactor)
    print(report.diagnostics)
    verdict.count(report.counts.verdictCounts)
    let scenario = run.scenario(plan, report, wasInterrupted: wasInterrupted)
    let code = run.reports?.finish(with: scenario) ?? .passed
    if let journalFailure { throw journalFailure }
    if wasInterrupted { return interrupted(run, of: plan) }
    if !report.passed { failed(run, of: plan) }
    if let transcript = run.transcript { try await finish(transcript, passed: report.passed) }
    return code.worse(report.code)
  }

  /// Puts a transcript in its place, with a note if an existing one stays.
  ///
  /// `source` names the run among several ones, or is empty.
  func finish(
    _ transcript: TranscriptOutput, passed: Bool, from source: String = ""
  ) async throws(FileError) {
    let path = (try await transcript.finish(passed: passed)).onOneLine
    let kept = transcript.path.onOneLine
    if path != kept {
      process.say(
        "the run failed, so '\(kept)' is unchanged; remove it to replace it", as: .note)
    } else if !passed {
      process.say(
        "the recorded run failed, so 'flow test' fails until a run that passes is recorded",
        as: .note)
    }
    let recording = transcript.recorder.recording
    for note in [recording.warning, recording.shownSecrets].compactMap(\.self) {
      process.say(note, as: .note)
    }
    process.output("recorded \(path)\(source)\n")
  }

  /// Discards the transcript of an interrupted run, which would be no golden transcript.
  ///
  /// A journal is kept.
  func interrupted(_ run: CommandRun, of plan: Plan) -> ExitCode {
    if let transcript = run.transcript {
      transcript.abandon()
      process.say(
        "interrupted, '\(transcript.path.onOneLine)' was not written")
    }
    if let journal = run.journal {
      let again = saysUnknown(journal.place, plan) ? " --retry-unknown" : ""
      let command = run.command(resuming: journal.place, of: plan, again)
      verdict.offer(command)
      process.say("interrupted; continue with: \(command)")
    }
    return .interrupted
  }

  /// Prints the command that goes on with the journal of a failed run, if it has one with its end.
  private func failed(_ run: CommandRun, of plan: Plan) {
    guard let output = run.journal, !output.recorder.isStopped,
      let journal = try? output.place.read(), journal.passed == false
    else { return }
    let failed = FailedRun(place: output.place, plan: plan, failures: run.failures)
    tell(failed, journal, run)
  }

  /// Prints the calls with an unknown outcome, at which resuming a journal would stop.
  ///
  /// False if there are none.
  private func saysUnknown(_ journal: JournalPlace, _ plan: Plan) -> Bool {
    // A journal that cannot be read now is reported on resuming it.
    let unknown = (try? journal.read())?.unknownCalls(in: plan) ?? []
    if unknown.isEmpty { return false }
    let named = unknown.prefix(9).map { "'\($0.onOneLine)'" }.joined(separator: ", ")
    let more = unknown.count > 9 ? " and \(unknown.count - 9) more" : ""
    process.say("it is not known whether these calls took effect: \(named)\(more)", as: .note)
    process.say(
      "check them: --retry-unknown repeats them, and --done CALL records that one took effect",
      as: .note)
    return true
  }

  func runLive(
    _ plan: Plan, _ inputs: [Value], _ run: CommandRun
  ) async -> (RunReport, wasInterrupted: Bool) {
    let console = consoleReport(run.detail, trial: run.trial)
    let activity = RunActivity(showsLines: run.detail < .calls)
    var options = options(of: run, console, activity)
    // The order of concurrent calls in a journal must be the order of their execution.
    options.sharesThread = run.journal != nil && plan.hasOverlappingCalls
    let (ended, wasInterrupted) = await interruptibly(
      withoutCtrlC: run.debugsFailures, notice: { run.journal?.recorder.interrupt() },
      abandon: { run.transcript?.abandon() }
    ) { [self, options] in
      if run.debugsFailures, let ended = await debugFailures(plan, inputs, run, options, console) {
        return ended
      }
      let session = Session(of: plan, sinks: [activity, console] + run.sinks, options: options)
      let (caller, pacing) = run.caller(in: session, console)
      let display = LiveDisplay(process) { [redactor] size in
        activity.rows(in: size).map(redactor.redacted)
      } places: {
        activity.places(of: plan.file)
      }
      defer { display.end() }
      let ended = await fromState(plan) {
        await session.run(inputs: inputs, through: caller, pacing: pacing)
      }
      return (ended.report, false)
    }
    return (ended.0, wasInterrupted || ended.wasInterrupted)
  }

  private func options(
    of run: CommandRun, _ console: ConsoleReport, _ activity: RunActivity
  ) -> Session.Options {
    var options = run.session
    options.redactor = runRedactor()
    options.notesFiles = run.transcript != nil
    options.log = { [log = run.log] in
      console.log($0, $1)
      log.add($0, $1)
    }
    if run.detail >= .calls { options.logOfNews = { [log = run.log] in log.add($0, $1) } }
    options.watch = { news in
      activity.receive(news)
      if case .line(let address, let line) = news { console.show(address, line) }
    }
    return options
  }
}

extension CommandContext {
  /// Runs a scenario that stops at failed steps, or returns nil if its file can no longer be read.
  private func debugFailures(
    _ plan: Plan, _ inputs: [Value], _ run: CommandRun, _ options: Session.Options,
    _ console: ConsoleReport
  ) async -> (RunReport, wasInterrupted: Bool)? {
    let isRecorded = run.transcript != nil || run.journal != nil
    return try? await debugFailures(of: plan, again: !isRecorded) { gate in
      var options = options
      options.gate = gate
      let sinks: [any EventSink] = [console] + run.sinks
      let session = Session(of: plan, sinks: sinks, options: options)
      let (caller, pacing) = run.caller(in: session, console)
      return await session.run(inputs: inputs, through: caller, pacing: pacing)
    }
  }
}

extension RunReport {
  /// The exit code of the run.
  ///
  /// A run that could not open its components again may succeed later.
  fileprivate var code: ExitCode {
    if passed { return .passed }
    return diagnostics.contains { $0.code == .unopenedAgain } ? .busy : .failed
  }
}
