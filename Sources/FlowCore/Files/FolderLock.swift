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

  /// Holds a folder together with others, after whoever has it alone has let it go.
  ///
  /// Nil when the folder cannot be read or its file system has no locks.
  package convenience init?(sharing folder: String) {
    self.init(folder, LOCK_SH)
  }

  /// Holds a folder alone; nil when somebody holds it, or it cannot be read or locked.
  package convenience init?(alone folder: String) {
    self.init(folder, LOCK_EX | LOCK_NB)
  }

  private init?(_ folder: String, _ operation: CInt) {
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return nil }
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
