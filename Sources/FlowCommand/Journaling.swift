internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// A journal that is being written, new or resumed.
struct Journaling: Sendable {
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
