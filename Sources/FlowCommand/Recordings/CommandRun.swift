internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// How `run` and `resume` run a scenario, and what they write meanwhile.
struct CommandRun: Sendable {
  /// How the session runs, but for what the command itself decides.
  var session = Session.Options()
  var detail = ConsoleReport.Detail.steps
  /// Whether unknown calls of a resumed run are made again in any case.
  var retriesUnknown = false
  /// Whether a journal goes on with a scenario or plugin that has changed.
  var isForced = false
  /// Whether the scenario was on standard input, so that the plan's file is none.
  var isFromInput = false
  /// The options that give the inputs again.
  var inputs = ""
  /// The other options that every command about this run repeats.
  var given = ""
  /// The golden transcript that is written; nil for none.
  var transcript: TranscriptOutput?
  /// The journal that is written; nil for none.
  var journal: JournalOutput?
  /// The reports that are written, and what happens in the run for them.
  var reports: Reports? {
    didSet { tracer = reports?.tracing.map(RunTracer.init) }
  }
  private var tracer: RunTracer?
  fileprivate let log = LogLines()

  /// How the run ended, as reports show it.
  func scenario(_ plan: Plan, _ report: RunReport, wasInterrupted: Bool) -> ScenarioReport {
    var scenario = ScenarioReport(path: plan.file, name: plan.name ?? "")
    scenario.tags = plan.tags
    scenario.command = command(of: plan)
    scenario.verdict = wasInterrupted ? .notRun : report.passed ? .passed : .failed
    scenario.wasInterrupted = wasInterrupted
    if wasInterrupted { scenario.details = ["interrupted"] }
    scenario.findings.diagnostics = report.diagnostics
    scenario.elapsed = report.elapsed
    scenario.attempts = [
      .init(
        passed: report.passed, diagnostics: report.diagnostics,
        retried: report.retriedDiagnostics, log: log.sentences, trace: tracer?.trace ?? RunTrace())
    ]
    return scenario
  }

  /// The command that runs it again.
  private func command(of plan: Plan) -> String {
    let time = session.virtualTime == nil ? "" : " --virtual-time"
    let file = isFromInput ? StandardInput.operand : plan.file.shellPath
    return "flow run \(file)\(inputs) --seed \(session.seed)\(time)\(given)".onOneLine
  }

  /// The options with which the run goes on as it began.
  fileprivate var resumeOptions: String {
    (session.virtualTime == nil ? "" : " --virtual-time") + (isForced ? " --force" : "") + given
  }

  var sinks: [any EventSink] {
    // The journal first: it must hold what any other sink receives.
    let traced: [any EventSink] = tracer.map { [$0] } ?? []
    return (journal.map { [$0.recorder] } ?? []) + (transcript.map { [$0.recorder] } ?? [])
      + traced
  }

  /// Where answers come from: the journal first, where there is one, and then the components.
  fileprivate func caller(
    in session: Session, _ console: ConsoleReport
  ) -> (any Caller, Session.Pacing?) {
    guard let journal else { return (session.live(), nil) }
    var options = ResumingCaller.Options(
      retriesUnknown: retriesUnknown, keepsOrder: session.plan.hasOverlappingCalls && !isForced)
    options.watchesSteps = isForced
    options.notePast = { console.note($1 == .served ? .served : .repeated, $0) }
    let caller = journal.caller(in: session, options)
    return (caller, caller.pacing)
  }
}

