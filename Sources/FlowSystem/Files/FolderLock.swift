#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A hold on a folder until the object is released, shared or exclusive.
///
/// The lock is that of `flock(2)`: it affects only processes that ask for it, and the system
/// releases it when the process ends in any way.
package final class FolderLock: Sendable {
  private let descriptor: CInt

  /// The number of attempts for a folder held exclusively, and the pause in microseconds: one
  /// second in all.
  private static let patience = (tries: 100, pause: UInt32(10_000))

  /// Holds a folder together with others, and waits about a second for an exclusive holder.
  ///
  /// Nil if it is not released, cannot be read, or its file system has no locks. The caller goes on
  /// without: the lock only protects it from a removal of bodies at that very moment, and the
  /// folder may be held for another reason and for ever, as by `flock . flow run s.yaml --record`.
  package convenience init?(sharing folder: String) {
    self.init(folder, LOCK_SH, tries: Self.patience.tries)
  }

  /// Holds a folder exclusively, or returns nil if it is held, or cannot be read or locked.
  package convenience init?(alone folder: String) {
    self.init(folder, LOCK_EX, tries: 1)
  }

  /// Holds an open folder exclusively, or returns nil if it is held, or cannot be read or locked.
  package convenience init?(alone folder: HeldFolder) {
    self.init(".", in: folder.descriptor, LOCK_EX, tries: 1)
  }

  /// Holds a folder exclusively as soon as no one else does.
  ///
  /// Nil if it cannot be read, its file system has no locks, or the task is cancelled.
  package static func alone(waitingFor folder: String) async -> FolderLock? {
    while !Task.isCancelled {
      if let lock = FolderLock(alone: folder) { return lock }
      guard hasLocks(folder) else { return nil }
      // Only a thread could wait in flock(2), and nothing could cancel it. A cancelled sleep ends
      // the loop.
      try? await Task.sleep(for: .milliseconds(10))
    }
    return nil
  }

  /// True if a folder can be locked by someone.
  private static func hasLocks(_ folder: String) -> Bool {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK
  }

  private init?(
    _ folder: String, in descriptor: CInt = AT_FDCWD, _ operation: CInt, tries: Int
  ) {
    self.descriptor = unsafe openat(descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard self.descriptor >= 0 else { return nil }
    var left = tries
    // flock(2) itself cannot be given a time limit.
    while flock(self.descriptor, operation | LOCK_NB) != 0 {
      left -= 1
      guard errno == EWOULDBLOCK, left > 0 else { return nil }
      usleep(Self.patience.pause)
    }
  }

  /// Returns true for a folder of this user that has not changed for so many seconds.
  package func isOwn(unchangedFor seconds: Int) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return false }
    #if canImport(Darwin)
      let change = status.st_mtimespec.tv_sec
    #else
      let change = status.st_mtim.tv_sec
    #endif
    return change < time(nil) - seconds
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A starting process may still have a copy of the descriptor, which would keep the lock.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
