internal import FlowSystem
internal import FlowYAML

/// A half-written text made readable: lines that break its grammar are blanked, so that every other
/// place stays as it is.
///
/// Names and types are taken from it, and problems of the part before the blanked lines.
struct RepairedText {
  /// The most repairs of a text.
  private static let most = 12
  /// The most bytes to parse for all repairs together, so that a long text does not take long.
  private static let budget = 8 << 20

  let bytes: [UInt8]
  /// The blanked lines, from 0, in order.
  let unread: [Int]
  /// The first line of which nothing is certain.
  private let end: Int
  /// The lines before it whose meaning depends on blanked ones.
  private var uncertain: Set<Int> = []

  /// Repairs a text, or returns nil if no repair helps.
  init?(_ text: [UInt8]) {
    var (repair, count) = (Repair(text, budget: Self.budget), 0)
    while let line = repair.problemLine {
      guard count < Self.most, repair.blank(around: line) else { return nil }
      count += 1
    }
    bytes = repair.bytes
    let (lines, repaired) = (LineTable(text), LineTable(bytes))
    unread = (0..<lines.count).filter { lines.line($0) != repaired.line($0) }
    var end = unread.first ?? lines.count
    for line in unread {
      let (around, section) = lines.mappings(around: line)
      uncertain.formUnion(around)
      // The steps may use what these would declare.
      guard ["components", "inputs"].contains(section) else { continue }
      let steps = (0..<end).first { lines.topKey($0).map(WrittenLine.stepKeys.contains) ?? false }
      end = steps ?? end
    }
    self.end = end
  }

  /// Returns true if the problems on a line are those of the text itself.
  func isCertain(_ line: Int) -> Bool { line < end && !uncertain.contains(line) }
}

extension LineTable {
  /// The key of a line in the first column, or nil.
  fileprivate func topKey(_ number: Int) -> String? {
    WrittenLine(line(number)).key.flatMap { $0.column == 0 ? $0.name : nil }
  }

  /// Returns the lines of the keys beside a line and of the collections around it, and the key of
  /// the first column among them.
  fileprivate func mappings(around number: Int) -> (lines: Set<Int>, section: String?) {
    let own = WrittenLine(line(number))
    var (found, section) = (Set<Int>(), own.start == 0 ? own.key?.name : nil)
    var (limit, isItem, isBeside) = (own.start, !own.dashes.isEmpty, true)
    // Of a line with tabs the columns are not known.
    if line(number).first(where: { $0 != 0x20 }) == 0x09,
      let near = (0..<number).last(where: { !isBlank($0) })
    {
      (limit, isItem, section) = (WrittenLine(line(near)).contentColumn, false, nil)
    }
    for above in stride(from: number - 1, through: 0, by: -1) where !isBlank(above) {
      let line = WrittenLine(line(above))
      // The items of a list may be below its key in the same column.
      if line.start < limit || (isItem && line.start == limit && line.dashes.isEmpty) {
        found.insert(above)
        (limit, isItem, isBeside) = (line.start, !line.dashes.isEmpty, false)
        if limit == 0, !isItem {
          section = line.key?.name
          break
        }
      } else if isBeside, !isItem, line.start == limit {
        found.insert(above)
      }
    }
    return (found, section)
  }
}

/// A repair in progress.
private struct Repair {
  private(set) var bytes: [UInt8]
  /// The line of the first problem, from 0, or nil without one.
  private(set) var problemLine: Int?
  private var budget: Int
  private var lines: LineTable { LineTable(bytes) }

  init(_ bytes: [UInt8], budget: Int) {
    (self.bytes, self.budget) = (bytes, budget)
    problemLine = Self.problemLine(of: bytes)
  }

  private static func problemLine(of bytes: [UInt8]) -> Int? {
    do throws(YAMLError) {
      _ = try Node(parsing: bytes)
      return nil
    } catch {
      return (error.mark?.line ?? 1) - 1
    }
  }

  /// Blanks the stretch near a line that moves the first problem farthest.
  ///
  /// Returns false if none does.
  mutating func blank(around line: Int) -> Bool {
    let table = lines
    var best: (bytes: [UInt8], problem: Int?)?
    for range in candidates(around: line, table) where budget > 0 {
      let blanked = blanked(range, table)
      if blanked == bytes { continue }
      budget -= bytes.count
      guard let next = Self.problemLine(of: blanked) else {
        (bytes, problemLine) = (blanked, nil)
        return true
      }
      if next > best?.problem ?? line { best = (blanked, next) }
    }
    guard let best else { return false }
    (bytes, problemLine) = best
    return true
  }

  /// Returns ranges of lines, the smallest first: the line itself, the one before it, the items of
  /// lists around both, and the rest of the text.
  private func candidates(around line: Int, _ table: LineTable) -> [Range<Int>] {
    let last = min(line, table.count - 1)
    let before = (0..<last).last { !table.isBlank($0) } ?? last
    var ranges = [last..<(last + 1), before..<(before + 1)]
    // An open quote or bracket is noticed far below it.
    ranges += openings(before: last, table).map { $0..<($0 + 1) }
    for start in [before, last] {
      if let item = item(around: start, table) { ranges.append(item) }
    }
    return ranges + [before..<table.count]
  }

  /// Returns the nearest lines before a line with an odd number of quotes or an open bracket.
  private func openings(before line: Int, _ table: LineTable) -> [Int] {
    let near = (max(0, line - 200)..<line).reversed()
    return Array(near.filter { isOpen(table.line($0)) }.prefix(2))
  }

  private func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
    let count = { (character: Unicode.Scalar) in line.count { $0 == UInt8(ascii: character) } }
    return count("\"") % 2 == 1 || count("'") % 2 == 1 || count("{") > count("}")
      || count("[") > count("]")
  }

  /// Returns the lines of the innermost item of a list around a line, or nil outside of items.
  private func item(around line: Int, _ table: LineTable) -> Range<Int>? {
    let own = table.indentation(of: line)
    let start = (0...line).last { number in
      let content = table.line(number).drop { $0 == 0x20 }
      return content.first == UInt8(ascii: "-")
        && (number == line || table.indentation(of: number) < own)
    }
    guard let start else { return nil }
    let column = table.indentation(of: start)
    let end = ((start + 1)..<table.count).first {
      !table.isBlank($0) && table.indentation(of: $0) <= column
    }
    return start..<(end ?? table.count)
  }

  private func blanked(_ range: Range<Int>, _ table: LineTable) -> [UInt8] {
    var copy = bytes
    for number in range {
      let line = table.line(number)
      for index in line.indices { copy[index] = UInt8(ascii: " ") }
    }
    return copy
  }
}

extension LineTable {
  func isBlank(_ number: Int) -> Bool {
    let content = line(number).drop { $0 == 0x20 || $0 == 0x09 }
    return content.isEmpty || content.first == UInt8(ascii: "#")
  }

  /// The number of blanks at the start of a line.
  func indentation(of number: Int) -> Int { line(number).prefix { $0 == 0x20 }.count }
}
