/// The differences between two texts, line by line, in the unified format (GNU diff, "Unified
/// Format").
package struct LineDifference {
  /// The number of equal lines shown around a difference.
  private static let context = 2
  /// The most lines compared one by one.
  ///
  /// Longer parts count as changed as a whole.
  private static let longest = 400
  /// The longest shown part of a line, in characters.
  private static let longestLine = 200

  private enum Line {
    case same(String)
    case removed(String)
    case added(String)

    var isSame: Bool {
      if case .same = self { return true }
      return false
    }

    /// The line with its sign, on one line and of bounded length.
    var shown: Line {
      let cut = { (text: String) in Ellipsis.shortened(text, to: longestLine).onOneLine }
      return switch self {
      case .same(let text): .same("  " + cut(text))
      case .removed(let text): .removed("- " + cut(text))
      case .added(let text): .added("+ " + cut(text))
      }
    }

    var text: String {
      switch self {
      case .same(let text), .removed(let text), .added(let text): text
      }
    }
  }

  private var lines: [Line] = []

  /// The difference from one text to another, by their lines.
  package init(from old: String, to new: String) {
    var lines = [Self.lines(of: old), Self.lines(of: new)]
    // Both end a line, so nothing is behind it.
    if lines.allSatisfy({ $0.last == "" }) {
      for index in lines.indices { lines[index].removeLast() }
    }
    self.init(from: lines[0], to: lines[1])
  }

  /// The lines of a text, with an empty one after a last newline.
  package static func lines(of text: String) -> [String] {
    // Not by characters, of which `\r\n` is one.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The difference from one text to another.
  package init(from old: [String], to new: [String]) {
    // Not by `==`, for which two forms of an accented letter are the same.
    let alignment = Alignment(from: old, to: new, longest: Self.longest) { $0.isIdentical(to: $1) }
    var next = 0
    for (line, place) in zip(old, alignment.places) {
      guard let place else {
        lines.append(.removed(line))
        continue
      }
      lines += new[next..<place].map(Line.added)
      lines.append(.same(line))
      next = place + 1
    }
    lines += new[next...].map(Line.added)
  }

  /// Returns the changed lines and their surroundings.
  ///
  /// `...` replaces lines left out.
  ///
  /// - Parameter limit: The most lines.
  /// - Returns: Lines that start with two blanks, `- ` or `+ `.
  package func text(limit: Int) -> [String] {
    let lines = shownLines
    let changed = lines.indices.filter { !lines[$0].isSame }
    var shown: [String] = []
    var last = -1
    var near = changed[...]
    for index in lines.indices {
      while let first = near.first, first + Self.context < index { near.removeFirst() }
      guard let first = near.first, first - Self.context <= index else { continue }
      if index > last + 1 { shown.append("...") }
      last = index
      shown.append(lines[index].text)
    }
    if shown.count <= limit { return shown }
    return shown.prefix(limit) + [
      "... and \(shown.count - limit) more \(shown.count - limit == 1 ? "line" : "lines")"
    ]
  }
  /// The lines as they are shown: a changed one beside the line in whose place it is.
  private var shownLines: [Line] {
    var shown = lines.map(\.shown)
    var start = 0
    while start < lines.count {
      let removed = lines[start...].prefix { if case .removed = $0 { true } else { false } }
      let added = lines[removed.endIndex...].prefix { if case .added = $0 { true } else { false } }
      for (old, new) in pairs(removed.indices, added.indices) {
        let texts = Self.pair(lines[old].text, lines[new].text)
        (shown[old], shown[new]) = (.removed("- " + texts[0]), .added("+ " + texts[1]))
      }
      start = max(added.endIndex, start + 1)
    }
    return shown
  }

  /// Returns removed lines and the lines in their places: first those that look alike.
  private func pairs(_ removed: Range<Int>, _ added: Range<Int>) -> [(Int, Int)] {
    guard removed.count * added.count <= Self.longest else { return Array(zip(removed, added)) }
    var (found, rest): ([(Int, Int)], [Int]) = ([], Array(added))
    var others: [Int] = []
    for old in removed {
      let place = rest.firstIndex {
        LookAlike.isSame(lines[old].text.unicodeScalars, lines[$0].text.unicodeScalars)
      }
      if let place { found.append((old, rest.remove(at: place))) } else { others.append(old) }
    }
    return found + zip(others, rest)
  }

  /// Returns two lines that differ, so that the difference can be seen.
  private static func pair(_ old: String, _ new: String) -> [String] {
    let difference = TextDifference(old, new)
    let texts = difference.plain(limit: longestLine)
    // Blanks at the end, and escapes that are written in one of them.
    let isUnclear = texts[0] == texts[1] || old.hasBlankEnd || new.hasBlankEnd
    return isUnclear ? difference.quoted(limit: longestLine) : texts
  }
}

extension String {
  /// True if the last character is a blank or a tab.
  fileprivate var hasBlankEnd: Bool { utf8.last == 0x20 || utf8.last == 0x09 }
}

/// Describes the difference of two unreadable byte strings.
package enum BytesText {
  /// The first bytes of some kinds of files, by their specifications.
  private static let kinds: [(start: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
    ([0x47, 0x49, 0x46, 0x38], "GIF"),
    ([0x52, 0x49, 0x46, 0x46], "RIFF"), ([0x25, 0x50, 0x44, 0x46], "PDF"),
    ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0x1F, 0x8B], "gzip"),
  ]

  /// `recorded 729 bytes of PNG, now 731 bytes of PNG, first different at byte 16`, counted from 0.
  package static func difference(_ recorded: [UInt8], _ now: [UInt8]) -> String {
    let offset = zip(recorded, now).prefix { $0 == $1 }.count
    return "recorded \(size(recorded)), now \(size(now)), first different at byte \(offset)"
  }

  private static func size(_ bytes: [UInt8]) -> String {
    "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") of \(kind(bytes))"
  }

  private static func kind(_ bytes: [UInt8]) -> String {
    if let kind = kinds.first(where: { bytes.starts(with: $0.start) }) { return kind.name }
    let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
    return isText ? "text" : "data"
  }
}

extension JSON {
  /// The value with a line for each member and element.
  package var prettyLines: [String] {
    var lines: [String] = []
    append(to: &lines, indent: "", before: "", after: "")
    return lines
  }

  private func append(
    to lines: inout [String], indent: String, before: String, after: String
  ) {
    switch self {
    case .object(let members) where !members.isEmpty:
      lines.append(indent + before + "{")
      for (index, member) in members.enumerated() {
        member.value.append(
          to: &lines, indent: indent + "  ", before: Self.string(member.name).text + ": ",
          after: index + 1 < members.count ? "," : "")
      }
      lines.append(indent + "}" + after)
    case .array(let elements) where !elements.isEmpty:
      lines.append(indent + before + "[")
      for (index, element) in elements.enumerated() {
        element.append(
          to: &lines, indent: indent + "  ", before: "",
          after: index + 1 < elements.count ? "," : "")
      }
      lines.append(indent + "]" + after)
    default: lines.append(indent + before + text + after)
    }
  }
}
