internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
private import Synchronization

/// One run of a scenario under test.
struct TestRun: Sendable {
  /// How the run itself went.
  let report: RunReport
  /// What it recorded; nil where the answers were recorded ones.
  var recording: InMemoryTranscript?
  /// How it departed from its transcript, allowed departures too.
  var mismatches: [ReplayMismatch] = []
  /// How a live run departed from the transcript; nil for a replay, and where it did not.
  var difference: TranscriptDifference?
  /// The departures that fail it besides the run's own failures, in words.
  var departures: [Diagnostic] = []
  /// What was let pass, a sentence each.
  var notes: [String] = []
  /// What the components logged, a sentence each.
  var log: [String] = []
  /// The command that records what it did.
  var acceptance = ""

  /// Whether it did what it should.
  var passed: Bool { report.passed && departures.isEmpty }

  /// What is wrong, in the order of the run; a failed run may have none, when it was cancelled.
  var diagnostics: [Diagnostic] {
    // All but that the run was cancelled, which is known where it was done.
    report.diagnostics.filter { $0.code != .cancelled } + departures
  }

  /// The same for a report.
  var findings: RunFindings {
    var findings = RunFindings()
    findings.diagnostics = diagnostics
    findings.notes = notes
    findings.mismatches = mismatches
    findings.acceptance = acceptance
    return findings
  }

  /// A run on recorded answers, in virtual time.
  ///
  /// - Parameters:
  ///   - transcript: The answers.
  ///   - plan: What is run.
  ///   - inputs: The values of the plan's inputs.
  ///   - flow: Hides secrets.
  ///   - allowing: What is noted and fails nothing.
  ///   - acceptance: The command that records anew, said with every departure.
  ///   - sinks: Receive what happens.
  /// - Returns: How it went, without a recording.
  static func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ flow: CommandContext,
    allowing: Set<ToleratedDeparture> = [], acceptance: String?, sinks: [any EventSink] = []
  ) async -> TestRun {
    let replay = await Replay(transcript, of: plan, allowing: allowing, acceptance: acceptance)
      .run(inputs: inputs, sinks: sinks, redactor: flow.runRedactor())
    var run = TestRun(report: replay.run)
    run.mismatches = replay.mismatches
    run.departures = replay.ends.map(\.diagnostic)
    run.notes = replay.mismatches.allowedNotes
    run.acceptance = acceptance ?? ""
    return run
  }

  /// A run on the components, which is recorded into memory; other sinks receive its events as well.
  static func live(
    _ plan: Plan, _ inputs: [Value], seed: UInt64, _ secrets: GivenSecrets, _ flow: CommandContext,
    sinks: [any EventSink] = []
  ) async -> TestRun {
    let (recording, log) = (MemoryRecording(of: plan), LogLines())
    var options = Session.Options()
    options.seed = seed
    options.secret = { secrets.value($0) }
    options.redactor = flow.runRedactor()
    options.log = { log.add($0, $1) }
    let session = Session(of: plan, sinks: [recording.recorder] + sinks, options: options)
    var run = TestRun(report: await session.run(inputs: inputs))
    run.recording = recording.run
    run.recording?.isPrivate = session.redactor.hasSecrets
    run.log = log.sentences
    return run
  }
}

extension InMemoryTranscript {
  /// What it did otherwise than a transcript says.
  ///
  /// - Throws: `TranscriptError` when what the run did cannot be recorded.
  func difference(
    from transcript: Transcript, _ plan: Plan
  ) throws(TranscriptError) -> TranscriptDifference {
    TranscriptDifference(from: transcript, to: try read(plan.file), plan: plan)
  }
}

/// Keeps the latest lines that components log in a run, until it is known whether they are wanted.
final class LogLines: Sendable {
  private static let limit = 20

  private struct State {
    var latest: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Takes the line of a call.
  func add(_ address: Address, _ message: String) {
    state.withLock { state in
      state.count += 1
      if state.latest.count == Self.limit { state.latest.removeFirst() }
      state.latest.append("\(address) logged: \(message.escaped)")
    }
  }

  /// The lines in their order, a sentence each, and before them how many there were earlier.
  var sentences: [String] {
    state.withLock { state in
      let earlier = state.count - state.latest.count
      let noun = earlier == 1 ? "line was" : "lines were"
      return (earlier > 0 ? ["\(earlier) earlier \(noun) logged"] : []) + state.latest
    }
  }
}

extension [ReplayMismatch] {
  /// What was allowed, a sentence each.
  fileprivate var allowedNotes: [String] {
    var notes: [String] = []
    for mismatch in self where mismatch.isAllowed {
      let details = mismatch.diagnostic.notes.prefix(5).joined(separator: "; ")
      let note = "allowed: \(mismatch.diagnostic.message) (\(details))"
      // Several unused calls have one diagnostic.
      if notes.last != note { notes.append(note) }
    }
    return notes.map { $0.onOneLine }
  }
}
