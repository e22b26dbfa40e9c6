internal import FlowEngine
internal import FlowScenario
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
  var recording: Recording?
  /// The journal that is written; nil for none.
  var journaling: Journaling?

  /// The files that are written, as sinks.
  var sinks: [any EventSink] {
    // The journal first: it must hold what any other sink receives.
    (journaling.map { [$0.recorder] } ?? []) + (recording.map { [$0.recorder] } ?? [])
  }

  /// Where answers come from: the journal first, where there is one, and then the components.
  func caller(in session: Session) -> any Caller {
    guard let journaling else { return session.live() }
    let options = ResumingCaller.Options(
      retriesUnknown: retriesUnknown, keepsOrder: session.plan.runsInParallel && !isForced)
    return journaling.caller(in: session, options)
  }
}
