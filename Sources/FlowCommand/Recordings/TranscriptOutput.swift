internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A transcript being written.
struct TranscriptOutput: Sendable {
  let path: String
  let recorder: Recorder
  private let plan: Plan
  private let file: OutputFile
  /// The redactor, which knows if the run has secrets.
  private let redactor: Redactor
  /// The lock that keeps bodies from being removed before a transcript names them.
  private let lock: FolderLock?

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
    lock = FolderLock(sharing: Path.folder(of: self.path))
    let file = try OutputFile(
      replacing: self.path, followsLinks: isNamed, isPrivate: redactor.hasSecrets)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    let blobs = BlobFolder(beside: self.path)
    recorder = Recorder(
      scenario: scenario,
      blobs: { try blobs.store($1, of: $0, isPrivate: redactor.hasSecrets) }, isSealed: true
    ) { try file.append($0) }
  }

  func abandon() { file.discard() }

  /// Puts the transcript in its place and returns its path.
  ///
  /// A failed run is written next to an existing transcript, unless that is of a failed run, too.
  func finish(passed: Bool) async throws(FileError) -> String {
    if let failure = recorder.failure {
      abandon()
      throw FileError(failure, writing: path)
    }
    let other = passed || !holdsMore ? nil : Self.failed(path)
    if passed, let old = try? TranscriptReader.read(path, allowsPipe: false), old.hasMatchers {
      try await keep(old)
    }
    // Another process may have created a journal there meanwhile.
    do throws(FileError) { try OutputPlace.check(transcript: other ?? path, isUsual: true) } catch {
      abandon()
      throw error
    }
    try file.commit(isPrivate: redactor.hasSecrets, at: other)
    return other ?? path
  }

  /// Keeps the answers of an old transcript that hold, and its matchers.
  private func keep(_ old: Transcript) async throws(FileError) {
    var recording = InMemoryTranscript()
    recording.bytes = try file.written()
    recording.isPrivate = redactor.hasSecrets
    let kept = await old.keepingAnswers(
      in: recording, beside: path, of: plan, Redactor(within: redactor))
    for (blob, content) in kept.bodies {
      try BlobFolder(beside: path).store(content, of: blob, isPrivate: kept.isPrivate)
    }
    let bytes = old.keepingMatchers(in: kept.bytes, beside: path, of: plan, redactor) ?? kept.bytes
    if bytes != recording.bytes { try file.rewrite(bytes) }
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
