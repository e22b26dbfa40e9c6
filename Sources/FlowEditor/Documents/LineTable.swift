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
  /// The columns before each stretch of the text, so that a long line is not counted from its start.
  private let counts: [Columns]

  /// Columns from the start of the text.
  private struct Columns {
    /// In unicode scalars.
    var scalars = 0
    /// In code units of UTF-16.
    var units = 0

    /// Adds those of the character that a byte starts.
    mutating func add(_ byte: UInt8) {
      if byte & 0xC0 == 0x80 { return }
      scalars += 1
      units += byte >= 0xF0 ? 2 : 1
    }
  }

  /// The number of bytes of a stretch.
  private static let stretch = 256

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (starts, others) = ([0], [Int]())
    var (counts, columns) = ([Columns()], Columns())
    for index in bytes.indices {
      columns.add(bytes[index])
      if (index + 1) % Self.stretch == 0 { counts.append(columns) }
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
    (self.starts, self.counts) = (starts, counts)
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
    return offset(of: place.character, in: line.startIndex..<line.endIndex, \.units)
  }

  /// Returns true for a place inside of a character, such as between the halves of a pair.
  func splitsCharacter(_ place: EditorPosition, _ encoding: PositionEncoding) -> Bool {
    guard place.line < starts.count else { return false }
    let offset = offset(of: place, encoding)
    let found = self.place(of: offset, encoding).character
    return found > place.character
      || (found < place.character && offset < line(place.line).endIndex)
  }

  /// Returns the offset of a column from 0 in a line, at most its end.
  private func offset(of column: Int, in line: Range<Int>, _ unit: KeyPath<Columns, Int>) -> Int {
    var columns = columns(before: line.lowerBound)
    let wanted = columns[keyPath: unit] + max(0, column)
    // The last stretch in the line that starts at the column or before it.
    var (low, high) = (line.lowerBound / Self.stretch, line.upperBound / Self.stretch)
    while low < high {
      let middle = (low + high + 1) / 2
      if counts[middle][keyPath: unit] <= wanted { low = middle } else { high = middle - 1 }
    }
    var index = line.lowerBound
    if low * Self.stretch > index { (index, columns) = (low * Self.stretch, counts[low]) }
    while index < line.upperBound,
      columns[keyPath: unit] < wanted || bytes[index] & 0xC0 == 0x80
    {
      columns.add(bytes[index])
      index += 1
    }
    return index
  }

  /// The columns before an offset.
  private func columns(before offset: Int) -> Columns {
    var columns = counts[offset / Self.stretch]
    for byte in bytes[(offset / Self.stretch * Self.stretch)..<offset] { columns.add(byte) }
    return columns
  }

  /// Returns the place of an offset.
  func place(of offset: Int, _ encoding: PositionEncoding) -> EditorPosition {
    let number = Self.line(of: offset, in: starts)
    let (start, end) = (starts[number], min(max(offset, starts[number]), bytes.count))
    let character =
      encoding == .utf8 ? end - start : columns(before: end).units - columns(before: start).units
    return EditorPosition(line: number, character: character)
  }

  /// Returns the offset of a place in YAML.
  func offset(of place: Position) -> Int {
    let starts = yamlStarts ?? self.starts
    guard starts.indices.contains(place.line - 1) else { return bytes.count }
    var start = starts[place.line - 1]
    // A byte order mark takes no column.
    if place.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    var end = place.line < starts.count ? starts[place.line] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return offset(of: place.column - 1, in: start..<end, \.scalars)
  }

  /// Returns the place in YAML of an offset.
  func position(of offset: Int) -> Position {
    let starts = yamlStarts ?? self.starts
    let number = Self.line(of: offset, in: starts)
    var first = starts[number]
    if number == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { first = min(3, offset) }
    let end = min(max(offset, first), bytes.count)
    let column = columns(before: end).scalars - columns(before: first).scalars
    return Position(line: number + 1, column: column + 1)
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
}
