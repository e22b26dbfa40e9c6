internal import FlowCore
internal import FlowEditor
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The options of `flow debug` about the run.
struct DebugOptions: Sendable {
  /// The path of the scenario of a recording, or nil for the one that it names.
  var scenario: String?
  /// True to run the scenario live, although it has a recording.
  var isLive = false
  var inputs: GivenInputs
  var secrets: GivenSecrets
  /// The given seed, or nil for that of the recording.
  var seed: UInt64?
  /// The name of an option that only a live run has, or nil.
  let ofLiveRun: String?

  init(_ arguments: ParsedArguments, _ flow: CommandContext) throws(UsageError) {
    secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    scenario = try arguments.only("scenario")
    isLive = arguments.has("live")
    ofLiveRun = ["input", "inputs", "seed"].first { arguments.has($0) }
    inputs = try GivenInputs(arguments)
    seed = try arguments.only("seed", "a whole number from 0") { UInt64($0) }
  }
}

/// A scenario to debug, with its recording if it has one.
struct DebuggedScenario: Sendable {
  /// The path of the scenario.
  let file: String
  /// The recording with its path, or nil.
  let recording: (path: String, transcript: Transcript)?

  /// Finds the scenario and the recording behind a path.
  ///
  /// - Throws: `TranscriptError` for a recording that cannot be read.
  init(_ path: String, _ options: DebugOptions, _ flow: CommandContext) throws(TranscriptError) {
    if let header = Self.header(path) {
      let transcript =
        header.run == nil
        ? try TranscriptReader.read(path, allowsPipe: false)
        : try TranscriptReader.readJournal(path).recording
      file = try flow.scenario(options.scenario, of: header, in: path)
      recording = (path, transcript)
      return
    }
    file = path
    let beside = Path.transcript(of: path)
    guard !options.isLive, FileSystem.isOccupied(beside) else {
      recording = nil
      return
    }
    recording = (beside, try TranscriptReader.read(beside, allowsPipe: false))
  }

  private static func header(_ path: String) -> TranscriptHeader? {
    guard let bytes = try? FileSystem.contents(of: path, limit: 1 << 30) else { return nil }
    return TranscriptReader.header(of: bytes)
  }
}

extension CommandContext {
  /// Returns a scenario to debug, which reports the lines of components to `log`.
  ///
  /// - Throws: `TranscriptError` for a recording that cannot be read, `ScenarioError` and
  ///   `UsageError` for wrong inputs, and `UsageError` for options that a recording does not take.
  func debugTarget(
    _ path: String, _ options: DebugOptions,
    log: @escaping @Sendable (Address, String) -> Void
  ) throws -> DebugTarget {
    let scenario = try DebuggedScenario(path, options, self)
    let flow = self
    let isRecorded = scenario.recording != nil && !options.isLive
    if isRecorded {
      if let option = options.ofLiveRun { throw UsageError.needs(option: option, other: "live") }
    } else if case .success(let loaded) = loadDebugged(scenario.file, nil) {
      _ = try debugInputs(of: loaded.plan, scenario, options)
    }
    var target = DebugTarget {
      flow.loadDebugged(scenario.file, $0)
    } replay: { plan, gate in
      guard let (path, transcript) = scenario.recording else {
        return .init(passed: false, problems: [])
      }
      return await flow.replay(transcript, at: path, of: plan, gate)
    } run: { plan, served, gate in
      await flow.runDebugged(plan, scenario, options, served, gate, log: log)
    }
    target.recording = isRecorded ? scenario.recording?.path : nil
    return target
  }

  /// Loads a scenario from a text, or with nil from its file.
  func loadDebugged(
    _ file: String, _ text: [UInt8]?
  ) -> Result<DebugTarget.Loaded, ScenarioError> {
    do throws(ScenarioError) {
      let project = try Project(around: file, registry)
      redactor.use(project.file?.patterns ?? [])
      let source =
        if let text { ScenarioSource(file: file, bytes: text) } else {
          try ScenarioSource(reading: file)
        }
      let permissions = permissions.adding(project.file)
      let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
      let bytes = source.bytes
      let analysis = loader.analyze(source, hidingSecretsBy: redactor)
      guard let plan = analysis.plan else {
        throw ScenarioError(diagnostics: analysis.diagnostics.filter { $0.severity == .error })
      }
      return .success(.init(plan: plan, analysis: analysis, text: bytes))
    } catch {
      error.hideSecrets(by: redactor)
      return .failure(error)
    }
  }

