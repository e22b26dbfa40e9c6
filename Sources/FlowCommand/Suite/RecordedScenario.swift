internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A scenario with its transcript, if it has one.
struct RecordedScenario: Sendable {
  let plan: Plan
  /// The transcript, or nil if nothing was recorded, or if it is unusable and about to be replaced.
  let transcript: Transcript?
  /// The usable content of an unusable transcript, or nil for a usable or missing one.
  private let remains: SalvagedTranscript?
  /// The components that are called in a replay.
  let live: LiveComponents
  /// The inputs and the other options repeated in the commands about the scenario.
  var given = ""
  /// The repeated options without the inputs.
  var repeated = ""
  private let path: String
  private let update: UpdateMode

  /// Reads the transcript at a path if it exists.
  ///
  /// - Throws: `TranscriptError` if the transcript is unusable, unless the mode replaces such
  ///   transcripts.
  init(
    _ plan: Plan, _ path: String, _ update: UpdateMode, live: LiveComponents
  ) throws(TranscriptError) {
    self.plan = plan
    self.path = path
    self.live = live
    self.update = update
    do throws(TranscriptError) {
      // A dangling link does not count as a missing transcript, since a scenario without one is run
      // for real.
      let isThere = FileSystem.isOccupied(path)
      let recorded = isThere ? try TranscriptReader.read(path, allowsPipe: false) : nil
      _ = try recorded?.header.inputValues(for: plan, file: path)
      transcript = recorded
      remains = nil
    } catch {
      guard update == .all || update == .failed else { throw error }
      transcript = nil
      remains = SalvagedTranscript(of: path, for: plan)
    }
  }

  /// True if all components are called.
  var isLive: Bool { transcript == nil || update == .all || live == .all }

  /// The names of the components that are called.
  var liveNames: Set<String> { live.names(in: plan) }

  /// The components, by the source of their answers.
  var sources: AnswerSources {
    let names = Set(plan.componentNames)
    let live = isLive ? names : liveNames
    let replayed = names.subtracting(live)
    let systems = plan.needs.all.filter { $0.reach != .files }.flatMap(\.components)
    return AnswerSources(
      replayed: replayed, live: live, replaysSystems: !replayed.isDisjoint(with: systems))
  }

  /// The refusal of a scenario that is not run where `CI` is set, or nil for one that may run.
  ///
  /// A run without a recording passes without any comparison, and has real effects. So it needs
  /// `--live`, unless no component would be called, or only ones that are called anyway.
  var missingTranscript: Diagnostic? {
    guard transcript == nil, remains == nil, live != .all,
      !liveNames.isSuperset(of: plan.componentNames)
    else { return nil }
    let file = plan.file.shellPath
    return Diagnostic(
      .missingTranscript,
      "'\(plan.file.escaped)' has no transcript, so it does not run while CI is set", at: nil,
      notes: [
        "record it with '\("flow run \(file) --record\(given)".onOneLine)', and commit "
          + "'\(path.escaped)'",
        "or call its components: 'flow test --live \("\(file)\(given)".onOneLine)'",
      ])
  }

  /// The command that tests this scenario alone.
  var command: String {
    "flow test \(live.argument(for: plan))\(plan.file.shellPath)\(given)".onOneLine
  }

  /// The command that records the changes found by the test.
  ///
  /// A recording keeps its inputs. The given ones are for one run.
  var acceptance: String {
    let given = transcript == nil ? given : repeated
    return Acceptance(plan: plan, live: isLive ? .all : live, given: given).command(for: path)
  }

  /// The transcript whose matchers are kept in a new one.
  ///
  /// It may be unfit for a replay.
  var written: Transcript? { transcript ?? remains?.transcript }
  /// The transcript to compare with a new one, or nil if its content is not fully known.
  var comparable: Transcript? { remains?.isWhole == false ? nil : written }
  /// The content of the old transcript that cannot be kept, a sentence each.
  var losses: [String] { remains?.losses ?? [] }
  /// The recorded seed, or 0.
  var seed: UInt64 { transcript?.header.seed ?? remains?.seed ?? 0 }

