internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowTranscript

/// A run of a scenario in a test.
struct TestRun: Sendable {
  let report: RunReport
  var recording: Recording?
  /// True if a replay did what was recorded, whether the recorded run passed or failed.
  private(set) var asksTheSame = false
  /// The parts of a replay that did not follow from the answers of live components.
  private(set) var steady: SteadyParts?
  /// The departures of a replay from its transcript, including allowed ones.
  var mismatches: [ReplayMismatch] = []
  /// The difference of a live run from the transcript, or nil for a replay or without a difference.
  var difference: TranscriptDifference?
  /// The departures that fail the run, in addition to its own failures.
  var departures: [Diagnostic] = []
  /// True if the first departure came before the run's own failures, and may be their cause.
  var departsFirst = false
  /// The allowed departures and other remarks, a sentence each.
  var notes: [String] = []
  var log: [String] = []
  var acceptance = ""
  /// The trace of the run.
  ///
  /// Empty if no report shows it.
  var trace = RunTrace()
  /// What its calls cover and take.
  ///
  /// Nothing if no report shows it.
  private(set) var measures = RunMeasures()
  /// True if the run's failures are consequences of a departure, whose message includes them.
  private var isConsequence = false
  /// True if the run was stopped from outside, so that cancelled steps are reported.
  private let wasInterrupted: Bool

  /// Creates the result of a run that was not started.
  private init(_ refusal: ScenarioState.Failure) { self.init(refusal.report) }

  /// Creates the result of a run that has just ended, on the task whose cancellation would have
  /// interrupted it.
  private init(_ report: RunReport) {
    self.report = report
    wasInterrupted = Task.isCancelled
  }

  var passed: Bool { report.passed && departures.isEmpty }

  /// True if the run differed from its transcript.
  ///
  /// False if this is unknown.
  var hasDeparted: Bool { difference != nil || !mismatches.allSatisfy(\.isAllowed) }

  /// The problems in the order of the run.
  ///
  /// An interrupted run includes its running steps.
  var diagnostics: [Diagnostic] {
    if isConsequence { return departures }
    let failures = report.diagnostics.filter { wasInterrupted || $0.code != .cancelled }
    return departsFirst ? departures + failures : failures + departures
  }

  /// The run as an attempt in reports.
  var attempt: ScenarioReport.Attempt {
    ScenarioReport.Attempt(
      passed: passed, diagnostics: diagnostics, retried: report.retriedDiagnostics,
      cases: report.cases, log: log, trace: trace)
  }

  /// Returns the report of the run alone.
  func scenario(of plan: Plan) -> ScenarioReport {
    var scenario = ScenarioReport(path: plan.file, name: plan.name ?? "")
    scenario.tags = plan.tags
    scenario.verdict = passed ? .passed : .failed
    scenario.findings = findings
    scenario.difference = difference
    scenario.elapsed = report.elapsed
    scenario.attempts = [attempt]
    scenario.measures = measures
    return scenario
  }

  var findings: RunFindings {
    var findings = RunFindings()
    findings.diagnostics = diagnostics
    findings.notes = notes
    findings.mismatches = mismatches
    findings.acceptance = acceptance
    return findings
  }

  /// Forgets that live components answered otherwise than recorded, if nothing else failed.
  mutating func forgiveDifference() {
    guard report.passed, difference != nil else { return }
    difference = nil
    departures.removeAll { $0.code == .otherLiveRun }
  }

  /// Replays recorded answers in virtual time.
  ///
  /// Departures in `allowing` are noted and do not fail the run.
  static func replay(
    _ transcript: Transcript, of plan: Plan, inputs: [Value], _ flow: CommandContext,
    allowing: Set<ToleratedDeparture> = [], acceptance: String?, sinks: [any EventSink] = [],
    live names: Set<String> = [], isSameScenario: Bool = false, asking: Timestamp? = nil,
    hiding secrets: GivenSecrets? = nil, tracing: TraceOptions? = nil, measuring: Bool = false,
    activity: RunActivity? = nil, checksSources: Bool = false, foreground: Foreground? = nil,
    judgements: NotedJudgements? = nil
  ) async -> TestRun {
    let (log, tracer) = (LogLines(), tracing.map(RunTracer.init))
    let tracers = measuring ? CallTracers(.recorded(live: names)) : nil
    var live = Self.live(log, tracers, activity)
    live.names = names
    live.isSameScenario = isSameScenario
    live.asking = asking
    live.foreground = foreground
    live.secret = { secrets?.value($0) }
    let strict = Replay(
      transcript, of: plan, allowing: allowing, acceptance: acceptance, live: live)
    let checked = checksSources ? strict.checkingSources : strict
    let isLive = !names.isEmpty || asking != nil
    let replay: Replay.Report
    switch await flow.fromState(
      plan, isLive: isLive,
      {
        await checked.run(
          inputs: inputs,
          sinks: sinks + (activity.map { [$0] } ?? []) + (tracer.map { [$0] } ?? [])
            + (tracers?.sinks ?? []),
          redactor: flow.runRedactor(), judgements: judgements)
      })
    {
    case .success(let report): replay = report
    case .failure(let refusal): return TestRun(refusal)
    }
    var run = TestRun(replay.run)
    run.trace = tracer?.trace ?? RunTrace()
    run.measures = tracers?.measures ?? RunMeasures()
    (run.asksTheSame, run.steady) = (replay.asksTheSame, replay.steady)
    run.mismatches = replay.mismatches
    run.departures = replay.ends.map(\.diagnostic)
    run.notes = replay.mismatches.allowedNotes + replay.allowed.allowedNotes
    if let served = replay.servedOtherwise { run.notes.append(served) }
    if !replay.run.passed { run.notes += Self.noteOnServed(plan, live: names) }
    run.acceptance = acceptance ?? ""
    run.log = log.sentences
    run.recording = replay.recording
    if let difference = replay.difference {
      run.difference = difference
      run.departsFirst = replay.differsFirst
      run.isConsequence = replay.explainsFailure
      let consequence = replay.explainsFailure ? replay.run.diagnostics.first : nil
      run.departures = [
        .departure(
          difference, acceptance: replay.run.passed ? run.acceptance : nil,
          consequence: consequence)
      ]
    }
    if let problem = replay.problem { run.departures.append(problem) }
    return run
  }

