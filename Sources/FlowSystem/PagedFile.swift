private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif
/// A large file that is read a page at a time, of which 2 MiB are in memory.
///
/// It is not mapped into memory: another process that cuts such a file off ends whoever reads behind its end.
package final class PagedFile: Sendable {
  private static let pageSize = 16 << 10
  private static let pageCount = 128

  /// Pages that were read, each in the place that its number gives it.
  private struct Pages {
    var pages: [(number: Int, bytes: [UInt8])] = Array(repeating: (-1, []), count: pageCount)
    var problem: FileError?
  }

  /// How many bytes it had when it was opened.
  package let count: Int
  private let path: String
  private let descriptor: CInt
  /// What tells that it has changed.
  private let stamp: FileStamp
  private let pages = Mutex(Pages())

  /// The file at a path; nil for one of fewer bytes than that, and for what is no regular file or cannot be opened.
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

  /// Why what was read last may not be what it said when it was opened; nil while nothing is wrong.
  ///
  /// From then on nothing more is read.
  package var problem: FileError? { pages.withLock(\.problem) }

  /// Says that it reads otherwise than before.
  package func noteChange() { pages.withLock { $0.problem = $0.problem ?? changed } }

  private var changed: FileError {
    FileError(.unreadable, path: path, reason: "it changed while it was read")
  }

  /// Some of the bytes from a place on: those that are in one page; none behind the end, or with a problem.
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

  /// As many of the bytes as are there.
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
  /// The first bytes of a regular file; nothing where there is none, or the system refuses.
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
