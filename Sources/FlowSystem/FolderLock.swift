#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Holds a folder until the object is let go, with others or alone.
///
/// The lock is `flock(2)`'s: it stops nobody who does not ask for it, and the system lets it go when the
/// process ends, however it ends.
package final class FolderLock: Sendable {
  private let descriptor: CInt

  /// How often a folder that somebody has alone is asked for, and how long between, in microseconds:
  /// one second in all.
  private static let patience = (tries: 100, pause: UInt32(10_000))

  /// Holds a folder together with others; waits about a second for whoever has it alone.
  ///
  /// Nil when it is not let go, cannot be read, or its file system has no locks. The caller goes on
  /// without: the lock protects it from nothing but bodies being cleared away at that very moment, and
  /// the folder may be held for another reason and for ever, as by `flock . flow run s.yaml --record`.
  package convenience init?(sharing folder: String) {
    self.init(folder, LOCK_SH, tries: Self.patience.tries)
  }

  /// Holds a folder alone; nil when somebody holds it, or it cannot be read or locked.
  package convenience init?(alone folder: String) {
    self.init(folder, LOCK_EX, tries: 1)
  }

  private init?(_ folder: String, _ operation: CInt, tries: Int) {
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var left = tries
    // flock(2) itself cannot be given a time limit.
    while flock(descriptor, operation | LOCK_NB) != 0 {
      left -= 1
      guard errno == EWOULDBLOCK, left > 0 else { return nil }
      usleep(Self.patience.pause)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
