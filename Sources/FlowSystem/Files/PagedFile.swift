private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif
/// A large file that is read in pages, with 2 MiB of them in memory.
///
/// It is not mapped into memory: if another process truncates a mapped file, a read after its end
/// kills the reader.
package final class PagedFile: Sendable {
  private static let pageSize = 16 << 10
  private static let pageCount = 128

  /// The pages read so far, each in the slot determined by its number.
  private struct Pages {
    var pages: [(number: Int, bytes: [UInt8])] = Array(repeating: (-1, []), count: pageCount)
    var problem: FileError?
  }

  /// The size in bytes when it was opened.
  package let count: Int
  private let path: String
  private let descriptor: CInt
  /// The stamp that reveals a change.
  private let stamp: FileStamp
  private let pages = Mutex(Pages())

  /// Opens the file at a path, or returns nil if it is smaller, not a regular file or cannot be
  /// opened.
  package init?(_ path: String, atLeast size: Int) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    guard let (stamp, count) = FileStamp.ofFile(descriptor), count >= size else {
      close(descriptor)
      return nil
    }
    (self.path, self.descriptor, self.stamp, self.count) = (path, descriptor, stamp, count)
  }

  deinit { close(descriptor) }

  /// The reason that the latest bytes may differ from those of the opened file, or nil.
  ///
  /// From then on nothing more is read.
  package var problem: FileError? { pages.withLock(\.problem) }

  /// Notes that its content has changed.
  package func noteChange() { pages.withLock { $0.problem = $0.problem ?? changed } }

  private var changed: FileError {
    FileError(.unreadable, path: path, reason: "it changed while it was read")
  }

  /// Returns the bytes from a place to the end of its page, or none after the end or after a
  /// problem.
  package func bytes(from place: Int) -> ArraySlice<UInt8> {
    guard place < count else { return [] }
    let (number, offset) = place.quotientAndRemainder(dividingBy: Self.pageSize)
    return pages.withLock { pages in
      let slot = number % Self.pageCount
      if pages.pages[slot].number != number { load(number, into: slot, of: &pages) }
      return pages.problem == nil ? pages.pages[slot].bytes[offset...] : []
    }
  }

  private func load(_ number: Int, into slot: Int, of pages: inout Pages) {
    if pages.problem != nil { return }
    let start = number * Self.pageSize
    let end = min(start + Self.pageSize, count)
    do throws(FileError) {
      let page = try contents(of: start..<end)
      let isSame = page.count == end - start && FileStamp.ofFile(descriptor)?.stamp == stamp
      guard isSame else { throw changed }
      pages.pages[slot] = (number, page)
    } catch {
      pages.problem = error
    }
  }

  /// Reads as many of the bytes as exist.
  private func contents(of range: Range<Int>) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      while initialized < range.count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[initialized...])
        let count = unsafe pread(
          descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + initialized))
        if count < 0 && errno == EINTR { continue }
        if count < 0 { failure = FileSystem.failure(path) }
        if count <= 0 { return }
        initialized += count
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

extension FileSystem {
  /// Returns the first bytes of a regular file, or none if it is missing or the system refuses.
  package static func beginning(of path: String, atMost count: Int) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = unsafe max(0, read(descriptor, buffer.baseAddress, count))
    }
  }
}