extension CommandContext {
  /// The transcript beside a scenario, and the inputs in it; nil after it was printed that there are none.
  func recorded(beside plan: Plan) -> (transcript: Transcript, inputs: [Value])? {
    let file = Path.transcript(of: plan.file)
    guard FileSystem.isOccupied(file) else {
      process.say(
        "'\(plan.file)' has no transcript; "
          + "'flow run \(plan.file.shellPath) --record' writes one")
      return nil
    }
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file, allowsPipe: false)
      return (transcript, try transcript.header.inputValues(for: plan, file: file))
    } catch {
      print(error)
      return nil
    }
  }

  func complete(
    _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async throws(FileError) -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    let journalFailure = run.journal?.finish()
    // Also what no component was given: the lines of the scenario are quoted.
    plan.hideSecrets(inputs: [], by: redactor)
    print(report.diagnostics)
    let scenario = run.scenario(plan, report, wasInterrupted: wasInterrupted)
    let code = run.reports?.finish(with: scenario) ?? .passed
    if let journalFailure { throw journalFailure }
    if wasInterrupted { return interrupted(run, of: plan) }
    if let transcript = run.transcript { try finish(transcript, passed: report.passed) }
    return code.worse(report.code)
  }

  /// Puts a transcript in its place, and says so when another one keeps it.
  private func finish(_ transcript: TranscriptOutput, passed: Bool) throws(FileError) {
    let path = (try transcript.finish(passed: passed)).onOneLine
    let kept = transcript.path.onOneLine
    if path != kept {
      process.say(
        "the run failed, so '\(kept)' stays as it was; remove it to replace it", as: .note)
    } else if !passed {
      process.say(
        "the recorded run failed, so 'flow test' fails until a run that passes is recorded",
        as: .note)
    }
    if let warning = transcript.recorder.warning { process.say("\(warning)", as: .note) }
    process.output("recorded \(path)\n")
  }

  /// What was recorded of half a run is thrown away: it is no golden transcript.
  ///
  /// A journal is kept.
  private func interrupted(_ run: CommandRun, of plan: Plan) -> ExitCode {
    if let transcript = run.transcript {
      transcript.abandon()
      process.say(
        "interrupted, '\(transcript.path.onOneLine)' was not written")
    }
    if let journal = run.journal {
      // What is elsewhere is not taken from a journal, which anybody may have written.
      let isElsewhere = plan.file.utf8.first == UInt8(ascii: "/") || plan.file.hasPrefix("../")
      let isFile = if case .file = journal.place { true } else { false }
      let scenario = isFile && isElsewhere ? " --scenario \(plan.file.shellPath)" : ""
      let again = saysUnknown(journal.place, plan) ? " --retry-unknown" : ""
      let command =
        "flow resume \(journal.place.text.shellPath)\(scenario)\(again)\(run.resumeOptions)"
      process.say("interrupted; go on with: \(command.onOneLine)")
    }
    return .interrupted
  }

  /// Names the calls of a journal at which it would not go on by itself; false where there are none.
  private func saysUnknown(_ journal: JournalPlace, _ plan: Plan) -> Bool {
    // What cannot be read now is reported when it is resumed.
    let unknown = (try? journal.read())?.unknownCalls(in: plan) ?? []
    if unknown.isEmpty { return false }
    let named = unknown.prefix(9).map { "'\($0.onOneLine)'" }.joined(separator: ", ")
    let more = unknown.count > 9 ? " and \(unknown.count - 9) more" : ""
    process.say("it is not known whether these calls were done: \(named)\(more)", as: .note)
    process.say("find out, since --retry-unknown does them again", as: .note)
    return true
  }

  private func runLive(
    _ plan: Plan, _ inputs: [Value], _ run: CommandRun
  ) async -> (RunReport, wasInterrupted: Bool) {
    let console = consoleReport(run.detail)
    var options = run.session
    options.redactor = runRedactor()
    options.log = { [log = run.log] in
      console.log($0, $1)
      log.add($0, $1)
    }
    // What a journal says of calls beside each other must be what was done first.
    options.sharesThread = run.journal != nil && plan.hasOverlappingCalls
    let activity = RunActivity()
    let session = Session(of: plan, sinks: [activity, console] + run.sinks, options: options)
    let (caller, pacing) = run.caller(in: session, console)
    let display = LiveDisplay(process) { [redactor] size in
      activity.rows(in: size).map(redactor.redacted)
    } places: {
      activity.places(of: plan.file)
    }
    defer { display.end() }
    guard process.takesSignals else {
      return (await session.run(inputs: inputs, through: caller, pacing: pacing), false)
    }
    return await Interruption.cancelling(
      { await session.run(inputs: inputs, through: caller, pacing: pacing) },
      notice: { [process] in
        run.journal?.recorder.interrupt()
        process.say("stopping; press Ctrl-C again to stop at once")
      },
      abandon: { [process] in
        process.leaveTerminal()
        run.transcript?.abandon()
      })
  }
}

extension RunReport {
  /// What the process says of the run; one that has left its journal as it was may get further later.
  fileprivate var code: ExitCode {
    if passed { return .passed }
    return diagnostics.contains { $0.code == .unopenedAgain } ? .busy : .failed
  }
}

/// A transcript that is being written.
struct TranscriptOutput: Sendable {
  let path: String
  let recorder: Recorder
  private let plan: Plan
  private let file: OutputFile
  /// Knows whether the run has secrets.
  private let redactor: Redactor
  /// Keeps bodies from being cleared away before a transcript names them.
  private let lock: FolderLock?

