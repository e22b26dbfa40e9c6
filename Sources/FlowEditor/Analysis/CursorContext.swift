internal import FlowSystem

/// The place of the cursor in the structure of a text, read from the lines around it.
///
/// It needs no readable file: an author is in the middle of a line.
struct CursorContext {
  /// A key and the text of its value, if that is on the key's line.
  struct Entry: Hashable {
    let key: String
    let text: String
  }

  /// A collection around the cursor.
  enum Level {
    /// The cursor is in the value of a key of this mapping.
    case key(String, siblings: [Entry])
    /// The cursor is in an item of this list. Lines from 0; the one before it is that of the item
    /// before it.
    case item(line: Int, before: Int?)
  }

  /// The collections around the cursor, from the outermost on.
  private(set) var levels: [Level] = []
  /// The entries of the mapping whose key may be at the cursor.
  private(set) var siblings: [Entry] = []
  /// True if a key can be at the cursor, and true if a value can be.
  private(set) var isKey = false
  private(set) var isValue = false
  /// True if an item of a list can be at the cursor, without its dash so far.
  private(set) var isItem = false
  /// The written start of the key or the value.
  private(set) var prefix = ""
  /// The quote before it, or nil.
  private(set) var quote: Character?
  /// True inside of braces or brackets.
  private(set) var isFlow = false
  /// True in the text of a block scalar.
  private(set) var isBlockText = false
  /// The column of the key or item at the cursor, from 0.
  private(set) var column = 0

  /// The place of the cursor, as YAML counts.
  private(set) var place = Position(line: 1, column: 1)

  private let lines: LineTable

  /// The farthest that an open bracket is looked for, in lines.
  private static let farthest = 400

  /// Reads the lines around an offset.
  init(_ lines: LineTable, at offset: Int) {
    self.lines = lines
    let place = lines.place(of: offset, .utf8)
    self.place = lines.position(of: offset)
    let line = lines.line(place.line)
    let before = line.prefix(place.character)
    readBlock(place.line, WrittenLine(before))
    readFlow(place, before)
  }

  // MARK: - Block style

  private mutating func readBlock(_ number: Int, _ line: WrittenLine) {
    var items = line.dashes.map { (line: number, column: $0) }
    column = line.contentColumn
    if let key = line.key {
      // The cursor is after the key's colon.
      let entries = entries(at: key.column, around: number)
      levels = [.key(key.name, siblings: entries)]
      (isValue, prefix, column) = (true, line.rest, key.column)
    } else {
      siblings = entries(at: column, around: number)
      (isKey, isValue, isItem) = (true, true, items.isEmpty)
      prefix = line.rest
    }
    takeQuote()
    var limit = column
    while let item = items.popLast() {
      levels.insert(.item(line: number, before: sibling(of: item, above: number)), at: 0)
      limit = item.column
    }
    climb(from: number, below: limit, isItem: !line.dashes.isEmpty)
  }

  private mutating func takeQuote() {
    guard let first = prefix.first, first == "\"" || first == "'" else { return }
    (quote, prefix) = (first, String(prefix.dropFirst()))
  }

  /// Adds the collections around a column, from the lines above.
  private mutating func climb(from number: Int, below column: Int, isItem: Bool) {
    var (limit, mayBeEqual) = (column, isItem)
    for above in stride(from: number - 1, through: 0, by: -1) where limit > 0 || mayBeEqual {
      if lines.isBlank(above) { continue }
      let indentation = lines.indentation(of: above)
      guard indentation < limit || (mayBeEqual && indentation == limit) else { continue }
      let line = WrittenLine(lines.line(above))
      // The item of a list may be below its key in the same column.
      if let key = line.key, key.column < limit || (mayBeEqual && key.column == limit) {
        enter(key.name, line, at: key.column, above)
        (limit, mayBeEqual) = (key.column, false)
      }
      for dash in line.dashes.reversed() where dash < limit {
        let before = sibling(of: (above, dash), above: above)
        levels.insert(.item(line: above, before: before), at: 0)
        (limit, mayBeEqual) = (dash, true)
      }
    }
  }

