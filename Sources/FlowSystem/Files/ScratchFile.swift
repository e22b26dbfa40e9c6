private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Bytes assembled from parts, in memory while few, then in a file without a name.
package final class ScratchFile: Sendable {
  /// The size of one write in bytes: entries of reports are small, and each write costs a system
  /// call.
  private static let room = 64 << 10

  private struct State {
    /// The bytes that are not in the file yet.
    var latest: [UInt8] = []
    /// The descriptor of the file, or -1 if there is none.
    var descriptor: CInt = -1
    /// The number of bytes in it.
    var written = 0
  }

  private let folder: String
  private let state = Mutex(State())

  /// Creates empty bytes, with a file in the folder when one is needed.
  package init(in folder: String) { self.folder = folder }

  /// Appends texts, one after the other.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk.
  package func append(_ texts: String...) throws(FileError) {
    try state.withLock { state throws(FileError) in
      for text in texts { state.latest += text.utf8 }
      if state.latest.count >= Self.room { try write(&state) }
    }
  }

  /// Appends bytes, and returns their position.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk.
  package func append(bytes: [UInt8]) throws(FileError) -> ScratchPiece {
    try state.withLock { state throws(FileError) in
      let start = state.written + state.latest.count
      state.latest += bytes
      if state.latest.count >= Self.room { try write(&state) }
      return ScratchPiece(file: self, range: start..<(start + bytes.count))
    }
  }

  private func write(_ state: inout State) throws(FileError) {
    if state.descriptor < 0 { state.descriptor = try make() }
    guard FileSystem.writeAll(state.descriptor, state.latest) else {
      throw FileSystem.failure(folder, isWriting: true)
    }
    state.written += state.latest.count
    state.latest.removeAll(keepingCapacity: true)
  }

  private func make() throws(FileError) -> CInt {
    let random = String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = Path.joined(folder, ".flow-\(random).tmp")
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileSystem.failure(folder, isWriting: true) }
    _ = unsafe unlink(path)
    return descriptor
  }

  /// Passes all bytes to a closure, in pieces.
  ///
  /// - Throws: `FileError` when the system refuses, and the errors of `receive`.
  package func copy(_ receive: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
    let count = state.withLock { $0.written + $0.latest.count }
    try copy(0..<count, receive)
  }

  /// Passes some of the bytes to a closure, in pieces.
  ///
  /// - Throws: `FileError` when the system refuses, and the errors of `receive`.
  fileprivate func copy(
    _ range: Range<Int>, _ receive: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    // Not under the lock, since the work of others may take long.
    let (descriptor, written, latest) = state.withLock { ($0.descriptor, $0.written, $0.latest) }
    if range.lowerBound < written {
      let end = min(range.upperBound, written)
      try copy(descriptor, range.lowerBound..<end, receive)
    }
    if range.upperBound > written {
      let start = max(range.lowerBound - written, 0)
      try receive(Array(latest[start..<(range.upperBound - written)]))
    }
  }

  private func copy(
    _ descriptor: CInt, _ range: Range<Int>, _ receive: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    var offset = range.lowerBound
    var piece = [UInt8](repeating: 0, count: min(range.count, 256 << 10))
    while offset < range.upperBound {
      let wanted = min(piece.count, range.upperBound - offset)
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, wanted, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw FileSystem.failure(folder, isWriting: false) }
      try receive(Array(piece[..<count]))
      offset += count
    }
  }

  deinit {
    let descriptor = state.withLock(\.descriptor)
    if descriptor >= 0 { close(descriptor) }
  }
}

/// Some of the bytes of a scratch file, which keeps them as long as this is kept.
package struct ScratchPiece: Sendable {
  fileprivate let file: ScratchFile
  fileprivate let range: Range<Int>

  /// The number of bytes.
  package var count: Int { range.count }

  /// Passes the bytes to a closure, in pieces.
  ///
  /// - Throws: `FileError` when the system refuses, and the errors of `receive`.
  package func copy(_ receive: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
    try file.copy(range, receive)
  }

  /// All bytes.
  ///
  /// - Throws: `FileError` when the system refuses.
  package var bytes: [UInt8] {
    get throws(FileError) {
      var bytes: [UInt8] = []
      try copy { bytes += $0 }
      return bytes
    }
  }
}

extension FileSystem {
  /// The folder for files of no later use.
  package static var temporaryFolder: String {
    environmentVariable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Creates a folder in it that no other user can read, and returns its path: the name, a point and
  /// six random signs.
  ///
  /// - Throws: `FileError` when the system refuses.
  package static func makeTemporaryFolder(_ name: String) throws(FileError) -> String {
    let pattern = Path.joined(temporaryFolder, "\(name).XXXXXX")
    var path = Array(pattern.utf8CString)
    let isMade = unsafe path.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    guard isMade else { throw failure(pattern, isWriting: true) }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
