internal import FlowCore
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A scenario with its transcript, if it has one.
struct RecordedScenario: Sendable {
  let plan: Plan
  /// What was recorded; nil where nothing was, or where it is about to be replaced and cannot be used.
  let transcript: Transcript?
  /// What can be kept of a transcript that cannot be used; nil for one that can, or that is not there.
  private let remains: SalvagedTranscript?
  /// The components that are called, if it is replayed.
  let live: LiveComponents
  /// The options that the commands about it repeat.
  var given = ""
  private let path: String
  private let update: UpdateMode

  /// Reads the transcript at a path, if there is one.
  ///
  /// - Throws: `TranscriptError` when it cannot be used, unless the mode replaces such ones.
  init(
    _ plan: Plan, _ path: String, _ update: UpdateMode, live: LiveComponents
  ) throws(TranscriptError) {
    self.plan = plan
    self.path = path
    self.live = live
    self.update = update
    do throws(TranscriptError) {
      // A link that leads nowhere is no scenario without a transcript, which would be run for real.
      let isThere = FileSystem.isOccupied(path)
      let recorded = isThere ? try TranscriptReader.readForReplay(path) : nil
      _ = try recorded?.header.inputValues(for: plan, file: path)
      transcript = recorded
      remains = nil
    } catch {
      guard update == .all || update == .failed else { throw error }
      transcript = nil
      remains = SalvagedTranscript(of: path, for: plan)
    }
  }

  /// Whether all components are called.
  var isLive: Bool { transcript == nil || update == .all || live == .all }

  /// The components that are called.
  var liveNames: Set<String> { live.names(in: plan) }

  /// The command that tests the scenario again, by itself.
  var command: String {
    "flow test \(live.argument(for: plan))\(plan.file.shellPath)\(given)".onOneLine
  }

  /// The command that records anew what the test finds changed.
  var acceptance: String {
    Acceptance(plan: plan, live: isLive ? .all : live, given: given).command(for: path)
  }

  /// The transcript whose matchers are written again; it may not be fit for a replay.
  var written: Transcript? { transcript ?? remains?.transcript }
  /// What a new transcript is compared with; nil where that is unknown.
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

  /// The inputs of a run on the components: those that are given, else the recorded ones with the given secrets,
  /// or the defaults.
  ///
  /// - Throws: what `recordedInputs` throws; `ScenarioError` when a secret is missing, or an input has another type.
  func liveInputs(_ options: TestOptions) throws -> [Value] {
    let (secrets, given) = (options.secrets, options.inputs.only(for: plan))
    guard transcript != nil || remains?.inputs != nil else {
      let texts = try secrets.inputs(given.texts, of: plan)
      return try plan.inputValues(texts: texts, file: given.file)
    }
    return try plan.liveInputs(
      try recordedInputs(), given: try given.values(for: plan), secret: secrets.value)
  }

  /// What is given otherwise than the replay has it, a sentence each.
  ///
  /// - Throws: what `recordedInputs` throws; `ScenarioError` when an input has another type.
  func unusedInputs(_ given: GivenInputs) throws -> [String] {
    let given = try given.values(for: plan)
    return zip(plan.inputs, try recordedInputs()).compactMap { input, recorded in
      guard let value = given[input.name], !input.isSecret, value != recorded else { return nil }
      return "the input '\(input.name)' has its recorded value \(recorded.summary()), not "
        + "\(value.summary()): 'flow test --live' uses given inputs"
    }
  }
}

/// Where new transcripts go.
struct TranscriptArchive: Sendable {
  /// Where a job's recordings wait to be fetched, in the project's folder.
  static let folder = "\(SuiteState.folder)/recorded"

  /// The project's folder, as it is shown.
  let project: String
  /// Whether a machine runs the tests.
  ///
  /// Nothing is then written beside a scenario, so that a second try of the same job cannot replay what the
  /// first one recorded and pass.
  let isCI: Bool

  /// Writes a transcript, whole or not at all, and tells its path; nil when it is there already.
  ///
  /// - Throws: `FileError` when the system refuses.
  func keep(_ run: InMemoryTranscript, of scenario: SuiteScenario) throws(FileError) -> String? {
    let path = scenario.transcript
    if isThere(run, at: path) { return nil }
    let target = isCI ? try artifact(of: scenario) : path
    try OutputPlace.check(transcript: target, isUsual: true)
    // Keeps the bodies from being cleared away before the transcript names them.
    let lock = FolderLock(sharing: Path.folder(of: target))
    defer { withExtendedLifetime(lock) {} }
    for (blob, content) in run.bodies {
      try BlobFolder(beside: target).store(content, of: blob, isPrivate: run.isPrivate)
    }
    try FileSystem.replace(target, with: run.bytes, followsLinks: false, isPrivate: run.isPrivate)
    return target
  }

  /// Whether a transcript and all its bodies are there already.
  private func isThere(_ run: InMemoryTranscript, at path: String) -> Bool {
    // What cannot be read is another one, or cannot be written either, which is reported then.
    guard let old = try? FileSystem.contents(of: path, limit: run.bytes.count), old == run.bytes
    else { return false }
    let folder = BlobFolder(beside: path)
    return run.bodies.allSatisfy { folder.holds($0.value, of: $0.key) }
  }

  /// The place of a job's recording: the folder and the scenario's own path.
  private func artifact(of scenario: SuiteScenario) throws(FileError) -> String {
    // A scenario outside of the project keeps its full path.
    let parts = Path.transcript(of: scenario.key).split(separator: "/")
    var folder = project
    for part in Self.folder.split(separator: "/") + parts.dropLast() {
      folder = Path.joined(folder, String(part))
      try FileSystem.makeFolder(folder)
    }
    return Path.joined(folder, String(parts.last ?? ""))
  }
}
