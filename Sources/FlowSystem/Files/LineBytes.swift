/// The bytes of a text in lines: in memory, or in its file, of which only pages are.
package struct LineBytes: Sendable {
  /// The size in bytes from which a file is not read as a whole.
  private static let large = 1 << 20

  private enum Storage {
    case memory([UInt8])
    case file(PagedFile)
  }

  private let storage: Storage

  /// Creates bytes in memory.
  package init(_ bytes: [UInt8]) { storage = .memory(bytes) }

  /// Creates the bytes of a large regular file, or nil for any other.
  package init?(ofLargeFile path: String) {
    guard let file = PagedFile(path, atLeast: Self.large) else { return nil }
    // An editor has put a mark before it, without which its places are others.
    if PlainText.markLength(of: file.bytes(from: 0)) > 0 { return nil }
    storage = .file(file)
  }

  /// The number of bytes.
  package var count: Int {
    switch storage {
    case .memory(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// The reason that the file can no longer be read unchanged, or nil.
  package var problem: FileError? {
    if case .file(let file) = storage { file.problem } else { nil }
  }

  /// Notes that an earlier part of the file can no longer be read.
  package func noteUnreadable(at offset: Int) {
    guard case .file(let file) = storage else {
      preconditionFailure("the line at byte \(offset) was read before and cannot be read again")
    }
    file.noteChange()
  }

  /// Returns the line at an offset without its newline, and true if it has one.
  ///
  /// Of a line in a file that exceeds the limit, it returns only enough to show that.
  package func line(
    at offset: Int, before end: Int
  ) -> (bytes: ArraySlice<UInt8>, isTerminated: Bool) {
    switch storage {
    case .memory(let bytes):
      let newline = bytes[offset..<end].firstPlace(of: 0x0A)
      return (bytes[offset..<(newline ?? end)], newline != nil)
    case .file(let file):
      let page = file.bytes(from: offset).prefix(end - offset)
      // Most lines are in one page.
      if let newline = page.firstPlace(of: 0x0A) { return (page[..<newline], true) }
      return Self.line(in: file, Array(page), at: offset, before: end)
    }
  }

  /// Returns a line that continues after its first page.
  private static func line(
    in file: PagedFile, _ beginning: [UInt8], at offset: Int, before end: Int
  ) -> (bytes: ArraySlice<UInt8>, isTerminated: Bool) {
    var line = beginning
    while offset + line.count < end {
      let page = file.bytes(from: offset + line.count).prefix(end - offset - line.count)
      if page.isEmpty { break }
      if let newline = page.firstPlace(of: 0x0A) { return ((line + page[..<newline])[...], true) }
      line += page
      if line.count > LineCursor.longest { return (line[...], true) }
    }
    return (line[...], false)
  }

  /// Returns a line that was read before.
  package func line(at offset: Int) -> ArraySlice<UInt8> { line(at: offset, before: count).bytes }

  /// Returns the bytes from an offset on, at least to the end of that line.
  package func rest(at offset: Int) -> ArraySlice<UInt8> {
    if case .memory(let bytes) = storage { bytes[offset...] } else { line(at: offset) }
  }

  /// The last bytes.
  package func suffix(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    forEachPiece(in: max(0, self.count - count)..<self.count) { bytes += $0 }
    return bytes
  }

  /// All bytes, in memory.
  package var whole: [UInt8] {
    if case .memory(let bytes) = storage { bytes } else { suffix(count) }
  }

  /// Passes the bytes of a range on in pieces, and nothing more once the file cannot be read.
  package func forEachPiece(in range: Range<Int>, _ body: (ArraySlice<UInt8>) -> Void) {
    switch storage {
    case .memory(let bytes): body(bytes[range])
    case .file(let file):
      var place = range.lowerBound
      while place < range.upperBound {
        let piece = file.bytes(from: place).prefix(range.upperBound - place)
        if piece.isEmpty { return }
        body(piece)
        place += piece.count
      }
    }
  }

  /// Returns true if one of the bytes has a value.
  package func contains(_ byte: UInt8) -> Bool {
    var isFound = false
    forEachPiece(in: 0..<count) { isFound = isFound || $0.firstPlace(of: byte) != nil }
    return isFound
  }

  /// Returns true if all lines between the first and the last are in the other text.
  package func hasLinesBetweenEnds(of other: LineBytes) -> Bool {
    var (lines, others) = (LineCursor(self), LineCursor(other))
    _ = (lines.next(), others.next())
    var (line, another) = (lines.next(), others.next())
    while true {
      let (next, nextOther) = (lines.next(), others.next())
      if next == nil || nextOther == nil { return next == nil && nextOther == nil }
      if line != another { return false }
      (line, another) = (next, nextOther)
    }
  }
}

/// Walks over the lines of a text without copying them.
package struct LineCursor {
  /// The longest line to read, in bytes.
  package static let longest = 16 << 20

  private let bytes: LineBytes
  private let length: Int
  private var position = 0

  /// The number of the latest line, from 1.
  package private(set) var number = 0
  /// The offset of the latest line's first byte.
  package private(set) var offset = 0
  /// True if the latest line ended with a newline.
  package private(set) var isTerminated = true

  /// Creates a cursor over the lines of the first `length` bytes, or of all.
  package init(_ bytes: LineBytes, length: Int? = nil) {
    self.bytes = bytes
    self.length = length ?? bytes.count
  }

  /// The lines of bytes in memory.
  package init(_ bytes: [UInt8]) { self.init(LineBytes(bytes)) }

  /// Returns the next line without its newline, or nil at the end.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard position < length else { return nil }
    let line: ArraySlice<UInt8>
    (line, isTerminated) = bytes.line(at: position, before: length)
    // Nothing can be read any more.
    if line.isEmpty && !isTerminated { return nil }
    offset = position
    position += line.count + 1
    number += 1
    return line
  }
}
