internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

/// A scenario with its transcript, if it has one.
struct TestSubject: Sendable {
  let plan: Plan
  /// What was recorded; nil where nothing was, or where it is about to be replaced and cannot be used.
  let transcript: Transcript?
  /// What can be kept of a transcript that cannot be used; nil for one that can, or that is not there.
  private let remains: SalvagedTranscript?
  private let path: String
  private let update: UpdateMode

  /// Reads the transcript at a path, if there is one.
  ///
  /// - Throws: `TranscriptError` when it cannot be used, unless the mode replaces such ones.
  init(_ plan: Plan, _ path: String, _ update: UpdateMode) throws(TranscriptError) {
    self.plan = plan
    self.path = path
    self.update = update
    do throws(TranscriptError) {
      let recorded =
        FileSystem.exists(path) ? try TranscriptReader.read(path, allowsPipe: false) : nil
      _ = try recorded?.header.inputValues(for: plan, file: path)
      transcript = recorded
      remains = nil
    } catch {
      guard update == .all || update == .failed else { throw error }
      transcript = nil
      remains = SalvagedTranscript(of: path, for: plan)
    }
  }

  /// Whether the components run.
  func isLive(_ options: TestOptions) -> Bool {
    transcript == nil || update == .all || options.isLive
  }

  /// The command that records anew what the test finds changed.
  func acceptance(_ options: TestOptions) -> String {
    MismatchFormat.acceptance(of: path, scenario: plan.file, isLive: isLive(options))
  }

  /// The transcript whose matchers are written again; it may not be fit for a replay.
  var written: Transcript? { transcript ?? remains?.transcript }

  /// What a new transcript is compared with; nil where nobody knows what was recorded.
  var comparable: Transcript? { remains?.isWhole == false ? nil : written }

  /// What cannot be kept of the old transcript, a sentence each.
  var losses: [String] { remains?.losses ?? [] }

  /// The seed of all chance: the recorded one.
  var seed: UInt64 { transcript?.header.seed ?? remains?.seed ?? 0 }

  /// The recorded inputs, for a replay; the defaults where nothing was recorded.
  ///
  /// - Throws: `TranscriptError` when the recorded ones do not fit any more; `ScenarioError` when there are
  ///   no others.
  func recordedInputs() throws -> [Value] {
    guard let header = transcript?.header else {
      return try remains?.inputs ?? plan.inputValues(texts: [])
    }
    return try header.inputValues(for: plan, file: path)
  }

  /// The inputs of a run on the components: the recorded ones with the given secrets, or the defaults.
  ///
  /// - Throws: what `recordedInputs` throws; `ScenarioError` when a secret is missing.
  func liveInputs(_ secrets: GivenSecrets) throws -> [Value] {
    guard transcript != nil || remains?.inputs != nil else {
      return try plan.inputValues(texts: try secrets.inputs([], of: plan))
    }
    return try plan.liveInputs(try recordedInputs(), secret: secrets.value)
  }
}
