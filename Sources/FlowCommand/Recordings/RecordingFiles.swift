internal import FlowSystem
internal import FlowTranscript

extension Recording {
  /// Writes the transcript and its bodies in the place of the ones at a path, whole or not at all.
  ///
  /// - Throws: `FileError` when the system refuses.
  func write(to path: String) throws(FileError) {
    let bytes = try file(for: path)
    let lock = try writeBodies(beside: path)
    defer { withExtendedLifetime(lock) {} }
    try FileSystem.replace(path, with: bytes, followsLinks: false, isPrivate: isPrivate)
  }

  /// The transcript's file.
  ///
  /// - Throws: `FileError` when there is none that a reader would take.
  func file(for path: String) throws(FileError) -> [UInt8] {
    do throws(RecordingExcess) {
      if let excess { throw excess }
      if let transcript { return try transcript.file() }
    } catch {
      throw FileError(error, writing: path)
    }
    throw FileError(
      .unreadable, path: path, reason: "the run has not ended", isWriting: true)
  }

  /// Writes the bodies for a transcript at a path.
  ///
  /// Returns the lock that keeps them from being removed before the transcript names them.
  ///
  /// - Throws: `FileError` when the system refuses.
  func writeBodies(beside path: String) throws(FileError) -> FolderLock? {
    let lock = FolderLock(sharing: Path.folder(of: path))
    for (blob, content) in bodies.sorted(by: { $0.key.digest < $1.key.digest }) {
      try BlobFolder(beside: path).store(content, of: blob, isPrivate: isPrivate)
    }
    return lock
  }
}