  private mutating func enter(_ key: String, _ line: WrittenLine, at column: Int, _ number: Int) {
    if line.startsBlock {
      // Lines below look like keys, and are text.
      levels = []
      (isKey, isItem, isValue, isBlockText) = (false, false, true, true)
      prefix = ""
    }
    levels.insert(.key(key, siblings: entries(at: column, around: number)), at: 0)
  }

  /// Returns the line of the item before an item of a list, or nil for the first one.
  private func sibling(of item: (line: Int, column: Int), above: Int) -> Int? {
    for number in stride(from: above - 1, through: 0, by: -1) where !lines.isBlank(number) {
      let indentation = lines.indentation(of: number)
      if indentation > item.column { continue }
      let line = WrittenLine(lines.line(number))
      return line.dashes.contains(item.column) ? number : nil
    }
    return nil
  }

  /// Returns the entries of a mapping with keys in a column around a line, in the order of lines.
  private func entries(at column: Int, around number: Int) -> [Entry] {
    var before: [Entry] = []
    for above in stride(from: number, through: 0, by: -1) where !lines.isBlank(above) {
      if above != number, lines.indentation(of: above) > column { continue }
      let line = WrittenLine(lines.line(above))
      // The line of the cursor itself may have no column yet.
      if above != number, line.start < column, line.key?.column != column { break }
      if let key = line.key, key.column == column {
        before.append(Entry(key: key.name, text: line.value.scalarText))
      }
      // The first line of an item has its dash.
      if !line.dashes.isEmpty, line.start < column { break }
    }
    var after: [Entry] = []
    for below in (number + 1)..<max(number + 1, lines.count) where !lines.isBlank(below) {
      if lines.indentation(of: below) > column { continue }
      let line = WrittenLine(lines.line(below))
      guard line.start == column, line.dashes.isEmpty, let key = line.key else { break }
      after.append(Entry(key: key.name, text: line.value.scalarText))
    }
    return before.reversed() + after
  }

  // MARK: - Flow style

  /// Reads the braces and brackets around the cursor.
  private mutating func readFlow(_ place: EditorPosition, _ before: ArraySlice<UInt8>) {
    if isBlockText { return }
    guard let start = flowStart(place, before) else { return }
    let number = start.line
    let rest = lines.line(number)
    let from = rest.startIndex + start.character
    var bytes = Array(rest[from...])
    if number < place.line {
      for line in (number + 1)..<place.line { bytes += [0x20] + lines.line(line) }
      bytes += [0x20] + before
    } else {
      bytes = Array(rest[from..<(rest.startIndex + place.character)])
    }
    let after = lines.line(place.line).dropFirst(place.character)
    guard let flow = FlowContext(bytes, after: Array(after)), !flow.levels.isEmpty else { return }
    if number < place.line {
      // The levels around the line with the bracket, not those of the cursor's own columns.
      let cursor = self.place
      self = CursorContext(lines, around: number, start.character)
      self.place = cursor
    }
    isFlow = true
    levels += flow.levels.dropLast().map(\.level)
    let last = flow.levels[flow.levels.count - 1]
    (siblings, isKey, isValue, isItem) = ([], false, false, false)
    if last.isList {
      levels.append(.item(line: place.line, before: nil))
      (isKey, isValue) = (true, true)
    } else if let key = last.key {
      levels.append(.key(key, siblings: last.entries))
      isValue = true
    } else {
      (siblings, isKey) = (last.entries, true)
    }
    (prefix, quote) = (flow.prefix, flow.quote)
  }

  /// The context of a bracket on a line.
  private init(_ lines: LineTable, around number: Int, _ character: Int) {
    self.lines = lines
    readBlock(number, WrittenLine(lines.line(number).prefix(character)))
  }

  /// Returns the place of the outermost bracket that is open at the cursor, or nil.
  private func flowStart(
    _ place: EditorPosition, _ before: ArraySlice<UInt8>
  ) -> EditorPosition? {
    let own = WrittenLine(before)
    if let first = own.value.first, first == "{" || first == "[" {
      return EditorPosition(line: place.line, character: own.valueColumn)
    }
    // A line of a block never closes a bracket of another one.
    for number in stride(from: place.line - 1, through: max(0, place.line - Self.farthest), by: -1)
    {
      if lines.isBlank(number) { continue }
      let line = WrittenLine(lines.line(number))
      guard let first = line.value.first, first == "{" || first == "[" else {
        // Of lines inside of brackets, none is a whole entry of a block.
        if line.key != nil, !line.value.hasSuffix(","), !line.value.isEmpty { return nil }
        continue
      }
      let text = Array(lines.line(number).dropFirst(line.valueColumn))
      let middle = ((number + 1)..<max(number + 1, place.line)).flatMap { lines.line($0) + [0x20] }
      let whole = text + [0x20] + middle + Array(before)
      let isOpen = FlowContext(whole, after: [])?.levels.isEmpty == false
      if !isOpen, line.value.hasSuffix(",") { continue }
      guard isOpen else { return nil }
      return EditorPosition(line: number, character: line.valueColumn)
    }
    return nil
  }
}

