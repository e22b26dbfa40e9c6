internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

/// A transcript that is being written.
struct Recording: Sendable {
  let path: String
  let recorder: Recorder
  private let file: OutputFile
  /// Who knows whether the run has secrets.
  private let redactor: Redactor
  /// Keeps bodies from being cleared away before a transcript names them.
  private let lock: FolderLock?

  /// Opens the transcript at a path; the empty one is the place beside the scenario.
  ///
  /// A new one is its owner's alone if `redactor` knows a secret now or in the end.
  init(of plan: Plan, at path: String, _ redactor: Redactor) throws(FileError) {
    self.path = path.isEmpty ? Path.transcript(of: plan.file) : path
    self.redactor = redactor
    lock = FolderLock(sharing: Path.folder(of: self.path))
    let file = try OutputFile(replacing: self.path, isPrivate: redactor.hasSecrets)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    let blobs = BlobFolder(beside: self.path)
    recorder = Recorder(
      scenario: scenario,
      blobs: { try blobs.store($1, of: $0, isPrivate: redactor.hasSecrets) }, isSealed: true
    ) { try file.append($0) }
  }

  /// Leaves nothing behind.
  func abandon() {
    file.discard()
  }

  /// Puts the transcript in its place and says where that is: beside what is there if the run failed, unless that
  /// is the transcript of a run that failed as well.
  func finish(passed: Bool) throws(FileError) -> String {
    if let failure = recorder.failure {
      abandon()
      throw FileError(failure, writing: path)
    }
    let other = passed || !holdsMore ? nil : Self.failed(path)
    try file.commit(isPrivate: redactor.hasSecrets, at: other)
    return other ?? path
  }

  /// Whether something stands at the path that a failed run must not take away.
  private var holdsMore: Bool {
    guard FileSystem.exists(path) else { return false }
    // What cannot be read may be a good transcript with a merge in it.
    return (try? TranscriptReader.read(path, allowsPipe: false))?.passed ?? true
  }

  /// `shop.transcript.failed.jsonl` for `shop.transcript.jsonl`.
  private static func failed(_ path: String) -> String {
    let ending = ".jsonl"
    return path.hasSuffix(ending)
      ? path.dropLast(ending.count) + ".failed" + ending : path + ".failed"
  }
}

extension FileError {
  /// Why a recorder wrote nothing more to a file.
  init(_ failure: any Error, writing path: String) {
    self =
      failure as? FileError
      ?? FileError(.unreadable, path: path, reason: "\(failure)", isWriting: true)
  }
}
