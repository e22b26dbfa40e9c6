internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

/// A transcript that is being written.
struct Recording: Sendable {
  let path: String
  let recorder: Recorder
  private let file: OutputFile
  /// Keeps bodies from being cleared away before a transcript names them.
  private let lock: FolderLock?

  /// Opens the transcript at a path; the empty one is the place beside the scenario.
  init(of plan: Plan, at path: String) throws(FileError) {
    self.path = path.isEmpty ? Path.transcript(of: plan.file) : path
    lock = FolderLock(sharing: Path.folder(of: self.path))
    let file = try OutputFile(replacing: self.path)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    let blobs = BlobFolder(beside: self.path)
    recorder = Recorder(
      scenario: scenario, blobs: { try blobs.store($1, of: $0) }, isSealed: true
    ) { try file.append($0) }
  }

  /// Leaves nothing behind.
  func abandon() {
    file.discard()
  }

  func finish() throws(FileError) {
    if let failure = recorder.failure {
      abandon()
      throw FileError(failure, writing: path)
    }
    try file.commit()
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
