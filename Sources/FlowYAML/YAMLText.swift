internal import FlowSystem

/// Writes a tree as YAML that people read: short collections on one line, long ones in blocks.
package struct YAMLText {
  package indirect enum Node {
    /// A number, a word or a whole collection, as it is written.
    case raw(String)
    case text(String)
    case list([Node])
    case map([(key: String, value: Node)])
    /// A mapping with separate lines for its entries.
    case block([(key: String, value: Node)])
    /// A list with separate lines for its elements, and comments before them.
    case lines([(comments: [String], element: Node)])
  }

  private static let widest = 100
  package private(set) var text = ""

  package init() {}

  /// Writes the entries of a mapping, each in separate lines.
  package mutating func map(
    _ entries: [(key: String, value: Node)], indent: Int = 0, first: String? = nil
  ) {
    for (index, entry) in entries.enumerated() {
      let margin = index == 0 ? first ?? Self.blanks(indent) : Self.blanks(indent)
      value(entry.value, after: margin + Self.scalar(entry.key) + ":", indent: indent)
    }
  }

  /// Writes comments at the end.
  package mutating func comments(_ comments: [String]) {
    for comment in comments { text += "# \(comment.onOneLine)\n" }
  }

  private mutating func value(_ node: Node, after head: String, indent: Int) {
    if let line = Self.line(node), Self.fits(head + " " + line, node) {
      text += head + " " + line + "\n"
      return
    }
    switch node {
    case .text(let value):
      text += head + " " + (Self.block(value, indent + 2) ?? Self.scalar(value))
      text += "\n"
    case .list(let elements): list(elements, after: head, indent: indent + 2)
    case .map(let entries), .block(let entries):
      text += head + "\n"
      map(entries, indent: indent + 2)
    case .lines(let elements): lines(elements, after: head, indent: indent + 2)
    case .raw(let raw): text += head + " " + raw + "\n"
    }
  }

  private mutating func list(_ elements: [Node], after head: String, indent: Int) {
    text += head + "\n"
    for element in elements { self.element(element, indent: indent) }
  }

  private mutating func element(_ node: Node, indent: Int) {
    let head = Self.blanks(indent) + "-"
    if let entries = entries(node, after: head), !entries.isEmpty {
      map(entries, indent: indent + 2, first: head + " ")
    } else {
      value(node, after: head, indent: indent)
    }
  }

  /// Returns the entries of a mapping too long for one line.
  private func entries(_ node: Node, after head: String) -> [(key: String, value: Node)]? {
    switch node {
    case .block(let entries): return entries
    case .map(let entries):
      let isShort = Self.line(node).map { Self.fits(head + " " + $0, node) } ?? false
      return isShort ? nil : entries
    default: return nil
    }
  }

  private mutating func lines(
    _ elements: [(comments: [String], element: Node)], after head: String, indent: Int
  ) {
    text += head + "\n"
    for (comments, element) in elements {
      for comment in comments { text += Self.blanks(indent) + "# \(comment.onOneLine)\n" }
      self.element(element, indent: indent)
    }
  }

  // MARK: - On one line

  /// Returns a node on one line of any length, with texts of several lines between quotes.
  package static func oneLine(_ node: Node) -> String {
    switch node {
    case .raw(let text): text
    case .text(let text): scalar(text)
    case .list(let elements): "[" + elements.map(oneLine).joined(separator: ", ") + "]"
    case .map(let entries), .block(let entries):
      "{" + entries.map { scalar($0.key) + ": " + oneLine($0.value) }.joined(separator: ", ") + "}"
    case .lines(let elements): oneLine(.list(elements.map(\.element)))
    }
  }

  /// Returns a node as JSON on one line.
  ///
  /// - Precondition: What is written raw is a number, a truth value or null of JSON.
  package static func json(_ node: Node) -> String {
    switch node {
    case .raw(let text): text
    case .text(let text): JSON.string(text).text
    case .list(let elements): "[" + elements.map(json).joined(separator: ", ") + "]"
    case .map(let entries), .block(let entries):
      "{"
        + entries.map { JSON.string($0.key).text + ": " + json($0.value) }
        .joined(separator: ", ") + "}"
    case .lines(let elements): json(.list(elements.map(\.element)))
    }
  }

  /// Returns true if a line is short enough, or cannot be made shorter.
  private static func fits(_ line: String, _ node: Node) -> Bool {
    switch node {
    case .raw: true
    case .text(let text): !text.contains("\n") || block(text, 0) == nil
    case .list(let elements) where elements.isEmpty: true
    case .map(let entries) where entries.isEmpty: true
    case .list, .map, .block, .lines: line.utf8.count <= widest
    }
  }

  /// Returns a node on one line, possibly inside of a collection.
  ///
  /// Nil for a node that needs separate lines.
  private static func line(_ node: Node, isInside: Bool = false) -> String? {
    switch node {
    case .raw(let text): return text
    case .text(let value):
      let template = value
      if isInside, block(template, 0) != nil { return nil }
      return isInside ? scalar(template) : plain(template) ?? scalar(template)
    case .block, .lines: return nil
    case .list(let elements):
      let lines = elements.compactMap { line($0, isInside: true) }
      return lines.count == elements.count ? "[" + lines.joined(separator: ", ") + "]" : nil
    case .map(let entries):
      let lines = entries.compactMap { entry in
        line(entry.value, isInside: true).map { scalar(entry.key) + ": " + $0 }
      }
      return lines.count == entries.count ? "{" + lines.joined(separator: ", ") + "}" : nil
    }
  }

  /// Returns an expression alone in a line without quotes.
  ///
  /// Nil if it would look like a mapping or a comment.
  private static func plain(_ text: String) -> String? {
    guard text.hasPrefix("${{ "), text.hasSuffix("}}"), !text.contains(": "), !text.contains(" #"),
      text.unicodeScalars.allSatisfy({ !$0.breaksText })
    else { return nil }
    return text
  }

  /// Returns a text between quotes, or without them if the meaning stays the same.
  private static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x2D, first != 0x3A,
      last != 0x3A, last != 0x20, first.isLetter || first == 0x2F || first == 0x5F
    else { return false }
    let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    return !words.contains(text.lowercased()) && hasPlainSigns(text)
      && text.utf8.allSatisfy { $0.isWordCharacter || "/.-:=?&%+ ;()".utf8.contains($0) }
  }

  /// Returns true if YAML reads all colons and blanks as text, also between braces.
  private static func hasPlainSigns(_ text: String) -> Bool {
    var previous = UInt8(ascii: "a")
    for byte in text.utf8 {
      let isWord = byte.isLetter || byte.isDigit
      let isStart = previous == UInt8(ascii: ":") || previous == UInt8(ascii: " ")
      if isStart, !isWord, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "(") { return false }
      previous = byte
    }
    return true
  }

  private static func quoted(_ text: String) -> String {
    let text = text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: isWritten(scalar) ? nil : escape(scalar)
      }
    }
    return "\"\(text)\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let (mark, count) =
      scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\" + mark + scalar.hexadecimalDigits(count)
  }

  /// Returns true if YAML accepts a character unescaped (YAML 1.2, section 5.1) and readers see it.
  private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.breaksText && scalar.value != 0xFEFF && scalar.value & 0xFFFE != 0xFFFE
      && !scalar.properties.isDefaultIgnorableCodePoint
  }

  // MARK: - Lines of their own

  /// Returns a text of several lines as a block.
  ///
  /// Nil for text that needs no block, or cannot be in one.
  private static func block(_ text: String, _ indent: Int) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, let first = lines[0].unicodeScalars.first, first != " ", first != "\t",
      text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isWritten($0) })
    else { return nil }
    var (content, sign) = (lines[...], "|-")
    if text.hasSuffix("\n") {
      sign = text.hasSuffix("\n\n") ? "|+" : "|"
      content = content.dropLast()
    }
    let margin = blanks(indent)
    return sign + "\n" + content.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
