import FlowCore
private import Synchronization

/// An output stream of a process: the kept start of it, and the state for finding lines.
struct Output: Sendable {
  /// The kept bytes, at most `limit`.
  private(set) var kept: [UInt8] = []
  /// True if more bytes came than were kept.
  private(set) var isCut = false
  /// True at the end of the stream.
  private var hasEnded = false
  /// The current unfinished line, up to `longestLine` bytes.
  private var line: [UInt8] = []
  /// True if that line was longer.
  private var isLineCut = false
  private let limit: Int
  /// The file for all of the output.
  private let file: OutputCopy?
  /// The lines for a person who watches the run, or nil if nobody does.
  private var shown: ShownLines?

  private static let newline = UInt8(ascii: "\n")
  private static let longestLine = 64 << 10

  init(limit: Int, copy file: OutputCopy?, isShown: Bool = false) {
    self.limit = limit
    self.file = file
    shown = isShown ? ShownLines() : nil
  }

  /// The reason why a part of the output is not in its file, or nil.
  var failure: FileError? { file?.failure }

  /// Keeps the bytes that fit, and checks the lines completed by these bytes in all searches.
  mutating func append(_ bytes: ArraySlice<UInt8>, _ searches: inout LineSearches) {
    file?.append(bytes)
    shown?.append(bytes)
    let room = limit - kept.count
    kept += bytes.prefix(room)
    if bytes.count > room { isCut = true }
    var rest = bytes
    // A flood without searches is not split into lines.
    if searches.isEmpty, let end = rest.lastIndex(of: Self.newline) {
      beginLine()
      rest = rest[(end + 1)...]
    }
    while let end = rest.firstIndex(of: Self.newline) {
      addToLine(rest[..<end])
      searches.note(line[...], isCut: isLineCut)
      beginLine()
      rest = rest[(end + 1)...]
    }
    addToLine(rest)
  }

  private mutating func beginLine() {
    line.removeAll(keepingCapacity: true)
    isLineCut = false
  }

  private mutating func addToLine(_ bytes: ArraySlice<UInt8>) {
    let room = Self.longestLine - line.count
    line += bytes.prefix(room)
    if bytes.count > room { isLineCut = true }
  }

  /// Checks an unfinished last line in all searches.
  mutating func finish(_ searches: inout LineSearches) {
    if !line.isEmpty { searches.note(line[...], isCut: isLineCut) }
    beginLine()
    hasEnded = true
    shown?.finish()
  }

  /// Takes the new lines for a person who watches the run.
  mutating func takeShown() -> [String] { shown?.take() ?? [] }

  /// Returns the first whole line among the kept bytes that contains a string.
  func line(containing text: String) -> String? {
    let text = Array(text.utf8)
    let end = hasEnded && !isCut ? kept.count : (kept.lastIndex(of: Self.newline) ?? -1) + 1
    let whole = kept[..<end]
    return whole.split(separator: Self.newline).first { $0.contains(text) }.map { Self.text($0) }
  }

  /// Returns the unfinished line if it contains a string.
  func unfinishedLine(containing text: String) -> String? {
    line.isEmpty || !line.contains(Array(text.utf8)) ? nil : Self.text(line[...], isCut: isLineCut)
  }

  /// The kept bytes as UTF-8, with U+FFFD for invalid bytes, and `…` at the end if bytes are
  /// missing.
  var text: String { Self.text(kept[...], isCut: isCut) }

  /// The last three lines of the kept bytes, shortened.
  ///
  /// Each is only cut at its end, since a secret without its start would not be recognised.
  var lastLines: [String] {
    var (lines, rest): ([String], ArraySlice<UInt8>) = ([], kept[...])
    while lines.count < 3, !rest.isEmpty {
      let start = (rest.lastIndex(of: Self.newline) ?? rest.startIndex - 1) + 1
      let line = rest[start...]
      let isLast = rest.endIndex == kept.endIndex
      let isCut = line.count > Self.longestLastLine || isLast && isCut
      if !line.isEmpty { lines.append(Self.text(line.prefix(Self.longestLastLine), isCut: isCut)) }
      rest = rest[..<max(rest.startIndex, start - 1)]
    }
    return lines.reversed()
  }

  /// The length in bytes.
  private static let longestLastLine = 400

  static func text(_ bytes: ArraySlice<UInt8>, isCut: Bool = false) -> String {
    isCut ? String(beginning: bytes) : String(decoding: bytes, as: UTF8.self)
  }
}

/// The searches for lines containing a string.
struct LineSearches: Sendable {
  private struct Search {
    let text: [UInt8]
    var line: String?
  }

  private var searches: [Int: Search] = [:]
  private var next = 0

  /// True without any search.
  var isEmpty: Bool { searches.isEmpty }

  /// Adds a search for a string, possibly with the line already found, and returns its number.
  mutating func add(_ text: String, found line: String?) -> Int {
    defer { next += 1 }
    searches[next] = Search(text: Array(text.utf8), line: line)
    return next
  }

  /// Compares a line with all searches, which find nothing inside of an echo.
  mutating func note(_ line: ArraySlice<UInt8>, isCut: Bool, outside echoes: [Range<Int>] = []) {
    for (number, search) in searches
    where search.line == nil && line.range(of: search.text, outside: echoes) != nil {
      searches[number]?.line = Output.text(line, isCut: isCut)
    }
  }

  /// Returns the first line containing the string of a search, or nil.
  func line(of search: Int) -> String? { searches[search]?.line }

  /// Ends a search.
  mutating func remove(_ search: Int) { searches[search] = nil }
}

extension ArraySlice<UInt8> {
  /// Returns the first range of a text that is not inside of one of some ranges, or nil.
  func range(of text: [UInt8], outside ranges: [Range<Int>]) -> Range<Int>? {
    var rest = self
    while let found = rest.firstRange(of: text) {
      let isInside = ranges.contains {
        $0.lowerBound <= found.lowerBound && found.upperBound <= $0.upperBound
      }
      if !isInside { return found }
      rest = rest[(found.lowerBound + 1)...]
    }
    return nil
  }
}

/// A file receiving the output of a process.
final class OutputCopy: Sendable {
  private let path: String
  private let folder: Directory
  private let error = Mutex<FileError?>(nil)

  /// Empties the file, or creates it.
  ///
  /// - Throws: `FileError`.
  init(_ path: String, in folder: Directory) throws(FileError) {
    self.path = path
    self.folder = folder
    try folder.write([], to: path)
  }

  /// The reason why a part of the output is not in the file, or nil.
  var failure: FileError? { error.withLock { $0 } }

  /// Returns true if both are one file, also by two paths.
  func isSame(as other: OutputCopy) -> Bool {
    if path == other.path { return true }
    // Without a full path it is no file, to which an order would matter.
    guard let place = try? folder.fullPath(of: path) else { return false }
    return place == (try? other.folder.fullPath(of: other.path))
  }

  /// Appends bytes, or does nothing after a failure.
  func append(_ bytes: ArraySlice<UInt8>) {
    error.withLock { error in
      guard error == nil else { return }
      do throws(FileError) { try folder.append(Array(bytes), to: path) } catch let failure {
        error = failure
      }
    }
  }
}
