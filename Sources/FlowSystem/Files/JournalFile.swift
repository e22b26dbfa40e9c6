private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A store for the lines and bodies of a run, used by one process at a time.
package protocol JournalStore: Sendable {
  /// Takes one whole line after the earlier ones.
  ///
  /// A line that may wait is kept with a later one, or when the store is released.
  ///
  /// - Throws: `FileError` when it cannot be kept, and then for each later call, too.
  func append(_ line: [UInt8], mayWait: Bool) throws(FileError)

  /// Returns when all earlier lines would survive the loss of this process and its machine.
  ///
  /// Several threads may wait.
  ///
  /// - Throws: `FileError` as `append` does, with `isTemporary` when another process goes on with
  ///   the run.
  func reachDisk() throws(FileError)

  /// Keeps a body, named by its digest, before the line that names it.
  ///
  /// - Throws: `FileError` as `append` does.
  func keep(_ body: [UInt8], digest: String, isPrivate: Bool) throws(FileError)

  /// Drops a torn line after the first `length` bytes, if there may be one.
  ///
  /// - Throws: `FileError` as `append` does.
  func cut(to length: Int) throws(FileError)

  /// Makes it readable by its owner only from now on, as far as it has permissions.
  func makePrivate()

  /// Lets other processes continue it, after everything is kept.
  ///
  /// Nothing is written any more.
  ///
  /// - Throws: `FileError` as `append` does.
  func release() throws(FileError)
}

extension JournalStore {
  /// Takes one whole line after the earlier ones, which may not wait.
  ///
  /// - Throws: `FileError` when it cannot be kept, and then for each later call, too.
  package func append(_ line: [UInt8]) throws(FileError) { try append(line, mayWait: false) }
}

