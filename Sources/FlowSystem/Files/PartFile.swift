#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file that a process writes beside the one it will replace, under a known name:
/// `report.xml.part`.
///
/// Its process holds it by flock(2), which ends with the process in any case. So the file of a
/// killed process is recognised, and replaced by the next one. Processes that write beside the same
/// path at once have separate names.
struct PartFile {
  /// Its path: the target's with `.part` at the end, or `.2.part` if that is held.
  let path: String
  /// Open for writing, empty and locked.
  let descriptor: CInt

  /// The most processes that can write beside one path at once.
  private static let most = 1_000
  /// The attempts for a name that others take, or give up, at the same moment.
  private static let tries = 100

  /// Creates a file, readable by its owner only or as the umask allows.
  ///
  /// Returns nil with `errno` when the system refuses.
  init?(beside path: String, isPrivate: Bool) {
    for number in 1...Self.most {
      let name = path + (number > 1 ? ".\(number)" : "") + ".part"
      if let descriptor = Self.make(name, isPrivate ? 0o600 : 0o666) {
        self.path = name
        self.descriptor = descriptor
        return
      }
      guard errno == EWOULDBLOCK else { return nil }
    }
    return nil
  }

  /// Creates and locks a file, unless a living process holds the name.
  ///
  /// Returns nil with `errno`, `EWOULDBLOCK` for a held one.
  private static func make(_ name: String, _ mode: mode_t) -> CInt? {
    for _ in 0..<tries {
      // An existing link is not followed.
      let descriptor = unsafe open(
        name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor < 0 {
        guard errno == EEXIST else { return nil }
        if clear(name) { continue }
        errno = EWOULDBLOCK
        return nil
      }
      // Another process may have found it before it was locked, and taken it for one that was left.
      if lock(descriptor), isFile(descriptor, at: name) { return descriptor }
      close(descriptor)
    }
    errno = EWOULDBLOCK
    return nil
  }

  /// Removes an abandoned file or a link, or returns false for anything that has to remain.
  private static func clear(_ name: String) -> Bool {
    let descriptor = unsafe open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return true }
      return errno == ELOOP && removes(name)
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    // A locked file is not taken for an abandoned one, but another file may have its name by now.
    return !isFile(descriptor, at: name) || removes(name)
  }

  private static func removes(_ name: String) -> Bool {
    unsafe unlink(name) == 0 || errno == ENOENT
  }

  /// Locks a file.
  ///
  /// Returns true also if the file system has no locks.
  private static func lock(_ descriptor: CInt) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Returns true if a name is that of an open regular file, in an open folder if one is given.
  static func isFile(_ descriptor: CInt, at name: String, in folder: CInt = AT_FDCWD) -> Bool {
    var (open, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &open) == 0,
      unsafe fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    else { return false }
    return open.st_dev == named.st_dev && open.st_ino == named.st_ino
      && open.st_mode & S_IFMT == S_IFREG
  }
}
