internal import FlowSystem

/// The unit of columns, as client and server agree.
enum PositionEncoding: String {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A place as the protocol counts: line and column from 0.
struct EditorPosition: Hashable, Comparable {
  let line: Int
  let character: Int

  static func < (left: EditorPosition, right: EditorPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// The lines of a text, as the protocol counts them and as YAML does.
///
/// Both end lines at LF, CR and CRLF. YAML ends them at U+0085, U+2028 and U+2029, too. Columns of
/// the protocol are code units of an encoding, those of YAML unicode scalars.
struct LineTable: Sendable {
  private let bytes: [UInt8]
  /// The offset of each line's first byte, as the protocol counts lines.
  private let starts: [Int]
  /// The same as YAML counts, or nil if it counts the same lines.
  private let yamlStarts: [Int]?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (starts, others) = ([0], [Int]())
    for index in bytes.indices {
      switch bytes[index] {
      case 0x0A: starts.append(index + 1)
      case 0x0D where index + 1 == bytes.count || bytes[index + 1] != 0x0A:
        starts.append(index + 1)
      case 0x85 where index > 0 && bytes[index - 1] == 0xC2: others.append(index + 1)
      case 0xA8 where Self.isSeparator(bytes, index), 0xA9 where Self.isSeparator(bytes, index):
        others.append(index + 1)
      default: break
      }
    }
    self.starts = starts
    yamlStarts = others.isEmpty ? nil : (starts + others).sorted()
  }

  private static func isSeparator(_ bytes: [UInt8], _ index: Int) -> Bool {
    index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2
  }

  /// The number of lines, at least 1.
  var count: Int { starts.count }

  /// The bytes of a line from 0 without its end, empty beyond the last.
  func line(_ number: Int) -> ArraySlice<UInt8> {
    guard starts.indices.contains(number) else { return [] }
    let end = number + 1 < starts.count ? starts[number + 1] : bytes.count
    var line = bytes[starts[number]..<end]
    while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
    return line
  }

  func text(ofLine number: Int) -> String { String(decoding: line(number), as: UTF8.self) }

  // MARK: - Between places and offsets

  /// Returns the offset of a place in bytes, at most the end of its line.
  func offset(of place: EditorPosition, _ encoding: PositionEncoding) -> Int {
    guard place.line < starts.count else { return bytes.count }
    guard place.line >= 0 else { return 0 }
    let line = line(place.line)
    if encoding == .utf8 {
      var index = min(line.startIndex + max(0, place.character), line.endIndex)
      // A place inside of a character is its start.
      while index > line.startIndex, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
      return index
    }
    var (index, units) = (line.startIndex, 0)
    while index < line.endIndex, units < place.character {
      let length = Self.length(bytes[index])
      units += length == 4 ? 2 : 1
      index = min(index + length, line.endIndex)
    }
    return index
  }

  /// Returns the place of an offset.
  func place(of offset: Int, _ encoding: PositionEncoding) -> EditorPosition {
    let number = Self.line(of: offset, in: starts)
    let before = bytes[starts[number]..<min(max(offset, starts[number]), bytes.count)]
    let character =
      encoding == .utf8
      ? before.count
      : before.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    return EditorPosition(line: number, character: character)
  }

  /// Returns the offset of a place in YAML.
  func offset(of place: Position) -> Int {
    let starts = yamlStarts ?? self.starts
    guard starts.indices.contains(place.line - 1) else { return bytes.count }
    let end = place.line < starts.count ? starts[place.line] : bytes.count
    var index = starts[place.line - 1]
    // A byte order mark takes no column.
    if place.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    var column = 1
    while index < end, column < place.column, bytes[index] != 0x0A, bytes[index] != 0x0D {
      index = min(index + Self.length(bytes[index]), end)
      column += 1
    }
    return index
  }

  /// Returns the place in YAML of an offset.
  func position(of offset: Int) -> Position {
    let starts = yamlStarts ?? self.starts
    let number = Self.line(of: offset, in: starts)
    var first = starts[number]
    if number == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { first = min(3, offset) }
    let before = bytes[first..<min(max(offset, first), bytes.count)]
    return Position(line: number + 1, column: before.count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// The last line that starts at an offset or before it.
  private static func line(of offset: Int, in starts: [Int]) -> Int {
    var (low, high) = (0, starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The number of bytes of the character that starts with a byte.
  private static func length(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 1
    }
  }
}
