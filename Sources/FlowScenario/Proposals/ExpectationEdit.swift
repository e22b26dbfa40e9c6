internal import FlowCore
internal import FlowSystem
internal import FlowYAML

/// The change of a file that puts a line into one of its steps, in place of the present `expect`.
///
/// Everything else of the text stays.
struct ExpectationEdit {
  private let lines: [Substring.UnicodeScalarView]
  private let newline: String
  private let file: String

  /// Creates the changes of a file.
  ///
  /// Nil for a text with rare line breaks, or in UTF-16.
  init?(_ source: ScenarioSource) {
    file = source.file
    let text = String(decoding: source.bytes, as: UTF8.self)
    let others: Set<Unicode.Scalar> = ["\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFD}"]
    if text.unicodeScalars.contains(where: others.contains) { return nil }
    newline = source.bytes.firstRange(of: [13, 10]) == nil ? "\n" : "\r\n"
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      Substring($0).unicodeScalars
    }
    // A carriage return alone ends a line of YAML.
    if lines.contains(where: { $0.dropLast().contains("\r") }) { return nil }
  }

  /// Returns the change of a step.
  ///
  /// Nil if aliases in other places repeat the present expectation.
  func edit(of step: Node, _ line: String) -> SourceEdit? {
    if let present = step.entries.first(where: { $0.key.text == "expect" }) {
      return replacement(of: present, line)
    }
    guard let first = step.entries.first?.key.span.start,
      let entry = step.entries.first(where: { $0.key.text == "with" })
        ?? step.entries.first(where: { $0.key.text == "uses" })
    else { return nil }
    let margin = String(repeating: " ", count: entry.key.span.start.column - 1)
    if text(from: step.span.start, to: first).contains("{") {
      let isOnOneLine = step.span.start.line == entry.key.span.start.line
      return insertion(
        at: entry.value.span.end, "," + (isOnOneLine ? " " : newline + margin) + line)
    }
    return insertion(below: entry.value.span.end, line, margin)
  }

  private func replacement(of present: Node.Entry, _ line: String) -> SourceEdit? {
    let start = present.key.span.start
    let end = endOfText(before: present.value.span.end)
    let value = text(from: present.key.span.end, to: end).drop { [":", " ", "\n"].contains($0) }
    if value.first == "&" { return nil }
    return SourceEdit(.accept, SourceSpan(file: file, start: start, end: end), line)
  }

  private func insertion(at place: Position, _ text: String) -> SourceEdit {
    SourceEdit(.accept, SourceSpan(file: file, start: place, end: place), text)
  }

  /// Returns the insertion of a line below the one with the end of a value.
  private func insertion(below end: Position, _ line: String, _ margin: String) -> SourceEdit {
    // A text in lines of its own ends before the next line.
    let next = end.column == 1 ? end.line : end.line + 1
    if next <= lines.count {
      return insertion(at: Position(line: next, column: 1), margin + line + newline)
    }
    let last = Position(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    return insertion(at: last, newline + margin + line)
  }

  /// Returns the end of the last character before a place that is no blank or line break.
  private func endOfText(before place: Position) -> Position {
    var (line, column) = (place.line, place.column)
    while line > 0 {
      let text = lines[min(line, lines.count) - 1].prefix(column - 1)
      let count = text.count - text.reversed().prefix { $0 == " " || $0 == "\r" }.count
      if count > 0 { return Position(line: line, column: count + 1) }
      (line, column) = (line - 1, .max)
    }
    return place
  }

  private func text(from start: Position, to end: Position) -> String {
    guard start < end, end.line <= lines.count else { return "" }
    let parts = (start.line...end.line).map { number in
      let last = number == end.line ? end.column - 1 : Int.max
      let first = number == start.line ? start.column - 1 : 0
      return String(Substring(lines[number - 1].prefix(last).dropFirst(first)))
    }
    return parts.joined(separator: "\n")
  }
}
