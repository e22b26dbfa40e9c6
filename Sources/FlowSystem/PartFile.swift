#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file that a process writes beside the one that it will replace, under a name that is known: `report.xml.part`.
///
/// Its process holds it by flock(2), which ends with the process, however that ends. So what a killed process left is
/// known, and replaced by the next one; processes that write beside the same path at once have names of their own.
struct PartFile {
  /// Where it is: with `.part` behind the path, or `.2.part` where that is held.
  let path: String
  /// Open for writing, empty and locked.
  let descriptor: CInt

  /// As many processes can write beside one path at once.
  private static let most = 1_000
  /// How often a name is tried that others take, or give up, at the same moment.
  private static let tries = 100

  /// Makes one, which its owner alone can read or whoever the umask says; nil with `errno` when the system refuses.
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

  /// Makes and locks a file of a name that no living process holds; nil with `errno`, `EWOULDBLOCK` for one that is held.
  private static func make(_ name: String, _ mode: mode_t) -> CInt? {
    for _ in 0..<tries {
      // A link that is there is not followed.
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

  /// Removes what no living process writes: a file that was left, or a link; false for what has to stay.
  private static func clear(_ name: String) -> Bool {
    let descriptor = unsafe open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return true }
      return errno == ELOOP && removes(name)
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    // While it is locked nobody takes it for one that was left; another one may have its name by now.
    return !isFile(descriptor, at: name) || removes(name)
  }

  private static func removes(_ name: String) -> Bool {
    unsafe unlink(name) == 0 || errno == ENOENT
  }

  /// Locks a file; also true where the file system has no locks.
  private static func lock(_ descriptor: CInt) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether a name, in an open folder if one is given, is that of an open regular file.
  static func isFile(_ descriptor: CInt, at name: String, in folder: CInt = AT_FDCWD) -> Bool {
    var (open, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &open) == 0,
      unsafe fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    else { return false }
    return open.st_dev == named.st_dev && open.st_ino == named.st_ino
      && open.st_mode & S_IFMT == S_IFREG
  }
}