/// The braces and brackets that are open at the end of a text, with their entries.
struct FlowContext {
  struct OpenLevel {
    let isList: Bool
    var entries: [CursorContext.Entry] = []
    /// The key whose value is open, or nil.
    var key: String?

    var level: CursorContext.Level {
      isList ? .item(line: 0, before: nil) : .key(key ?? "", siblings: entries)
    }
  }

  private(set) var levels: [OpenLevel] = []
  /// The written start of the key or the value at the end.
  private(set) var prefix = ""
  private(set) var quote: Character?

  private var token: [UInt8] = []
  private var openQuote: UInt8?

  private static let largest = 1 << 16

  /// Reads a text from its first bracket on.
  ///
  /// The text after it has further entries of the open mappings. Nil for a long text.
  init?(_ bytes: [UInt8], after: [UInt8]) {
    guard bytes.count <= Self.largest else { return nil }
    var index = 0
    while index < bytes.count {
      take(bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : 0x20)
      index += 1
    }
    let text = String(decoding: token, as: UTF8.self)
    prefix = String(text.drop { $0 == " " })
    if let first = prefix.first, first == "\"" || first == "'" {
      quote = first
      prefix = String(prefix.dropFirst())
    }
    if !levels.isEmpty { takeEntries(in: after) }
  }

  private mutating func take(_ byte: UInt8, next: UInt8) {
    if let quote = openQuote {
      token.append(byte)
      if byte == quote { openQuote = nil }
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if token.allSatisfy({ $0 == 0x20 }) { openQuote = byte }
      token.append(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard token.allSatisfy({ $0 == 0x20 }) else { return token.append(byte) }
      levels.append(OpenLevel(isList: byte == UInt8(ascii: "[")))
      token = []
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      endValue()
      _ = levels.popLast()
    case UInt8(ascii: ","): endValue()
    case UInt8(ascii: ":") where next == 0x20 || token.last == UInt8(ascii: "\""):
      guard let last = levels.indices.last, !levels[last].isList, levels[last].key == nil else {
        return token.append(byte)
      }
      levels[last].key = text
      token = []
    default: token.append(byte)
    }
  }

  private var text: String {
    String(decoding: token.trimming { $0 == 0x20 }, as: UTF8.self).scalarText
  }

  private mutating func endValue() {
    defer { token = [] }
    guard let last = levels.indices.last, let key = levels[last].key else { return }
    levels[last].entries.append(.init(key: key, text: text))
    levels[last].key = nil
  }

  /// Adds the entries after the cursor to the mappings around it, each up to its end.
  private mutating func takeEntries(in bytes: [UInt8]) {
    let ends = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
    // The rest of the key or the value at the cursor is no entry of its own.
    guard let start = bytes.firstIndex(where: ends.contains) else { return }
    var rest = FlowContext(levels: levels.map { OpenLevel(isList: $0.isList) })
    // The number of levels around the cursor that have not ended.
    var open = levels.count
    for index in start..<bytes.count where !rest.levels.isEmpty {
      if rest.openQuote == nil, bytes[index] != ends[0], ends.contains(bytes[index]) {
        rest.endValue()
        if rest.levels.count <= open { keep(rest.levels.count - 1, of: rest) }
      }
      rest.take(bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : 0x20)
      open = min(open, rest.levels.count)
    }
    // A half-written line does not end them.
    rest.endValue()
    for level in 0..<open { keep(level, of: rest) }
  }

  private mutating func keep(_ level: Int, of rest: FlowContext) {
    levels[level].entries += rest.levels[level].entries
  }

  private init(levels: [OpenLevel]) { self.levels = levels }
}
