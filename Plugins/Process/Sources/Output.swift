import FlowCore
private import Synchronization

/// What a process has written to one of its streams: its beginning, and what is needed to find lines.
struct Output: Sendable {
  /// At most `limit` bytes.
  private(set) var kept: [UInt8] = []
  /// Whether more came than was kept.
  private(set) var isCut = false
  /// Whether nothing comes any more.
  private var hasEnded = false
  /// The line that has not ended yet; no more of it than `longestLine`.
  private var line: [UInt8] = []
  private let limit: Int
  /// What gets all of it.
  private let file: OutputCopy?

  private static let newline = UInt8(ascii: "\n")
  private static let longestLine = 64 << 10

  init(limit: Int, copy file: OutputCopy?) {
    self.limit = limit
    self.file = file
  }

  /// Why a part of it is not in its file.
  var failure: FileError? { file?.failure }

  /// Keeps what fits, and shows the searches the lines that end in these bytes.
  mutating func append(_ bytes: ArraySlice<UInt8>, _ searches: inout LineSearches) {
    file?.append(bytes)
    let room = limit - kept.count
    kept += bytes.prefix(room)
    if bytes.count > room { isCut = true }
    var rest = bytes
    // A flood that is not searched is not looked at line by line.
    if searches.isEmpty, let end = rest.lastIndex(of: Self.newline) {
      line.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    while let end = rest.firstIndex(of: Self.newline) {
      line += rest[..<end].prefix(Self.longestLine - line.count)
      searches.note(line[...])
      line.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    line += rest.prefix(Self.longestLine - line.count)
  }

  /// Shows the searches the last line when it has no end.
  mutating func finish(_ searches: inout LineSearches) {
    if !line.isEmpty { searches.note(line[...]) }
    line = []
    hasEnded = true
  }

  /// The first whole line among the bytes kept that contains a text.
  func line(containing text: String) -> String? {
    let text = Array(text.utf8)
    let end = hasEnded && !isCut ? kept.count : (kept.lastIndex(of: Self.newline) ?? -1) + 1
    let whole = kept[..<end]
    return whole.split(separator: Self.newline).first { $0.contains(text) }.map(Self.text)
  }

  /// The bytes kept as UTF-8, with U+FFFD for what is not; a text that was cut off ends with `…`.
  ///
  /// Before an ellipsis the beginning of a secret is hidden, too, as in messages.
  var text: String {
    guard isCut else { return Self.text(kept[...]) }
    return Self.text(kept[..<wholeScalars]) + "…"
  }

  /// The last three lines of the bytes kept, of bearable length.
  var lastLines: [String] {
    kept.suffix(1 << 10).split(separator: Self.newline).suffix(3).map { Self.text($0) }
  }

  static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The end of the last scalar that was not cut in two.
  private var wholeScalars: Int {
    guard let lead = kept.suffix(4).lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }) else {
      return kept.count
    }
    let length = max(1, (~kept[lead]).leadingZeroBitCount)
    return lead + length > kept.count ? lead : kept.count
  }
}

/// The texts that lines are searched for.
struct LineSearches: Sendable {
  private struct Search {
    let text: [UInt8]
    var line: String?
  }

  private var searches: [Int: Search] = [:]
  private var next = 0

  /// Whether nothing is searched for.
  var isEmpty: Bool { searches.isEmpty }

  /// Begins a search for a text, which may be over already; answers its number.
  mutating func add(_ text: String, found line: String?) -> Int {
    defer { next += 1 }
    searches[next] = Search(text: Array(text.utf8), line: line)
    return next
  }

  /// Compares a line with what is searched for.
  mutating func note(_ line: ArraySlice<UInt8>) {
    for (number, search) in searches where search.line == nil && line.contains(search.text) {
      searches[number]?.line = Output.text(line)
    }
  }

  /// The first line that contains the text of a search.
  func line(of search: Int) -> String? { searches[search]?.line }

  /// Ends a search.
  mutating func remove(_ search: Int) { searches[search] = nil }
}

/// A file that gets what a process writes.
final class OutputCopy: Sendable {
  private let path: String
  private let folder: Directory
  private let error = Mutex<FileError?>(nil)

  /// Empties the file, or makes it.
  ///
  /// - Throws: `FileError`.
  init(_ path: String, in folder: Directory) throws(FileError) {
    self.path = path
    self.folder = folder
    try folder.write([], to: path)
  }

  /// Why a part of the output is not in the file.
  var failure: FileError? { error.withLock { $0 } }

  /// Appends bytes; nothing any more after a failure.
  func append(_ bytes: ArraySlice<UInt8>) {
    error.withLock { error in
      guard error == nil else { return }
      do throws(FileError) { try folder.append(Array(bytes), to: path) } catch let failure {
        error = failure
      }
    }
  }
}