  /// Returns the recorded inputs, for a replay, or the defaults if nothing was recorded.
  ///
  /// - Throws: `TranscriptError` if the recorded inputs no longer fit, `ScenarioError` if inputs
  ///   without a recording have no default.
  func recordedInputs() throws -> [Value] {
    guard let header = transcript?.header else {
      return try remains?.inputs ?? plan.inputValues(texts: [])
    }
    return try header.inputValues(for: plan, file: path)
  }

  /// Returns the inputs of a replay with live components: the given ones, else the recorded ones.
  ///
  /// - Throws: the errors of `recordedInputs`, and `ScenarioError` if an input has another type.
  func inputs(given: GivenInputs) throws -> [Value] {
    let given = try given.values(for: plan)
    return zip(plan.inputs, try recordedInputs()).map { input, recorded in
      given[input.name] ?? recorded
    }
  }

  /// Returns the inputs of a run on the components: the given ones, else the recorded ones with the
  /// given secrets, else the defaults.
  ///
  /// An input that had its default when recorded has the present one.
  ///
  /// - Throws: the errors of `recordedInputs`, and `ScenarioError` if a secret is missing or an
  ///   input has another type.
  func liveInputs(_ options: TestOptions) throws -> [Value] {
    let (secrets, given) = (options.secrets, options.inputs.only(for: plan))
    guard transcript != nil || remains?.inputs != nil else {
      let texts = try secrets.inputs(given.texts, of: plan)
      return try plan.inputValues(texts: texts, file: given.file)
    }
    let recorded = try transcript?.header.liveInputValues(for: plan, file: path)
    return try plan.liveInputs(
      try recorded ?? recordedInputs(), given: try given.values(for: plan), secret: secrets.value)
  }

  /// Returns a sentence for each given input with another value in the replay.
  ///
  /// - Throws: the errors of `recordedInputs`, and `ScenarioError` if an input has another type.
  func unusedInputs(_ given: GivenInputs) throws -> [String] {
    let given = try given.values(for: plan)
    return zip(plan.inputs, try recordedInputs()).compactMap { input, recorded in
      guard let value = given[input.name], !input.isSecret, value != recorded else { return nil }
      return "the input '\(input.name)' has its recorded value \(recorded.summary()), not "
        + "\(value.summary()): 'flow test --live' uses given inputs"
    }
  }
}

/// The place of new transcripts.
struct TranscriptArchive: Sendable {
  /// The folder for recordings of a job, in the project's folder, from which they are fetched.
  static let folder = "\(SuiteState.folder)/recorded"

  /// The project's folder, as shown in messages.
  let project: String
  /// True if a machine runs the tests.
  ///
  /// Then no file next to a scenario is written, so that a second attempt of the same job cannot
  /// pass by replaying the recording of the first.
  let isCI: Bool

  /// Writes a transcript, whole or not at all, and returns its path, or nil if it exists already.
  ///
  /// - Throws: `FileError` if the system refuses.
  func keep(_ run: Recording, of scenario: SuiteScenario) throws(FileError) -> String? {
    let path = scenario.transcript
    if isThere(run, at: path) { return nil }
    let target = isCI ? try artifact(of: scenario) : path
    try OutputPlace.check(transcript: target, isUsual: true)
    try run.write(to: target)
    return target
  }

  /// Returns true if a transcript and all its bodies exist already.
  private func isThere(_ run: Recording, at path: String) -> Bool {
    let bytes = run.bytes
    // An unreadable file is another one, or cannot be written either, which is reported then.
    guard let old = try? FileSystem.contents(of: path, limit: bytes.count), old == bytes
    else { return false }
    let folder = BlobFolder(beside: path)
    return run.bodies.allSatisfy { folder.holds($0.value, of: $0.key) }
  }

  /// Returns the path of a job's recording: the archive's folder and the scenario's own path.
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
