#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The mark of a process on a folder, by which others know that it is in use.
///
/// It is a lock of flock(2), which ends with the process in any case. So the folder of a killed
/// process is recognised.
package final class FolderMark: Sendable {
  private let descriptor: CInt

  /// Marks a folder, or returns nil if another process has, or the folder cannot be read.
  package init?(_ folder: HeldFolder) {
    descriptor = unsafe openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

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
}
