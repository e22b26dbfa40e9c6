extension Document {
  /// A node's place in 10 bytes, for nodes on short lines; the others are kept in `WideSpans`.
  struct PackedSpan: Sendable {
    fileprivate static let wide = UInt16.max

    fileprivate let line: Int32
    fileprivate let startColumn: UInt16
    fileprivate let endColumn: UInt16
    fileprivate let furtherLines: UInt16
  }

  /// The places of nodes that do not fit `PackedSpan`, such as those of a long text without lines.
  struct WideSpans: Sendable {
    private var spans: [Span] = []

    /// Packs a place; one that does not fit is remembered.
    mutating func pack(_ span: Span) -> PackedSpan {
      let lines = span.end.line - span.start.line
      let wide = Int(PackedSpan.wide)
      if span.start.column < wide, span.end.column < wide, 0..<wide ~= lines {
        return PackedSpan(
          line: Int32(span.start.line), startColumn: UInt16(span.start.column),
          endColumn: UInt16(span.end.column), furtherLines: UInt16(lines))
      }
      spans.append(span)
      return PackedSpan(
        line: Int32(spans.count - 1), startColumn: PackedSpan.wide, endColumn: 0, furtherLines: 0)
    }

    /// The place that was packed.
    func unpack(_ packed: PackedSpan) -> Span {
      guard packed.startColumn != PackedSpan.wide else { return spans[Int(packed.line)] }
      let line = Int(packed.line)
      return Span(
        start: Mark(line: line, column: Int(packed.startColumn)),
        end: Mark(line: line + Int(packed.furtherLines), column: Int(packed.endColumn)))
    }
  }
}
