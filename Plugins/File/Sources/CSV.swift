import FlowCore

/// Rows of strings with named columns, as comma-separated values (RFC 4180).
struct CSV: Sendable, Hashable {
  let names: [String]
  /// The fields of each row, as many as there are names.
  let rows: [[String]]
  /// The starts of the names and the end of the last one, empty for a table that was not parsed.
  private(set) var places: [CSVPlace] = []
  /// The first line of each row, empty for a table that was not parsed.
  private(set) var lines: [Int] = []

  /// The end of the row with the names.
  var end: CSVPlace { places.last ?? CSVPlace(line: 1, column: 1) }
}

/// The character between two fields.
struct CSVSeparator: Sendable, Hashable {
  let byte: UInt8

  static let comma = CSVSeparator(byte: UInt8(ascii: ","))
  private static let others = [";", "\t", "|", ":", " "]

  private init(byte: UInt8) { self.byte = byte }

  /// Creates a given separator.
  ///
  /// - Throws: `.unfit` for a text that cannot separate fields.
  init(_ text: String) throws(FileProblem) {
    guard ([Self.comma.text] + Self.others).contains(text), let byte = text.utf8.first else {
      throw .unfit("'separator' must be one of , ; | : and a tab or blank, not '\(text)'")
    }
    self.byte = byte
  }

  var text: String { String(decoding: [byte], as: UTF8.self) }

  /// The separator that a single name shows to be the file's, or nil.
  ///
  /// A colon and a blank are common in names.
  static func likely(in name: String) -> CSVSeparator? {
    others.prefix(3).first { name.contains($0) }.flatMap { try? CSVSeparator($0) }
  }
}

/// A place in a text: its line, and its column in unicode scalars, from 1.
struct CSVPlace: Sendable, Hashable {
  let line: Int
  let column: Int
}

/// An error in a table.
enum CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A misplaced quotation mark in a line.
  case quotation(line: Int)
  /// A quoted field without an end, starting in a line.
  case unended(line: Int)
  /// A row, starting in a line, whose number of fields differs from the number of names.
  case count(line: Int, fields: Int, names: Int)
  /// A name used for two columns.
  case twice(String)
  /// A value to write that is not a list of maps with the same keys.
  case shape
  /// A cancelled task, such as by the time limit of a step.
  case cancelled

  var description: String {
    switch self {
    case .quotation(let line): "line \(line): a quotation mark inside of a field"
    case .unended(let line): "line \(line): the quoted field has no end"
    case .count(let line, let fields, let names):
      "line \(line): \(fields) field\(fields == 1 ? "" : "s"), and the first row has \(names)"
    case .twice(let name): "two columns have the name '\(name)'"
    case .cancelled: "cancelled"
    case .shape: "CSV data must be a list of maps with the same keys, without lists or maps inside"
    }
  }
}

// MARK: - Reading

extension CSV {
  /// Parses a text with the names in its first row.
  ///
  /// An empty text has none.
  ///
  /// A byte order mark is skipped. An empty last line is not a row, unless the rows have a single
  /// column.
  init(
    reading text: String, separator: CSVSeparator = .comma
  ) throws(CSVError) {
    var reader = CSVReader(text, separator)
    var places: [CSVPlace] = []
    let names = try reader.row(&places) ?? []
    var known: Set<String> = []
    if let name = names.first(where: { !known.insert($0).inserted }) { throw .twice(name) }
    var (rows, lines): ([[String]], [Int]) = ([], [])
    while names.count == 1 || !reader.isAtEmptyLastLine {
      let line = reader.line
      guard let row = try reader.row() else { break }
      if rows.count.isMultiple(of: Self.stretch), Task.isCancelled { throw .cancelled }
      guard row.count == names.count else {
        throw .count(line: line, fields: row.count, names: names.count)
      }
      rows.append(row)
      lines.append(line)
    }
    self.names = names
    self.rows = rows
    (self.places, self.lines) = (places, lines)
  }

  /// The number of rows or fields read between two checks for cancellation.
  fileprivate static let stretch = 1_024

  /// A list of maps of strings.
  var value: Value {
    .list(
      rows.map { row in .map(ValueMap(zip(names, row).map { ($0, .string($1)) })) })
  }
}

