#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Changes of files and folders that a scenario asks for, at paths that were checked before.
extension FileSystem {
  /// Appends bytes to a regular file, which is made where nothing is.
  ///
  /// - Throws: `FileError` when something else is there, a link that leads nowhere included, or the system
  ///   refuses.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    let target = try replaceablePath(path)
    // Opening a link that leads nowhere would make a file wherever it leads.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe open(target, flags, 0o666)
    guard descriptor >= 0 else { throw failure(path, isWriting: true) }
    defer { close(descriptor) }
    guard writeAll(descriptor, bytes) else { throw failure(path, isWriting: true) }
  }

  /// Makes a folder and those around it; nothing happens when it is there.
  ///
  /// - Throws: `FileError` when something else is there, `..` follows a folder that is not, or the system
  ///   refuses.
  package static func makeFolders(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    // Once `new` is there, `new/../link` leads where nothing has looked before.
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

/// By what a file is known to be unchanged.
package struct FileStamp: Sendable, Equatable {
  private let number: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of what is at a path; nil where nothing is.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The stamp of an open regular file, and how many bytes it has; nil for everything else.
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
