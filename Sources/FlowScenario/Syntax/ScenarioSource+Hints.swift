internal import FlowSystem
internal import FlowYAML

/// What the line of a mistake of YAML shows of its cause.
extension ScenarioSource {
  /// What was probably meant; nil where the line says nothing.
  func hint(on error: YAMLError) -> Problem.LineHint? {
    guard let mark = error.mark, let line = line(mark.line) else { return nil }
    switch error.code {
    case .syntax:
      return negation(in: line) ?? expressionHint(at: mark, in: line)
        ?? quoteHint(at: mark, in: line)
    case .unknownTag: return negation(in: line)
    default: return nil
    }
  }

  /// The keys whose values are conditions.
  private static let conditionKeys = ["if", "until", "while", "assert"]

  /// The condition that begins with `!`, and is a tag by that.
  private func negation(in line: [Unicode.Scalar]) -> Problem.LineHint? {
    var text = Self.text(line[...])
    while text.hasPrefix("- ") { text = String(text.dropFirst(2)).withoutBlanksAround }
    for key in Self.conditionKeys where text.hasPrefix(key + ":") {
      let value = String(text.dropFirst(key.count + 1)).withoutBlanksAround
      if value.hasPrefix("!"), !value.hasPrefix("!!") { return .negation("${{ \(value) }}") }
    }
    return nil
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars)).withoutBlanksAround
  }

  /// The quote before a mistake, where letters stand on both of its sides.
  private func quoteHint(at mark: Position, in line: [Unicode.Scalar]) -> Problem.LineHint? {
    let index = mark.column - 1
    guard index >= 2, index < line.count, line[index].properties.isAlphabetic,
      line[index - 1] == "'" || line[index - 1] == "\"", line[index - 2].properties.isAlphabetic
    else { return nil }
    return .quoteInWord(Character(line[index - 1]))
  }

  /// What the first expression before a mistake of YAML in its line has to do with it; nil without one.
  private func expressionHint(at mark: Position, in line: [Unicode.Scalar]) -> Problem.LineHint? {
    var position = 0
    while let open = line.firstIndex(of: Self.opening, from: position), open < mark.column {
      guard let quote = Self.quote(around: open, in: line) else { return .expressionWithoutQuotes }
      let end = line.firstIndex(of: Self.closing, from: open) ?? line.count
      let inner = Self.end(ofTextIn: quote, from: open, in: line)
      if inner < min(end, mark.column) { return .quoteInExpression(Character(quote)) }
      position = end + 1
    }
    return nil
  }

  private static let opening = Array("${{".unicodeScalars)
  private static let closing = Array("}}".unicodeScalars)
  /// What stands before a text in quotes; behind anything else a quote is a part of plain text.
  private static let before: Set<Unicode.Scalar> = ["[", "{", ",", ":", "-", "?"]

  private func line(_ number: Int) -> [Unicode.Scalar]? {
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    return Array(String(decoding: lines[number - 1], as: UTF8.self).unicodeScalars)
  }

  /// The quote of the text in which a place of a line stands; nil for one in none.
  private static func quote(around place: Int, in line: [Unicode.Scalar]) -> Unicode.Scalar? {
    var (index, last): (Int, Unicode.Scalar?) = (0, nil)
    while index < place {
      let scalar = line[index]
      if scalar == "'" || scalar == "\"", last.map(before.contains) ?? true {
        index = end(ofTextIn: scalar, from: index + 1, in: line)
        if index >= place { return scalar }
      }
      if scalar != " " { last = scalar }
      index += 1
    }
    return nil
  }

  /// Where a quote ends the text; the line's end when it does not.
  private static func end(
    ofTextIn quote: Unicode.Scalar, from start: Int, in line: [Unicode.Scalar]
  ) -> Int {
    var index = start
    while index < line.count {
      let isPair = quote == "'" && line[index...].starts(with: ["'", "'"])
      if line[index] == quote, !isPair { return index }
      index += isPair || quote == "\"" && line[index] == "\\" ? 2 : 1
    }
    return line.count
  }
}

extension Array<Unicode.Scalar> {
  fileprivate func firstIndex(of part: [Unicode.Scalar], from start: Int) -> Int? {
    indices.dropFirst(start).first { self[$0...].starts(with: part) }
  }
}
