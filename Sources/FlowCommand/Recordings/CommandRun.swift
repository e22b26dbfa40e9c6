internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// How `run` and `resume` run a scenario, and what they write meanwhile.
struct CommandRun: Sendable {
  /// How the session runs, but for what the command itself decides.
  var session = Session.Options()
  /// Whether steps that passed print nothing.
  var isQuiet = false
  /// Whether unknown calls of a resumed run are made again in any case.
  var retriesUnknown = false
  /// Whether a journal goes on with a scenario or plugin that has changed.
  var isForced = false
  /// The golden transcript that is written; nil for none.
  var transcript: TranscriptOutput?
  /// The journal that is written; nil for none.
  var journal: JournalOutput?

  /// The files that are written, as sinks.
  var sinks: [any EventSink] {
    // The journal first: it must hold what any other sink receives.
    (journal.map { [$0.recorder] } ?? []) + (transcript.map { [$0.recorder] } ?? [])
  }

  /// Where answers come from: the journal first, where there is one, and then the components.
  func caller(in session: Session) -> any Caller {
    guard let journal else { return session.live() }
    let options = ResumingCaller.Options(
      retriesUnknown: retriesUnknown, keepsOrder: session.plan.runsInParallel && !isForced)
    return journal.caller(in: session, options)
  }
}

extension CommandContext {
  /// Runs, reports, and keeps what was recorded.
  func complete(
    _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async throws(FileError) -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    // Also what no component was given: the lines of the scenario are quoted.
    plan.hideSecrets(inputs: [], by: redactor)
    print(report.diagnostics)
    if let journal = run.journal, let failure = journal.recorder.failure {
      throw FileError(failure, writing: journal.path)
    }
    if wasInterrupted { return interrupted(run) }
    if let transcript = run.transcript { try finish(transcript, passed: report.passed) }
    return report.passed ? .passed : .failed
  }

  /// Puts a transcript in its place, and says so when another one keeps it.
  private func finish(_ transcript: TranscriptOutput, passed: Bool) throws(FileError) {
    let path = (try transcript.finish(passed: passed)).onOneLine
    let kept = transcript.path.onOneLine
    if path != kept {
      world.errorOutput(
        "note: the run failed, so '\(kept)' stays as it was; remove it to replace it\n")
    }
    world.output("recorded \(path)\n")
  }

  /// What was recorded of half a run is thrown away: it is no golden transcript.
  ///
  /// A journal is kept.
  private func interrupted(_ run: CommandRun) -> ExitCode {
    if let transcript = run.transcript {
      transcript.abandon()
      world.errorOutput(
        "flow: interrupted, '\(transcript.path.onOneLine)' was not written\n")
    }
    if let journal = run.journal {
      world.errorOutput(
        "flow: interrupted; 'flow resume \(journal.path.shellWord.onOneLine)' goes on\n")
    }
    return .interrupted
  }

  private func runLive(
    _ plan: Plan, _ inputs: [Value], _ run: CommandRun
  ) async -> (RunReport, wasInterrupted: Bool) {
    let console = consoleReport(isQuiet: run.isQuiet)
    var options = run.session
    options.redactor = runRedactor()
    options.log = { console.log($0, $1) }
    // What a journal says of steps beside each other must be what was done first.
    options.sharesThread = run.journal != nil && plan.runsInParallel
    let session = Session(of: plan, sinks: [console] + run.sinks, options: options)
    let caller = run.caller(in: session)
    guard world.takesSignals else {
      return (await session.run(inputs: inputs, through: caller), false)
    }
    return await Interruption.cancelling(
      Task { await session.run(inputs: inputs, through: caller) },
      notice: { [world] in
        run.journal?.recorder.interrupt()
        world.errorOutput("flow: stopping; once more to stop at once\n")
      },
      abandon: { run.transcript?.abandon() })
  }
}