private struct CSVReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The line at the position, from 1.
  private(set) var line = 1
  /// The start of the current line.
  private var lineStart = 0

  private let separator: UInt8

  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(_ text: String, _ separator: CSVSeparator) {
    self.separator = separator.byte
    let mark = "\u{FEFF}".utf8
    bytes = Array(text.utf8.dropFirst(text.utf8.starts(with: mark) ? mark.count : 0))
  }

  /// True if only the end of a line is left.
  var isAtEmptyLastLine: Bool {
    let rest = bytes[position...]
    return rest.elementsEqual("\n".utf8) || rest.elementsEqual("\r\n".utf8)
  }

  /// Reads the next row, or returns nil at the end.
  mutating func row() throws(CSVError) -> [String]? {
    guard position < bytes.count else { return nil }
    var fields = [try field()]
    while take(separator) {
      if fields.count.isMultiple(of: CSV.stretch), Task.isCancelled { throw .cancelled }
      fields.append(try field())
    }
    endRow()
    return fields
  }

  /// Reads the next row, with the places where its fields start and the row ends.
  mutating func row(_ places: inout [CSVPlace]) throws(CSVError) -> [String]? {
    guard position < bytes.count else { return nil }
    var fields: [String] = []
    var known = (place: CSVPlace(line: line, column: 1), position: position)
    repeat {
      if fields.count.isMultiple(of: CSV.stretch), Task.isCancelled { throw .cancelled }
      known = (place(after: known.place, at: known.position), position)
      places.append(known.place)
      fields.append(try field())
    } while take(separator)
    places.append(place(after: known.place, at: known.position))
    endRow()
    return fields
  }

  /// Returns the current place, counted from an earlier one, since a row may have any number of
  /// fields.
  private func place(after earlier: CSVPlace, at start: Int) -> CSVPlace {
    let isSameLine = earlier.line == line
    let passed = bytes[(isSameLine ? start : lineStart)..<position]
    let scalars = passed.count { $0 & 0b1100_0000 != 0b1000_0000 }
    return CSVPlace(line: line, column: (isSameLine ? earlier.column : 1) + scalars)
  }

  private mutating func endRow() {
    _ = take(Self.carriageReturn)
    if take(Self.newline) { countLine() }
  }

  private mutating func countLine() {
    line += 1
    lineStart = position
  }

  private mutating func field() throws(CSVError) -> String {
    if take(Self.quote) { return try quoted() }
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) {
      if bytes[position] == Self.quote { throw .quotation(line: line) }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted() throws(CSVError) -> String {
    let start = line
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.newline { countLine() }
      if byte == Self.quote, !take(Self.quote) {
        guard position == bytes.count || isEnd(bytes[position]) else {
          throw .quotation(line: line)
        }
        return String(decoding: content, as: UTF8.self)
      }
      content.append(byte)
    }
    throw .unended(line: start)
  }

  /// Returns true if an unquoted field ends here.
  ///
  /// A carriage return counts only before a line feed.
  private func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == Self.newline
      || (byte == Self.carriageReturn
        && (position + 1 == bytes.count || bytes[position + 1] == Self.newline))
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}

// MARK: - Writing

extension CSV {
  /// Creates a table from a list of maps or records with the same keys, in the order of the first
  /// one's.
  init(_ value: Value) throws(CSVError) {
    guard case .list(let values) = value else { throw .shape }
    var names: [String] = []
    var rows: [[String]] = []
    for (index, value) in values.enumerated() {
      let entries = try Self.entries(of: value)
      if index == 0 { names = entries.map(\.0) }
      let texts = Dictionary(entries) { first, _ in first }
      let row = names.compactMap { texts[$0] }
      guard row.count == names.count, entries.count == names.count else { throw .shape }
      rows.append(row)
    }
    self.names = names
    self.rows = rows
  }

  private static func entries(of value: Value) throws(CSVError) -> [(String, String)] {
    var entries: [(String, String)] = []
    switch value {
    case .map(let map):
      for entry in map.entries { entries.append((entry.key.interpolated, try text(entry.value))) }
    case .record(let record):
      for (field, value) in zip(record.type.fields, record.values) {
        entries.append((field.name, try text(value)))
      }
    default: throw .shape
    }
    return entries
  }

  private static func text(_ value: Value) throws(CSVError) -> String {
    switch value {
    case .null: ""
    case .list, .map, .record: throw .shape
    default: value.interpolated
    }
  }

  /// Returns the names and the rows as text, each ended as in the standard.
  func text(_ separator: CSVSeparator = .comma) -> String {
    guard !names.isEmpty else { return "" }
    return ([names] + rows).map { row in
      row.map { Self.field($0, separator) }.joined(separator: separator.text) + "\r\n"
    }.joined()
  }

  private static func field(_ text: String, _ separator: CSVSeparator) -> String {
    let isSpecial = text.utf8.contains { $0 == separator.byte || "\"\r\n".utf8.contains($0) }
    return isSpecial ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
