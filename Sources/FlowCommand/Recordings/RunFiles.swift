internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A transcript that is being written.
struct TranscriptOutput: Sendable {
  let path: String
  let recorder: Recorder
  private let file: OutputFile
  /// Knows whether the run has secrets.
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

/// A journal that is being written, new or resumed.
struct JournalOutput: Sendable {
  let path: String
  let recorder: JournalRecorder
  /// What the journal held; nil for a new one.
  private let journal: Journal?
  /// Keeps bodies from being cleared away before a line names them.
  private let lock: FolderLock?

  /// Creates the journal of a new run; it is its owner's alone once `redactor` knows a secret.
  init(
    of plan: Plan, at path: String, run: String, _ redactor: Redactor
  ) throws(FileError) {
    lock = FolderLock(sharing: Path.folder(of: path))
    let file = try JournalFile(creating: path, isPrivate: redactor.hasSecrets)
    let scenario = Path.relative(plan.file, to: Path.folder(of: path))
    self.path = path
    journal = nil
    recorder = JournalRecorder(
      scenario: scenario, run: run, resuming: nil, blobs: Self.blobs(beside: path, redactor)
    ) {
      if redactor.hasSecrets { file.makePrivate() }
      try file.append($0, isDurable: $1)
    }
  }

  /// Goes on with a journal, whose mode stays; a torn line is cut off the file.
  init(
    resuming journal: Journal, in file: JournalFile, at path: String, _ redactor: Redactor
  ) throws(FileError) {
    lock = FolderLock(sharing: Path.folder(of: path))
    if journal.tornBytes > 0 { try file.cut(to: journal.length) }
    self.path = path
    self.journal = journal
    recorder = JournalRecorder(
      scenario: journal.header.scenario, run: journal.run, resuming: journal,
      blobs: Self.blobs(beside: path, redactor)
    ) { try file.append($0, isDurable: $1) }
  }

  private static func blobs(beside path: String, _ redactor: Redactor) -> BlobStore {
    let folder = BlobFolder(beside: path)
    return { try folder.storeDurably($1, of: $0, isPrivate: redactor.hasSecrets) }
  }

  /// A caller whose answers come from the journal first.
  func caller(in session: Session, _ options: ResumingCaller.Options) -> any Caller {
    ResumingCaller(journal, in: session, recorder: recorder, options: options)
  }
}
