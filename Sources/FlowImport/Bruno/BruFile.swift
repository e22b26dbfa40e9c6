internal import FlowSystem

/// A file of Bruno's own language: named blocks of pairs, of text or of names.
struct BruFile {
  struct Pair {
    let name: String
    let value: String
    let isDisabled: Bool
    let line: Int
  }

  struct Block {
    let name: String
    let pairs: [Pair]
    /// The text, without its indentation.
    let text: String
    /// The line of the first line of its content.
    let line: Int
  }

  private(set) var blocks: [Block] = []

  /// The blocks with text instead of pairs.
  private static func isText(_ name: String) -> Bool {
    let forms = ["body:form-urlencoded", "body:multipart-form", "body:file"]
    return name == "body" || name == "tests" || name == "docs" || name.hasPrefix("script:")
      || name.hasPrefix("body:") && !forms.contains(name)
  }

  /// - Throws: `ImportError` for a line outside of all blocks, and for a block without an end.
  init(_ text: String) throws(ImportError) {
    let lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var index = 0
    while index < lines.count {
      let line = lines[index].trimmed
      index += 1
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("//") { continue }
      guard let bracket = line.last, "{[".contains(bracket) else {
        if line.hasSuffix("}") || line.hasSuffix("]") { continue }
        throw ImportError(line: index, column: 1, message: "expected a block such as 'meta {'")
      }
      let start = index
      let end = bracket == "{" ? "}" : "]"
      while index < lines.count, !Self.isEnd(lines[index], end) { index += 1 }
      guard index < lines.count else {
        throw ImportError(line: start, column: 1, message: "the block has no end")
      }
      let name = String(line.dropLast()).trimmed
      blocks.append(Self.block(name, lines[start..<index], start + 1))
      index += 1
    }
  }

  /// Returns true for the bracket at the start of a line that ends a block.
  private static func isEnd(_ line: String, _ end: String) -> Bool {
    line.hasPrefix(end) && line.trimmed == end
  }

  private static func block(
    _ name: String, _ lines: ArraySlice<String>, _ line: Int
  ) -> Block {
    let plain = lines.map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }
    let pairs = isText(name) ? [] : pairs(Array(plain), line)
    return Block(name: name, pairs: pairs, text: plain.joined(separator: "\n"), line: line)
  }

  private static func pairs(_ lines: [String], _ first: Int) -> [Pair] {
    var (pairs, index) = ([Pair](), 0)
    while index < lines.count {
      var text = lines[index].trimmed
      let line = first + index
      index += 1
      if text.isEmpty || text.hasPrefix("@description") { continue }
      let isDisabled = text.hasPrefix("~")
      if isDisabled { text.removeFirst() }
      // A list of names has a comma behind each.
      guard let colon = separator(in: text) else {
        let name = text.hasSuffix(",") ? String(text.dropLast()).trimmed : text
        pairs.append(Pair(name: name, value: "", isDisabled: isDisabled, line: line))
        continue
      }
      var name = String(text[..<colon]).trimmed
      var value = String(text[text.index(after: colon)...]).trimmed
      if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 {
        name = String(name.dropFirst().dropLast()).replacing("\\\"", with: "\"")
      }
      if value.hasPrefix("'''") {
        value = longText(String(value.dropFirst(3)), lines, &index)
      } else if value == "[" {
        // A list of tags.
        while index < lines.count, lines[index].trimmed != "]" { index += 1 }
        index += 1
      }
      pairs.append(Pair(name: name, value: value, isDisabled: isDisabled, line: line))
    }
    return pairs
  }

  /// Returns a text between three quotes, from its first line on.
  private static func longText(_ first: String, _ lines: [String], _ index: inout Int) -> String {
    var parts = [first]
    while !(parts.last?.hasSuffix("'''") ?? true), index < lines.count {
      parts.append(lines[index])
      index += 1
    }
    let joined = parts.joined(separator: "\n")
    return (joined.hasSuffix("'''") ? String(joined.dropLast(3)) : joined)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0) }
      .joined(separator: "\n").trimmed
  }

  /// Returns the colon behind a name, which may be in quotes.
  private static func separator(in text: String) -> String.Index? {
    guard text.hasPrefix("\"") else { return text.firstIndex(of: ":") }
    guard let quote = text.dropFirst().firstIndex(of: "\"") else { return nil }
    return text[quote...].firstIndex(of: ":")
  }

  /// The block with this name, or nil.
  subscript(name: String) -> Block? { blocks.first { $0.name == name } }

  /// Returns the value of a name in a block, or an empty string.
  func value(_ name: String, in block: String) -> String {
    self[block]?.pairs.first { $0.name == name }?.value ?? ""
  }
}
