internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// One run of a scenario under test.
struct Attempt: Sendable {
  /// Whether it did what it should.
  var passed: Bool
  /// What is wrong, in the order of the run; a failed attempt may have none, when it was cancelled.
  var diagnostics: [Diagnostic] = []
  /// What it recorded; nil where the answers were recorded ones.
  var recording: RecordedRun?
  /// What was let pass, a sentence each.
  var notes: [String] = []
  /// What the components logged, a sentence each.
  var log: [String] = []

  /// How it departed from the transcript, allowed departures too.
  var mismatches: [ReplayMismatch] = []
  /// How a live run departed from the transcript; nil for a replay, and where it did not.
  var difference: TranscriptDifference?
  /// The command that records what it did.
  var acceptance = ""

  /// A run on recorded answers, in virtual time.
  ///
  /// - Parameters:
  ///   - transcript: The answers.
  ///   - plan: What is run.
  ///   - inputs: The values of the plan's inputs.
  ///   - flow: Who hides secrets.
  ///   - allowing: What is noted and fails nothing.
  ///   - acceptance: The command that records anew, told with every departure.
  ///   - sinks: Who is told what happens.
  /// - Returns: How it went, without a recording.
  static func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ flow: FlowCommand,
    allowing: Set<Allowance> = [], acceptance: String?, sinks: [any EventSink] = []
  ) async -> Attempt {
    let outcome = await Replay(
      transcript, of: plan, sinks: EventSinks(sinks, redactor: flow.runRedactor()),
      allowing: allowing, acceptance: acceptance
    ).run(inputs: inputs)
    return Attempt(
      passed: outcome.passed, diagnostics: outcome.diagnostics.news,
      notes: outcome.mismatches.allowedNotes, mismatches: outcome.mismatches,
      acceptance: acceptance ?? "")
  }

  /// A run on the components, which is recorded into memory; other sinks are told as well.
  static func live(
    _ plan: Plan, _ inputs: [Value], seed: UInt64, _ secrets: GivenSecrets, _ flow: FlowCommand,
    sinks: [any EventSink] = []
  ) async -> Attempt {
    let recording = MemoryRecording(of: plan)
    let sinks = EventSinks([recording.recorder] + sinks, redactor: flow.runRedactor())
    let run = LiveRun(of: plan, seed: seed, secrets: secrets)
    let log = LogLines()
    let services = run.services(of: plan, time: nil, sinks.redactor) { log.add($0, $1) }
    let caller = LiveCaller(
      componentCount: plan.components.count, options: services, sinks: sinks,
      events: EventQueue(plan))
    let runner = Runner(plan: plan, caller: caller, sinks: sinks, seed: seed)
    let result = await runner.run(inputs: inputs)
    var recorded = recording.run
    recorded.isPrivate = sinks.redactor.hasSecrets
    return Attempt(
      passed: result.passed, diagnostics: result.failures.flatMap { $0.diagnostics(of: plan) }.news,
      recording: recorded, log: log.sentences)
  }

  /// What a live run did otherwise than a transcript says; nil for a replay.
  ///
  /// - Throws: `TranscriptError` when what the run did cannot be recorded.
  func difference(
    from transcript: Transcript, _ plan: Plan
  ) throws(TranscriptError) -> TranscriptDifference? {
    guard let now = try recording?.read(plan.file) else { return nil }
    return TranscriptDifference(from: transcript, to: now, plan: plan)
  }
}

extension [Diagnostic] {
  /// All but that the run was cancelled, which whoever did it knows.
  fileprivate var news: [Diagnostic] { filter { $0.code != "F2009" } }
}
