internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A journal being written, new or resumed.
struct JournalOutput: Sendable {
  let place: JournalPlace
  let recorder: JournalRecorder
  private let journal: Journal?
  private let store: any JournalStore

  /// Creates the journal of a new run, private to its owner once `redactor` knows a secret.
  ///
  /// With `mayExist` a journal without a whole line may exist, as no run has started it.
  init(
    of plan: Plan, at place: JournalPlace, run: String, _ redactor: Redactor, mayExist: Bool = false
  ) throws(FileError) {
    let store = try place.begin(mayExist: mayExist, isPrivate: redactor.hasSecrets)
    let scenario = Path.relative(plan.file, to: Path.folder(of: place.path))
    self.init(in: place, store, resuming: nil, scenario: scenario, run: run, redactor)
  }

  /// Continues a journal in its file mode, after cutting off a torn line.
  init(
    resuming journal: Journal, in store: any JournalStore, at place: JournalPlace,
    _ redactor: Redactor
  ) throws(FileError) {
    if journal.tornBytes > 0 { try store.cut(to: journal.length) }
    self.init(
      in: place, store, resuming: journal, scenario: journal.header.scenario, run: journal.run,
      redactor)
  }

  private init(
    in place: JournalPlace, _ store: any JournalStore, resuming journal: Journal?, scenario: String,
    run: String, _ redactor: Redactor
  ) {
    self.place = place
    self.store = store
    self.journal = journal
    recorder = JournalRecorder(
      scenario: scenario, run: run, resuming: journal,
      blobs: { try store.keep($1, digest: $0.digest, isPrivate: redactor.hasSecrets) },
      append: { line, mayWait in
        if redactor.hasSecrets { store.makePrivate() }
        try store.append(line, mayWait: mayWait)
      },
      reachDisk: { try store.reachDisk() })
  }

  /// Releases the journal for other processes.
  ///
  /// Returns the reason if part of the run is missing in it, or nil.
  func finish() -> FileError? {
    do throws(FileError) { try store.release() } catch {
      return recorder.failure.map { FileError($0, writing: place.text) } ?? error
    }
    return recorder.failure.map { FileError($0, writing: place.text) }
  }

  func caller(in session: Session, _ options: ResumingCaller.Options) -> ResumingCaller {
    ResumingCaller(journal, in: session, recorder: recorder, options: options)
  }
}
