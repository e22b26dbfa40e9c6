/// The parts of Markdown that the pages of the reference need.
enum ReferenceText {
  /// Returns a table, or nothing if it has no rows.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    if rows.isEmpty { return "" }
    let line = { (cells: [String]) in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
    return line(head) + "|" + head.map { _ in "---|" }.joined() + "\n" + rows.map(line).joined()
  }

  /// Returns a fenced block, without the indentation that all its lines share.
  static func block(_ text: String, _ language: String = "text") -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return "```\(language)\n" + lines.map { "\($0.dropFirst(indent))\n" }.joined() + "```\n"
  }

  /// Returns a text of the program in Markdown: what it has in single quotes becomes code.
  static func prose(_ text: String) -> String {
    var result = ""
    var previous: Character = " "
    var rest = text[...]
    while let next = rest.popFirst() {
      if next == "'", !previous.isPartOfWord, let end = closingQuote(in: rest) {
        result += "`\(rest[..<end])`"
        rest = rest[rest.index(after: end)...]
      } else {
        result += "<*`\\".contains(next) ? "\\\(next)" : "\(next)"
      }
      previous = next
    }
    return result
  }

  /// Returns a paragraph in Markdown.
  static func paragraph(_ text: String) -> String { HelpText.wrapped(prose(text)) + "\n" }

  /// Returns the anchor of a heading, as GitHub names it.
  static func anchor(_ heading: String) -> String {
    String(
      heading.lowercased().filter { $0.isPartOfWord || "_- ".contains($0) }
        .map { $0 == " " ? "-" : $0 })
  }

  /// Returns the end of a quotation, or nil for an apostrophe.
  private static func closingQuote(in text: Substring) -> String.Index? {
    let end = text.indices.first { index in
      let after = text.index(after: index)
      return text[index] == "'" && !(after < text.endIndex && text[after].isPartOfWord)
    }
    guard let end, !text[..<end].contains("`"), let first = text.first, first != " " else {
      return nil
    }
    return end == text.startIndex ? nil : end
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
