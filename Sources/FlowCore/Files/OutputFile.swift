private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file that is written piece by piece and takes its place only when it is complete.
///
/// Until `commit()` the bytes go to a temporary file beside the path, which is removed if the object
/// is let go before. One owner writes at a time.
package final class OutputFile: Sendable {
  private let path: String
  private let target: String
  private let temporary: String
  private let descriptor: CInt
  private let isOpen = Mutex(true)

  /// Opens the temporary file, beside the file that the path leads to through links, or beside a link that is
  /// itself replaced.
  ///
  /// - Throws: `FileError` when something other than a file is there, or the system refuses.
  package init(replacing path: String, followsLinks: Bool = true) throws(FileError) {
    self.path = path
    let isReplaced = !followsLinks && FileSystem.isLink(path)
    target = isReplaced ? path : try FileSystem.replaceablePath(path)
    // Another writer of the same path, in this process or another, has a file of its own.
    temporary = "\(target).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    descriptor = unsafe open(temporary, flags, 0o644)
    guard descriptor >= 0 else { throw FileSystem.failure(path, isWriting: true) }
  }

  /// Appends bytes.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    guard FileSystem.writeAll(descriptor, bytes) else {
      throw FileSystem.failure(path, isWriting: true)
    }
  }

  /// Puts the complete file in its place.
  ///
  /// - Throws: `FileError` when the system refuses; the old file then still stands.
  package func commit() throws(FileError) {
    guard closeOnce(), unsafe rename(temporary, target) == 0 else {
      let error = FileSystem.failure(path, isWriting: true)
      _ = unsafe unlink(temporary)
      throw error
    }
  }

  private func closeOnce() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen && close(descriptor) == 0
    }
  }

  /// Throws away what was written; the old file still stands.
  package func discard() {
    if closeOnce() { _ = unsafe unlink(temporary) }
  }

  deinit {
    discard()
  }
}
