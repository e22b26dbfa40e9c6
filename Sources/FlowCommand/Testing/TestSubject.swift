internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

/// A scenario with its transcript, if it has one.
struct TestSubject: Sendable {
  let plan: Plan
  /// What was recorded; nil where nothing was, or where it is about to be replaced and cannot be read.
  let transcript: Transcript?
  private let path: String
  private let update: UpdateMode

  /// Reads the transcript at a path, if there is one.
  ///
  /// - Throws: `TranscriptError` when it cannot be read, unless the mode replaces such ones.
  init(_ plan: Plan, _ path: String, _ update: UpdateMode) throws(TranscriptError) {
    self.plan = plan
    self.path = path
    self.update = update
    do throws(TranscriptError) {
      transcript = FileSystem.exists(path) ? try TranscriptReader.read(path) : nil
    } catch {
      guard update == .all || update == .failed else { throw error }
      transcript = nil
    }
  }

  /// Whether the components run.
  func isLive(_ options: TestOptions) -> Bool {
    transcript == nil || update == .all || options.isLive
  }

  /// The seed of all chance: the recorded one.
  var seed: UInt64 { transcript?.header.seed ?? 0 }

  /// The recorded inputs, for a replay; the defaults where nothing was recorded.
  ///
  /// - Throws: `TranscriptError` when the recorded ones do not fit any more; `ScenarioError` when there are
  ///   no others.
  func recordedInputs() throws -> [Value] {
    guard let header = transcript?.header else { return try plan.inputValues(texts: []) }
    return try header.inputValues(for: plan, file: path)
  }

  /// The inputs of a run on the components: the recorded ones with the given secrets, or the defaults.
  ///
  /// - Throws: what `recordedInputs` throws, unless the recorded ones are about to be replaced;
  ///   `ScenarioError` when a secret is missing.
  func liveInputs(_ secrets: GivenSecrets) throws -> [Value] {
    let defaults = { try plan.inputValues(texts: try secrets.inputs([], of: plan)) }
    guard transcript != nil else { return try defaults() }
    do {
      return try plan.liveInputs(try recordedInputs(), secret: secrets.value)
    } catch is TranscriptError where update == .all {
      return try defaults()
    }
  }
}
