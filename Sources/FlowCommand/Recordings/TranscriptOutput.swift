internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A transcript being written.
struct TranscriptOutput: Sendable {
  let path: String
  private(set) var recorder: Recorder
  private let plan: Plan
  private let file: OutputFile
  /// The redactor, which knows if the run has secrets.
  private let redactor: Redactor

  /// Opens the transcript at a path, or next to the scenario for an empty path.
  ///
  /// A new file is private to its owner if `redactor` knows a secret now or at the end.
  init(of plan: Plan, at path: String, _ redactor: Redactor) throws(FileError) {
    let usual = Path.transcript(of: plan.file)
    self.path = path.isEmpty ? usual : path
    // Only a path given by the user follows links.
    let isNamed = !path.isEmpty
    if isNamed || !FileSystem.isLink(self.path) {
      try OutputPlace.check(transcript: self.path, isUsual: self.path == usual)
    }
    self.redactor = redactor
    self.plan = plan
    // Before the run, which may have effects that nobody can record again.
    file = try OutputFile(
      replacing: self.path, followsLinks: isNamed, isPrivate: redactor.hasSecrets)
    recorder = Self.recorder(of: plan, for: self.path)
  }

  private static func recorder(of plan: Plan, for path: String) -> Recorder {
    let scenario = Path.relative(plan.file, to: Path.folder(of: path))
    return Recorder(scenario: scenario, separatesBodies: true, isSealed: true)
  }

  /// Returns the same output for another run, of which one is put in its place.
  var ofAnotherRun: TranscriptOutput {
    var copy = self
    copy.recorder = Self.recorder(of: plan, for: path)
    return copy
  }

  /// Leaves the old transcript.
  func abandon() { file.discard() }

  /// Puts the transcript in its place and returns its path.
  ///
  /// A failed run is written next to an existing transcript, unless that is of a failed run, too.
  func finish(passed: Bool) async throws(FileError) -> String {
    do throws(FileError) {
      var recording = recorder.recording
      recording.isPrivate = redactor.hasSecrets
      let other = passed || !holdsMore ? nil : Self.failed(path)
      if passed, let old = try? TranscriptReader.read(path, allowsPipe: false) {
        recording = recording.keeping(old, of: plan, redactor)
      }
      // Another process may have created a journal there meanwhile.
      try OutputPlace.check(transcript: other ?? path, isUsual: true)
      let bytes = try recording.file(for: path)
      let lock = try recording.writeBodies(beside: path)
      defer { withExtendedLifetime(lock) {} }
      try file.append(bytes)
      try file.commit(isPrivate: recording.isPrivate, at: other)
      return other ?? path
    } catch {
      abandon()
      throw error
    }
  }

  /// True if the path has a file that a failed run must not replace.
  private var holdsMore: Bool {
    guard FileSystem.exists(path) else { return false }
    // An unreadable file may be a good transcript with a merge conflict.
    return (try? TranscriptReader.read(path, allowsPipe: false))?.passed ?? true
  }

  /// Returns `shop.transcript.failed.jsonl` for `shop.transcript.jsonl`.
  private static func failed(_ path: String) -> String {
    let ending = ".jsonl"
    return path.hasSuffix(ending)
      ? path.dropLast(ending.count) + ".failed" + ending : path + ".failed"
  }
}

extension FileError {
  /// Creates the error for a recorder that stopped writing to a file.
  init(_ failure: any Error, writing path: String) {
    self =
      failure as? FileError
      ?? FileError(.unreadable, path: path, reason: "\(failure)", isWriting: true)
  }
}
