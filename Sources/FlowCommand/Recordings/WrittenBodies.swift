internal import FlowSystem
internal import FlowTranscript
internal import Synchronization

/// The bodies of a recording, written before it is known which of them its transcript names.
final class WrittenBodies: Sendable {
  private struct State {
    /// The digests of the bodies that did not exist before.
    var new: Set<String> = []
    /// The lock that keeps bodies from being removed before a transcript names them.
    var lock: FolderLock?
  }

  private let folder: BlobFolder
  private let transcripts: String
  private let state: Mutex<State>

  /// Locks the folder of a transcript for its bodies.
  init(beside transcript: String) {
    folder = BlobFolder(beside: transcript)
    transcripts = Path.folder(of: transcript)
    state = Mutex(State(lock: FolderLock(sharing: transcripts)))
  }

  /// Keeps a body.
  ///
  /// - Throws: `FileError` when the system refuses.
  func store(_ content: [UInt8], of blob: Blob, isPrivate: Bool) throws(FileError) {
    guard try folder.store(content, of: blob, isPrivate: isPrivate) else { return }
    state.withLock { _ = $0.new.insert(blob.digest) }
  }

  /// Removes the new bodies that neither the recording names nor another one in the folder, and
  /// unlocks the folder.
  ///
  /// All of them stay while another run records into the folder, because that run may name them.
  func removeUnnamed(naming named: Set<String>) {
    let left = state.withLock { state in
      state.lock = nil
      return state.new.subtracting(named)
    }
    // All transcripts of the folder would be read.
    if left.isEmpty { return }
    // A body that stays is found by 'flow transcript prune'.
    guard var orphans = try? OrphanedFiles(beside: transcripts) else { return }
    try? orphans.remove { $0.isBody(of: left) }
  }
}

extension OrphanedFiles.Item {
  /// True for one of these bodies, by their digests.
  fileprivate func isBody(of digests: Set<String>) -> Bool {
    BlobFolder.isBody(path) && digests.contains { path.hasSuffix($0) }
  }
}