  private func replay(
    _ transcript: Transcript, at path: String, of plan: Plan, _ gate: DebugGate
  ) async -> DebugTarget.End {
    do throws(TranscriptError) {
      let inputs = try transcript.header.inputValues(for: plan, file: path)
      plan.hideSecrets(inputs: inputs, by: redactor)
      let report = await Replay(transcript, of: plan).run(
        inputs: inputs, sinks: [gate], redactor: runRedactor(), gate: gate)
      return .init(
        passed: report.passed, problems: report.diagnostics, ranThrough: report.run.passed)
    } catch {
      return .init(passed: false, problems: [error.diagnostic])
    }
  }

  private func runDebugged(
    _ plan: Plan, _ scenario: DebuggedScenario, _ options: DebugOptions,
    _ served: DebugTarget.Served?, _ gate: DebugGate,
    log: @escaping @Sendable (Address, String) -> Void
  ) async -> DebugTarget.End {
    do {
      let project = try Project(around: plan.file, registry)
      try permissions.adding(project.file).check(
        plan, running: Set(plan.componentNames), hidingSecretsBy: redactor)
      let inputs = try debugInputs(of: plan, scenario, options)
      plan.hideSecrets(inputs: inputs, by: redactor)
      var session = Session.Options()
      session.seed = options.seed ?? scenario.recording?.transcript.header.seed ?? 0
      session.name = Session.newName(for: plan)
      session.secret = { options.secrets.value($0) }
      session.redactor = runRedactor()
      session.log = log
      session.gate = gate
      let report =
        if let served, let transcript = scenario.recording?.transcript {
          await run(plan, inputs, after: served, of: transcript, session, gate)
        } else {
          await Session(of: plan, sinks: [gate], options: session).run(inputs: inputs)
        }
      return .init(passed: report.passed, problems: report.diagnostics)
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return .init(passed: false, problems: error.diagnostics)
    } catch {
      let problem = (error as? TranscriptError)?.diagnostic
      return .init(passed: false, problems: problem.map { [$0] } ?? [])
    }
  }

  /// Returns the inputs of a live run: the given ones, and for the others those of the recording.
  private func debugInputs(
    of plan: Plan, _ scenario: DebuggedScenario, _ options: DebugOptions
  ) throws -> [Value] {
    var given = options.inputs
    try given.readFile()
    if let (path, transcript) = scenario.recording {
      let recorded = try transcript.header.inputValues(for: plan, file: path)
      return try plan.liveInputs(
        recorded, given: try plan.givenValues(texts: given.texts, file: given.file),
        secret: options.secrets.value)
    }
    let texts = try options.secrets.inputs(given.texts, of: plan)
    return try plan.inputValues(texts: texts, file: given.file)
  }

  /// Runs a scenario live after the part of a recording that is served.
  private func run(
    _ plan: Plan, _ inputs: [Value], after served: DebugTarget.Served,
    of transcript: Transcript, _ options: Session.Options, _ gate: DebugGate
  ) async -> RunReport {
    var options = options
    // The order of concurrent calls must be that of the recording.
    options.sharesThread = plan.hasOverlappingCalls
    let name = options.name ?? ""
    let journal = transcript.beginning(served.calls, run: name)
    let recorder = JournalRecorder(scenario: "", run: name, resuming: journal) { _ in }
    let session = Session(of: plan, sinks: [recorder, gate], options: options)
    let caller = ResumingCaller(
      journal, in: session, recorder: recorder,
      // A golden transcript is in the order of the scenario, not in that of the run.
      options: ResumingCaller.Options(
        keepsOrder: plan.hasOverlappingCalls && transcript.header.run != nil))
    var pacing = caller.pacing
    pacing.timers = ServedTimers(served.isServing)
    return await session.run(inputs: inputs, through: caller, pacing: pacing)
  }
}
