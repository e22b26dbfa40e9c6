/// Files quoted with problems.
package struct QuotedSources: Sendable {
  private let sources: [String: SourceLines]

  /// Creates the quotable files, by their paths in the diagnostics.
  package init(_ sources: [String: [UInt8]]) { self.sources = sources.mapValues(SourceLines.init) }

  /// Returns the line at the start of a span, or nil if it cannot be quoted.
  ///
  /// Of a longer line, at most `limit` scalars from shortly before the span.
  package func line(of span: SourceSpan, limit: Int) -> String? {
    guard let source = sources[span.file], let length = source.length(ofLine: span.start.line)
    else { return nil }
    let first = min(span.start.column - 1, length)
    let from = length > limit && first > limit - 20 ? first - 20 : 0
    return String(source.stretch(ofLine: span.start.line, from: from, count: limit))
  }

  /// Returns the text of a span in one line, or nil for one over several lines.
  package func text(of span: SourceSpan) -> String? {
    let line = span.start.line
    guard line == span.end.line, let length = sources[span.file]?.length(ofLine: line),
      span.end.column - 1 <= length
    else { return nil }
    return sources[span.file].map {
      String(
        $0.stretch(
          ofLine: line, from: span.start.column - 1, count: span.end.column - span.start.column))
    }
  }
}
