internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// A run that goes on with the journal of one that ended as if its process had been killed.
struct Resumption: Sendable {
  /// The name of every run, so that one that is resumed has the idempotency keys of the one that it goes on with.
  static let runName = "explored"

  /// How many lines of the journal there are.
  let lines: Int
  /// Receives the run's events before all others.
  let recorder: JournalRecorder
  private let journal: Journal

  init(journal: Journal, after lines: Int, of plan: Plan) {
    self.journal = journal
    self.lines = lines
    recorder = JournalRecorder(scenario: plan.file, run: Self.runName, resuming: journal) { _ in
    }
  }

  /// Serves what the journal holds, and calls the components for all else.
  func caller(in session: Session) -> ResumingCaller {
    let options = ResumingCaller.Options(keepsOrder: session.plan.hasOverlappingCalls)
    return ResumingCaller(journal, in: session, recorder: recorder, options: options)
  }
}
