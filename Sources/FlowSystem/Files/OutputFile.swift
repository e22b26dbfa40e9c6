private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file that is written in pieces and takes its place only when it is complete.
///
/// Until `commit()` the bytes go to a temporary file beside the path, which is removed if the
/// object is released before. One owner writes at a time.
///
/// A replaced file keeps its mode, and its owner if the system allows. It is a new file all the
/// same: other hard links keep the old content, since an existing file cannot be rewritten whole or
/// not at all.
package final class OutputFile: Sendable {
  private let path: String
  /// The folder for the names below, or nil for the working directory.
  private let folder: HeldFolder?
  private let target: String
  private let temporary: String
  private let descriptor: CInt
  /// True if it replaces a file, whose mode it takes.
  package let isReplacing: Bool
  private let isOpen = Mutex(true)

  /// The part between a file's name and the random end of its temporary file's name.
  private static let mark = ".flow-"
  private static let ending = ".tmp"

  /// Opens the temporary file beside the target of the path, or beside a link to be replaced.
  ///
  /// A new file is readable by its owner only if it is private, otherwise as the umask allows. With
  /// `asPart` the temporary file is `PATH.part` and replaces that of a killed process. Otherwise it
  /// has a new name each time.
  ///
  /// - Throws: `FileError` when something other than a file is there, or the system refuses.
  package init(
    replacing path: String, followsLinks: Bool = true, isPrivate: Bool = false,
    asPart: Bool = false
  ) throws(FileError) {
    self.path = path
    folder = nil
    let isReplaced = !followsLinks && FileSystem.isLink(path)
    target = isReplaced ? path : try FileSystem.replaceablePath(path)
    var old = stat()
    let isThere = unsafe stat(target, &old) == 0
    isReplacing = isThere && !isReplaced
    let isPrivate = isReplacing || isPrivate
    if asPart {
      guard let part = PartFile(beside: target, isPrivate: isPrivate) else {
        throw FileSystem.failure(path, isWriting: true)
      }
      (temporary, descriptor) = (part.path, part.descriptor)
    } else {
      (temporary, descriptor) = try Self.make(beside: target, isPrivate ? 0o600 : 0o666, for: path)
    }
    if isReplacing { resemble(old) }
  }

  /// Opens the temporary file beside a name in a held folder, which no link leads out of.
  ///
  /// Any entry of the name is replaced, even a link.
  ///
  /// - Throws: `FileError` when anything but a file or a link is there, or the system refuses.
  package init(replacing place: HeldPlace) throws(FileError) {
    (path, target, folder) = (place.name, place.name, place.folder)
    var old = stat()
    let isThere =
      unsafe fstatat(place.folder.descriptor, target, &old, AT_SYMLINK_NOFOLLOW) == 0
    let kind = old.st_mode & S_IFMT
    guard !isThere || kind == S_IFREG || kind == S_IFLNK else {
      throw FileError(.notAFile, path: path, isWriting: true)
    }
    isReplacing = isThere && kind == S_IFREG
    (temporary, descriptor) = try Self.make(
      beside: target, in: place.folder, isReplacing ? 0o600 : 0o666, for: path)
    if isReplacing { resemble(old) }
  }

  /// Makes a temporary file, which another writer of the same path, in this process or another, does not have.
  private static func make(
    beside target: String, in folder: HeldFolder? = nil, _ mode: mode_t, for path: String
  ) throws(FileError) -> (String, CInt) {
    let random = String(UInt64.random(in: 0 ... .max), radix: 36)
    let temporary = target + mark + random + ending
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe openat(folder?.descriptor ?? AT_FDCWD, temporary, flags, mode)
    guard descriptor >= 0 else { throw FileSystem.failure(path, isWriting: true) }
    // Shows a process that removes leftovers of killed ones that this one is alive.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    return (temporary, descriptor)
  }

  /// Takes the owner and the mode of the replaced file.
  private func resemble(_ old: stat) {
    var new = stat()
    guard unsafe fstat(descriptor, &new) == 0 else { return }
    var mode = old.st_mode & 0o777
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid),
      fchown(descriptor, old.st_uid, old.st_gid) != 0
    {
      // What the old group was allowed is nothing for another one.
      if old.st_gid != new.st_gid { mode &= ~0o070 }
    }
    _ = fchmod(descriptor, mode)
  }

  /// Removes all permissions except these from a new file, but not from a replacement.
  package func restrict(to permissions: Int) {
    var new = stat()
    guard !isReplacing, unsafe fstat(descriptor, &new) == 0 else { return }
    _ = fchmod(descriptor, new.st_mode & mode_t(permissions) & 0o777)
  }

  /// Sets the mode of the file, also of a replacement.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func setMode(_ mode: Int) throws(FileError) {
    guard fchmod(descriptor, mode_t(mode)) == 0 else {
      throw FileSystem.failure(path, isWriting: true)
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    guard FileSystem.writeAll(descriptor, bytes) else {
      throw FileSystem.failure(path, isWriting: true)
    }
  }

  /// Puts the complete file in its place, or at another path of the same disk.
  ///
  /// A new file that has become private meanwhile is readable by its owner only. A durable one
  /// survives a power failure from then on.
  ///
  /// - Throws: `FileError` when the system refuses. The old file then remains.
  package func commit(
    isPrivate: Bool = false, isDurable: Bool = false, at other: String? = nil
  ) throws(FileError) {
    if isPrivate && !isReplacing { _ = fchmod(descriptor, 0o600) }
    // Open until it has its name: the lock ends with it, and others would take the file for one that was left.
    guard PartFile.isFile(descriptor, at: temporary, in: origin) else {
      discard()
      throw FileError(
        .unreadable, path: path, reason: "its temporary file was removed", isWriting: true)
    }
    guard isDurable ? fsync(descriptor) == 0 : reportsNoFailure(),
      unsafe renameat(origin, temporary, origin, other ?? target) == 0
    else {
      let error = FileSystem.failure(other ?? path, isWriting: true)
      discard()
      throw error
    }
    isOpen.withLock { isOpen in
      close(descriptor)
      isOpen = false
    }
  }

  /// The descriptor of the folder in which the names are looked up.
  private var origin: CInt { folder?.descriptor ?? AT_FDCWD }

  /// Some file systems report a failed write only when the file is closed.
  private func reportsNoFailure() -> Bool {
    let copy = dup(descriptor)
    return copy < 0 || close(copy) == 0
  }

  /// Puts the complete file at another path of the same disk, or returns false if it is taken.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func place(unlessTaken other: String) throws(FileError) -> Bool {
    if unsafe link(temporary, other) == 0 {
      discard()
      return true
    }
    if errno == EEXIST { return false }
    // Some file systems have no links: link(2).
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else {
      throw FileSystem.failure(other, isWriting: true)
    }
    if FileSystem.isOccupied(other) { return false }
    try commit(at: other)
    return true
  }

  /// Discards the written bytes, and leaves the old file.
  package func discard() {
    isOpen.withLock { isOpen in
      if !isOpen { return }
      if PartFile.isFile(descriptor, at: temporary, in: origin) {
        _ = unsafe unlinkat(origin, temporary, 0)
      }
      close(descriptor)
      isOpen = false
    }
  }

  deinit {
    discard()
  }
}

extension OutputFile {
  /// Returns the name of the file to which a temporary name belongs, or nil for any other name.
  package static func name(ofTemporary name: String) -> String? {
    guard name.hasSuffix(ending), let mark = name.ranges(of: mark).last else { return nil }
    let random = name[mark.upperBound...].dropLast(ending.count)
    guard !random.isEmpty, UInt64(random, radix: 36) != nil else { return nil }
    return String(name[..<mark.lowerBound])
  }

  /// Returns true if the process that wrote a temporary file was killed.
  package static func isAbandoned(_ temporary: String) -> Bool {
    let descriptor = unsafe open(temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