  /// Opens the transcript at a path; the empty one is the place beside the scenario.
  ///
  /// A new one is its owner's alone if `redactor` knows a secret now or in the end.
  init(of plan: Plan, at path: String, _ redactor: Redactor) throws(FileError) {
    let usual = Path.transcript(of: plan.file)
    self.path = path.isEmpty ? usual : path
    // A path that the user gave leads where its link does.
    let isNamed = !path.isEmpty
    if isNamed || !FileSystem.isLink(self.path) {
      try OutputPlace.check(transcript: self.path, isUsual: self.path == usual)
    }
    self.redactor = redactor
    self.plan = plan
    lock = FolderLock(sharing: Path.folder(of: self.path))
    let file = try OutputFile(
      replacing: self.path, followsLinks: isNamed, isPrivate: redactor.hasSecrets)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    let blobs = BlobFolder(beside: self.path)
    recorder = Recorder(
      scenario: scenario,
      blobs: { try blobs.store($1, of: $0, isPrivate: redactor.hasSecrets) }, isSealed: true
    ) { try file.append($0) }
  }

  func abandon() { file.discard() }

  /// Puts the transcript in its place and says where that is: beside what is there if the run failed, unless that
  /// is the transcript of a run that failed as well.
  func finish(passed: Bool) throws(FileError) -> String {
    if let failure = recorder.failure {
      abandon()
      throw FileError(failure, writing: path)
    }
    let other = passed || !holdsMore ? nil : Self.failed(path)
    if passed, let old = try? TranscriptReader.read(path, allowsPipe: false), old.hasMatchers {
      try file.rewrite { old.keepingMatchers(in: $0, beside: path, of: plan, redactor) }
    }
    // Somebody may have begun a journal there meanwhile.
    do throws(FileError) { try OutputPlace.check(transcript: other ?? path, isUsual: true) } catch {
      abandon()
      throw error
    }
    try file.commit(isPrivate: redactor.hasSecrets, at: other)
    return other ?? path
  }

  /// Whether something stands at the path that a failed run must not take away.
  private var holdsMore: Bool {
    guard FileSystem.exists(path) else { return false }
    // What cannot be read may be a good transcript with a merge in it.
    return (try? TranscriptReader.read(path, allowsPipe: false))?.passed ?? true
  }

  /// `shop.transcript.failed.jsonl` for `shop.transcript.jsonl`.
  private static func failed(_ path: String) -> String {
    let ending = ".jsonl"
    return path.hasSuffix(ending)
      ? path.dropLast(ending.count) + ".failed" + ending : path + ".failed"
  }
}

extension FileError {
  /// Why a recorder wrote nothing more to a file.
  init(_ failure: any Error, writing path: String) {
    self =
      failure as? FileError
      ?? FileError(.unreadable, path: path, reason: "\(failure)", isWriting: true)
  }
}

/// A journal that is being written, new or resumed.
struct JournalOutput: Sendable {
  let place: JournalPlace
  let recorder: JournalRecorder
  private let journal: Journal?
  private let store: any JournalStore

  /// Creates the journal of a new run; it is its owner's alone once `redactor` knows a secret.
  ///
  /// With `mayExist` one without a whole line is none that another run has begun.
  init(
    of plan: Plan, at place: JournalPlace, run: String, _ redactor: Redactor, mayExist: Bool = false
  ) throws(FileError) {
    let store = try place.begin(mayExist: mayExist, isPrivate: redactor.hasSecrets)
    let scenario = Path.relative(plan.file, to: Path.folder(of: place.path))
    self.init(in: place, store, resuming: nil, scenario: scenario, run: run, redactor)
  }

  /// Goes on with a journal, whose mode stays; a torn line is cut off.
  init(
    resuming journal: Journal, in store: any JournalStore, at place: JournalPlace,
    _ redactor: Redactor
  ) throws(FileError) {
    if journal.tornBytes > 0 { try store.cut(to: journal.length) }
    self.init(
      in: place, store, resuming: journal, scenario: journal.header.scenario, run: journal.run,
      redactor)
  }

  private init(
    in place: JournalPlace, _ store: any JournalStore, resuming journal: Journal?, scenario: String,
    run: String, _ redactor: Redactor
  ) {
    self.place = place
    self.store = store
    self.journal = journal
    recorder = JournalRecorder(
      scenario: scenario, run: run, resuming: journal,
      blobs: { try store.keep($1, digest: $0.digest, isPrivate: redactor.hasSecrets) },
      append: { line, mayWait in
        if redactor.hasSecrets { store.makePrivate() }
        try store.append(line, mayWait: mayWait)
      },
      reachDisk: { try store.reachDisk() })
  }

  /// Lets others go on with the journal; why it does not have all of the run, nil where it does.
  func finish() -> FileError? {
    do throws(FileError) { try store.release() } catch {
      return recorder.failure.map { FileError($0, writing: place.text) } ?? error
    }
    return recorder.failure.map { FileError($0, writing: place.text) }
  }

  func caller(in session: Session, _ options: ResumingCaller.Options) -> ResumingCaller {
    ResumingCaller(journal, in: session, recorder: recorder, options: options)
  }
}