  private static func live(
    _ log: LogLines, _ tracers: CallTracers?, _ activity: RunActivity?
  ) -> Replay.Live {
    var live = Replay.Live()
    live.noteAsked = { tracers?.note($0, isLive: true) }
    live.log = { address, message in
      log.add(address, message)
      activity?.log(address, message)
    }
    if let activity { live.watch = { activity.receive($0) } }
    return live
  }

  /// Notes the components served from the transcript while others were live and may have needed
  /// them.
  private static func noteOnServed(_ plan: Plan, live names: Set<String>) -> [String] {
    let served = Set(plan.componentNames).subtracting(names).sorted().map { "'\($0)'" }
    if names.isEmpty || served.isEmpty { return [] }
    return ["not run, but served from the transcript: \(served.joined(separator: ", "))"]
  }

  /// Runs the components and records into memory.
  ///
  /// Other sinks receive the events as well.
  static func live(
    _ plan: Plan, inputs: [Value], seed: UInt64, hiding secrets: GivenSecrets,
    _ flow: CommandContext,
    sinks: [any EventSink] = [], tracing: TraceOptions? = nil, measuring: Bool = false,
    activity: RunActivity? = nil, comparedWith recorded: Transcript? = nil,
    foreground: Foreground? = nil
  ) async -> TestRun {
    let (recorder, log) = (Recorder(of: plan), LogLines())
    let tracer = tracing.map(RunTracer.init)
    let tracers = measuring ? CallTracers(.live) : nil
    var options = Session.Options()
    options.seed = seed
    options.secret = { secrets.value($0) }
    options.redactor = flow.runRedactor()
    recorded?.leaveVisible(by: options.redactor, in: plan)
    options.notesFiles = true
    options.foreground = foreground
    options.log = { address, message in
      log.add(address, message)
      activity?.log(address, message)
    }
    if let activity { options.watch = { activity.receive($0) } }
    let session = Session(
      of: plan,
      sinks: [recorder] + sinks + (activity.map { [$0] } ?? [])
        + (tracer.map { [$0] } ?? []) + (tracers?.sinks ?? []),
      options: options)
    var run: TestRun
    switch await flow.fromState(plan, { await session.run(inputs: inputs) }) {
    case .success(let report): run = TestRun(report)
    case .failure(let refusal): return TestRun(refusal)
    }
    run.trace = tracer?.trace ?? RunTrace()
    run.measures = tracers?.measures ?? RunMeasures()
    run.recording = recorder.recording
    run.recording?.isPrivate = session.redactor.hasSecrets
    run.log = log.sentences
    return run
  }
}

extension Recording {
  /// Returns the differences of the run from a transcript.
  func difference(
    from transcript: Transcript, _ plan: Plan
  ) throws(TranscriptError) -> TranscriptDifference {
    TranscriptDifference(from: transcript, to: try whole(plan.file), plan: plan)
  }

  /// Returns the differences between the answers of the run and those in a transcript.
  func answerDifference(
    from transcript: Transcript, _ plan: Plan
  ) throws(TranscriptError) -> TranscriptDifference {
    TranscriptDifference(ofAnswersIn: try whole(plan.file), from: transcript, plan: plan)
  }
}

extension [TranscriptDifference.Call] {
  var allowedNotes: [String] { map { "allowed: \($0.title)" } }
}

extension [ReplayMismatch] {
  var allowedNotes: [String] {
    var notes: [String] = []
    for mismatch in self where mismatch.isAllowed {
      let details = mismatch.diagnostic.notes.prefix(5).joined(separator: "; ")
      let note = "allowed: \(mismatch.diagnostic.message) (\(details))"
      // Several unused calls share one diagnostic.
      if notes.last != note { notes.append(note) }
    }
    return notes.map { $0.onOneLine }
  }
}

extension Diagnostic {
  /// Creates the error of a live run that differs from its transcript.
  ///
  /// A failed run is not recorded, so it has no acceptance.
  static func departure(
    _ difference: TranscriptDifference, acceptance: String?, consequence: Diagnostic? = nil
  ) -> Diagnostic {
    let consequence = consequence.map { failure in
      let place = failure.span.map { " (\($0.file):\($0.start.line):\($0.start.column))" } ?? ""
      return ["then the run failed: \(failure.message)" + place]
    }
    let lines = difference.lines(limit: 20)
    let rest = lines.count - 20
    let more = rest > 0 ? ["and \(rest) more \(rest == 1 ? "line" : "lines")"] : []
    return Diagnostic(
      .otherLiveRun, "the components differ from the transcript", at: nil,
      notes: Array(lines.prefix(20)) + more + (consequence ?? [])
        + difference.calls.volatileAdvice
        + (acceptance.map { ["if the change is intended, record again with '\($0)'"] } ?? []))
  }
}
