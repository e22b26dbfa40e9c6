#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Descriptors that a user names by a path, and properties of a file known without reading it.
extension FileSystem {
  /// Returns the descriptor to write to for a path like `>(command)` in a shell or `/dev/stdout`,
  /// or nil for a file.
  package static func outputDescriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.utf8.count)).flatMap { $0 < 0 ? nil : $0 }
      }
      return nil
    }
  }

  /// Writes all bytes to an open descriptor, and ignores a reader that has gone away.
  ///
  /// - Throws: `FileError` when the system refuses, for example if the descriptor is closed.
  package static func writeWhole(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    if writeAll(descriptor, bytes) || errno == EPIPE { return }
    throw failure("/dev/fd/\(descriptor)", isWriting: true)
  }

  /// Returns the permissions of a file as the lowest nine bits, or nil if they are unknown.
  package static func permissions(of path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : nil
  }

  /// Returns the size of a regular file in bytes, or nil for anything else, including links.
  package static func sizeOfFile(_ path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
