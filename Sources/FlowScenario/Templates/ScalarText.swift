internal import FlowYAML

/// A scalar's text taken apart, and where its characters stand in the file.
///
/// Made once for each scalar: a long text may hold many expressions.
struct ScalarText {
  let node: Node
  /// Text and expressions in order; none for a collection.
  let parts: [Interpolation.Part]
  /// Where the text's first character stands; nil when the text is not written as it reads.
  private let firstColumn: Int?

  init(_ node: Node) {
    self.node = node
    let text = node.kind == .scalar ? node.text : ""
    parts = Interpolation.parts(of: text)
    let span = node.span
    let quotes = node.isPlain ? 0 : 1
    let isWritten =
      !node.isAlias && span.start.line == span.end.line
      && span.end.column - span.start.column == text.unicodeScalars.count + 2 * quotes
    firstColumn = isWritten ? span.start.column + quotes : nil
  }

  /// The file's stretch for unicode scalars of the text; the whole node where that is not known.
  func span(_ range: Range<Int>) -> Span {
    guard let firstColumn else { return node.span }
    let line = node.span.start.line
    return Span(
      start: Mark(line: line, column: firstColumn + range.lowerBound),
      end: Mark(line: line, column: firstColumn + range.upperBound))
  }
}
