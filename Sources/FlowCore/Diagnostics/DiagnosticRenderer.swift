internal import FlowSystem

/// Turns diagnostics into text: the place and message, the source line, and a caret run under it.
///
///     shop.yaml:12:5: error: unknown key 'usse'; did you mean 'uses'? [F1102]
///        12 |     usse: balance.load
///           |     ^^^^
package struct DiagnosticRenderer {
  /// The longest part of a source line that is shown, in characters.
  private static let widest = 120
  /// The longest part of a message that is shown, in characters.
  private static let longest = 500

  private let sources: [String: SourceLines]

  /// A renderer that can quote these files, by the paths that the diagnostics use.
  package init(sources: [String: [UInt8]]) {
    self.sources = sources.mapValues(SourceLines.init)
  }

  /// The diagnostics in file order, each ending in a newline; none gives the empty text.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.sorted().map(render).joined()
  }

  /// One diagnostic, ending in a newline.
  package func render(_ diagnostic: Diagnostic) -> String {
    let message = Self.sentence(diagnostic.message)
    var text = "\(diagnostic.severity.rawValue): \(message) [\(diagnostic.code)]\n"
    if let span = diagnostic.span {
      let file = Self.visible(span.file.unicodeScalars)
      text = "\(file):\(span.start.line):\(span.start.column): " + text + excerpt(span)
    }
    for note in diagnostic.notes {
      // One that is indented belongs to the one before it.
      text += (note.hasPrefix("  ") ? "      " : "  note: ") + Self.sentence(note) + "\n"
    }
    return text
  }

  /// A message on one line; what a hostile file puts into it ends with an ellipsis.
  private static func sentence(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let start = scalars.prefix(longest)
    return start.endIndex == scalars.endIndex ? visible(start) : visible(start) + "…"
  }

  private func excerpt(_ span: SourceSpan) -> String {
    let line = span.start.line
    guard let source = sources[span.file], let length = source.length(ofLine: line) else {
      return ""
    }
    let first = min(span.start.column - 1, length)
    let last = span.end.line == line ? span.end.column - 1 : length
    // A long line is shown from shortly before the caret.
    let from = first > Self.widest - 20 ? first - 20 : 0
    let shown = source.stretch(ofLine: line, from: from, count: Self.widest)
    let carets = max(1, min(last, from + shown.count) - first)
    let number = String(line)
    let gutter = String(repeating: " ", count: max(5, number.utf8.count))
    let padding = String(repeating: " ", count: gutter.utf8.count - number.utf8.count)
    return padding + number + " | " + Self.visible(shown) + "\n" + gutter + " | "
      + String(repeating: " ", count: first - from) + String(repeating: "^", count: carets) + "\n"
  }

  /// One visible character for each scalar, so that the carets stay under their text.
  private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      text.append(scalar == "\t" ? " " : scalar.breaksText ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}
