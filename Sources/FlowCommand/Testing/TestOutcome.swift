internal import FlowCore
internal import FlowTranscript

/// How the test of one scenario ended.
struct TestOutcome: Sendable {
  /// What became of it; every scenario of a suite has one.
  enum Verdict: String, CaseIterable, Sendable {
    /// It did what it should.
    case passed
    /// It did not, or could not be read.
    case failed
    /// It passed at one time and failed at another.
    case flaky
    /// It passed, and what it did is its transcript now.
    case recorded
    /// It was not begun, or interrupted.
    case notRun = "not run"
  }

  /// The scenario.
  let scenario: SuiteScenario
  /// What became of it.
  var verdict: Verdict
  /// What the process says when nothing is worse.
  var code: ExitCode
  /// How it was tested, where that is not by its transcript alone: a few words each.
  var details: [String] = []
  /// What is wrong, in the order of the run.
  var diagnostics: [Diagnostic] = []
  /// What helps to understand it, a sentence each: what has changed since the recording, what was let pass or
  /// lost, and what the components of a failed run logged.
  var notes: [String] = []
  /// What a transcript that took the place of another says otherwise, a line each.
  var changes: [String] = []
  /// The command that accepts how it departed.
  var acceptance = ""
  /// How it departed from its transcript, allowed departures too.
  var mismatches: [ReplayMismatch] = []
  /// How its components departed from its transcript; nil where they did not run, or did not depart.
  var difference: TranscriptDifference?
  /// How long it took, all its repetitions together.
  var elapsed = Duration.zero
}

extension ExitCode {
  // What a suite can say, from the best to the worst; of several scenarios the worst speaks.
  private static let byGravity: [ExitCode] = [
    .passed, .failed, .badInput, .cannotWrite, .interrupted,
  ]

  /// The worse of two.
  func worse(_ other: ExitCode) -> ExitCode {
    let rank = { (code: ExitCode) in Self.byGravity.firstIndex(of: code) ?? Self.byGravity.count }
    return rank(other) > rank(self) ? other : self
  }
}