/// A file that only grows, held by one process at a time.
///
/// The lock is `flock(2)`'s: the system lets it go when the process ends, however it ends.
package final class JournalFile: Sendable {
  private let path: String
  private let descriptor: CInt
  /// The bytes that wait for the next write.
  private let waiting = Mutex(Waiting())
  /// The most bytes that wait.
  private static let mostWaiting = 4 << 10
  /// The number of appends.
  private let appended = Atomic(0)
  /// The number of appends on the disk, or the failure, which the system reports only once.
  private let durable = Mutex<Result<Int, FileError>>(.success(0))
  /// True if its mode does not change.
  private let hasMode: Mutex<Bool>

  private struct Waiting {
    var bytes: [UInt8] = []
    /// The reason that bytes could not be written whole.
    ///
    /// A part of them may be there, so nothing may follow.
    var failure: FileError?
  }

  /// Creates the file, holds it, and brings its name to the disk by `sync` of its folder.
  ///
  /// It is readable by its owner only if it is private, otherwise as the umask allows.
  ///
  /// - Throws: `FileError` that says so when something is at the path. Nothing is left there when
  ///   its name does not reach the disk.
  package convenience init(
    creating path: String, isPrivate: Bool = false,
    sync: (String) throws(FileError) -> Void = { path throws(FileError) in
      try FileSystem.sync(path)
    }
  ) throws(FileError) {
    try self.init(path, flags: O_CREAT | O_EXCL, hasMode: isPrivate)
    // A durable line is of no use in a file that cannot be found after a power failure.
    do throws(FileError) { try sync(Path.folder(of: path)) } catch {
      // Else the next try finds a journal. That it failed says more than that this fails, too.
      try? FileSystem.remove(path)
      throw FileError(error.kind, path: path, reason: error.reason, isWriting: true)
    }
  }

  /// Holds an existing file.
  ///
  /// - Throws: `FileError` that says so when another process, or another object, holds it.
  package convenience init(opening path: String) throws(FileError) {
    try self.init(path, flags: 0, hasMode: true)
  }

  /// Holds a file with at most a torn line of the given start, which is dropped, or creates the
  /// file.
  ///
  /// - Throws: `FileError` that says so when another process, or another object, holds it or has
  ///   started to write it.
  package convenience init(
    at path: String, beginning: [UInt8], isPrivate: Bool
  ) throws(FileError) {
    try self.init(path, flags: O_CREAT, hasMode: isPrivate)
    let bytes = try FileSystem.contents(of: path, limit: 1 << 30)
    if bytes.contains(0x0A) {
      throw FileError.held(path, "another process has started to write it")
    }
    // The beginning of a torn first line, and nothing of anybody else's.
    guard zip(bytes, beginning).allSatisfy(==) else {
      throw Self.error(path, "it already exists and is not a journal")
    }
    try cut(to: 0)
    // An existing file may have another mode.
    if isPrivate { _ = fchmod(descriptor, 0o600) }
    try FileSystem.sync(Path.folder(of: path))
  }

  private init(_ path: String, flags: CInt, hasMode: Bool) throws(FileError) {
    self.path = path
    self.hasMode = Mutex(hasMode)
    let mode: mode_t = hasMode ? 0o600 : 0o666
    descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CLOEXEC | flags, mode)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        let isFile = FileSystem.isFile(path)
        if isFile, Self.isHeld(path) { throw FileError.held(path, "another process is writing it") }
        throw Self.error(path, isFile ? "it already exists; resume it or remove it" : "not a file")
      }
      throw FileSystem.failure(path, isWriting: flags != 0)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw FileError.held(path, "another process is writing it") }
      throw FileSystem.failure(path, isWriting: true)
    }
  }

  /// Returns true if another process, or another object, holds the file.
  private static func isHeld(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Makes the file readable by its owner only from now on.
  ///
  /// A file that existed before keeps its mode.
  package func makePrivate() {
    hasMode.withLock { hasMode in
      if !hasMode { _ = fchmod(descriptor, 0o600) }
      hasMode = true
    }
  }

  /// Appends bytes, and those that have waited, with one system call.
  ///
  /// Bytes that may wait are kept for a later call. They are lost with the process, as if it had
  /// ended before.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk, and then for each later
  ///   call, too.
  package func append(_ bytes: [UInt8], mayWait: Bool = false) throws(FileError) {
    try waiting.withLock { waiting throws(FileError) in
      if let failure = waiting.failure { throw failure }
      waiting.bytes += bytes
      if !mayWait || waiting.bytes.count >= Self.mostWaiting { try write(&waiting) }
    }
  }

  private func write(_ waiting: inout Waiting) throws(FileError) {
    if let failure = waiting.failure { throw failure }
    if waiting.bytes.isEmpty { return }
    guard FileSystem.writeAll(descriptor, waiting.bytes) else {
      let failure = FileSystem.failure(path, isWriting: true)
      waiting.failure = failure
      throw failure
    }
    waiting.bytes.removeAll(keepingCapacity: true)
    appended.add(1, ordering: .acquiringAndReleasing)
  }

  /// Returns when all earlier bytes are on the disk.
  ///
  /// Several waiting threads share one system call as far as possible.
  ///
  /// - Throws: `FileError` when the system refuses, and then for each later call, too.
  package func reachDisk() throws(FileError) {
    try waiting.withLock { waiting throws(FileError) in try write(&waiting) }
    let needed = appended.load(ordering: .acquiring)
    try durable.withLock { durable throws(FileError) in
      if try durable.get() >= needed { return }
      let appended = appended.load(ordering: .acquiring)
      durable =
        sync() ? .success(appended) : .failure(FileSystem.failure(path, isWriting: true))
      _ = try durable.get()
    }
  }

  /// Drops everything after the first `length` bytes.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func cut(to length: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      throw FileSystem.failure(path, isWriting: true)
    }
  }

  /// Writes the waiting bytes, and lets other processes and objects hold the file.
  ///
  /// Nothing is written any more. The remains of a run may keep this object for a moment after its
  /// end.
  ///
  /// - Throws: `FileError` when the system refuses to write it.
  package func release() throws(FileError) {
    defer { _ = flock(descriptor, LOCK_UN) }
    // An earlier failure is known.
    try waiting.withLock { waiting throws(FileError) in
      if waiting.failure == nil { try write(&waiting) }
    }
  }

  private static func error(_ path: String, _ reason: String) -> FileError {
    FileError(.unreadable, path: path, reason: reason, isWriting: true)
  }

  private func sync() -> Bool {
    #if canImport(Darwin)
      // macOS declares no fdatasync.
      fsync(descriptor) == 0
    #else
      fdatasync(descriptor) == 0
    #endif
  }

  deinit {
    // A starting process may still have a copy of the descriptor, which would keep the lock.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
