internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Hints on the cause of a mistake of YAML, from its line.
extension ScenarioSource {
  /// Returns the probable intention, or nil if the line does not show any.
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

  /// Returns the condition that starts with `!`, which makes a tag of it.
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

  /// Returns the quote before a mistake, if it is between two letters.
  private func quoteHint(at mark: Position, in line: [Unicode.Scalar]) -> Problem.LineHint? {
    let index = mark.column - 1
    guard index >= 2, index < line.count, line[index].properties.isAlphabetic,
      line[index - 1] == "'" || line[index - 1] == "\"", line[index - 2].properties.isAlphabetic
    else { return nil }
    return .quoteInWord(Character(line[index - 1]))
  }

  /// Returns the connection of a mistake of YAML with the first expression before it in its line,
  /// or nil without one.
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
  /// The characters before a quoted scalar.
  ///
  /// After any other, a quote is a part of a plain scalar.
  private static let before: Set<Unicode.Scalar> = ["[", "{", ",", ":", "-", "?"]

  private func line(_ number: Int) -> [Unicode.Scalar]? {
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    return Array(String(decoding: lines[number - 1], as: UTF8.self).unicodeScalars)
  }

  /// Returns the quote of the scalar around a place of a line, or nil outside of quotes.
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

  /// Returns the index of the closing quote, or the line's end if there is none.
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
