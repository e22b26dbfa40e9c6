#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Changes of files and folders for a scenario, at paths that were already checked.
extension FileSystem {
  /// Appends bytes to a regular file, creating it if necessary.
  ///
  /// - Throws: `FileError` when anything else is there, such as a link to nothing, or the system
  ///   refuses.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    let target = try replaceablePath(path)
    // Opening a link to nothing would create a file at its target.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe open(target, flags, 0o666)
    guard descriptor >= 0 else { throw failure(path, isWriting: true) }
    defer { close(descriptor) }
    guard writeAll(descriptor, bytes) else { throw failure(path, isWriting: true) }
  }

  /// Creates a folder and the ones around it, unless it exists.
  ///
  /// - Throws: `FileError` when anything else is there, `..` follows a name that is not a folder,
  ///   or the system refuses.
  package static func makeFolders(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    // If `new` existed, `new/../link` would lead to an unchecked place.
    guard !path.utf8.elementsEqual("..".utf8), !path.utf8.reversed().starts(with: "../".utf8) else {
      throw FileError(.forbidden, path: path, isWriting: true)
    }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolders(String(path[..<slash]))
    }
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    guard errno == EEXIST else { throw failure(path, isWriting: true) }
    guard isDirectory(path) else {
      throw FileError(.unreadable, path: path, reason: "not a folder", isWriting: true)
    }
  }
}

/// The properties of an unchanged file.
package struct FileStamp: Sendable, Equatable {
  private let number: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Creates the stamp of the entry at a path, or nil if there is none.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns the stamp and size in bytes of an open regular file, or nil for anything else.
  static func ofFile(_ descriptor: CInt) -> (stamp: FileStamp, count: Int)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return (FileStamp(status), Int(status.st_size))
  }

  private init(_ status: stat) {
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    seconds = time.tv_sec
    nanoseconds = time.tv_nsec
  }
}

extension FileSystem {
  /// Returns true if the content, the name or the mode of a file changed after a time of `wallClock`.
  package static func isChanged(
    _ path: String, since start: (seconds: Int, nanoseconds: Int)
  ) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    return (time.tv_sec, time.tv_nsec) > (start.seconds, start.nanoseconds)
  }
}
