extension Document {
  /// One node in 32 bytes.
  ///
  /// Numbers fit 32 bits because `Limits` bounds the bytes and the nodes of a text.
  struct Entry: Sendable {
    let kind: Node.Kind
    let isPlain: Bool
    let isAlias: Bool
    let tag: CoreTag?

    private let startLine: Int32
    private let startColumn: Int32
    private var endLine: Int32
    private var endColumn: Int32

    /// The index just after this node and everything inside it.
    private(set) var next: Int32

    /// Where a scalar's text begins in the document's text; for an alias the index of its target.
    let offset: Int32

    /// The number of bytes of a scalar's text, of items or of key-value pairs.
    private(set) var length: Int32
  }
}

extension Document.Entry {
  /// A scalar whose text is `text` in the document's text.
  init(scalarAt index: Int, span: Span, text: Range<Int>, isPlain: Bool, tag: CoreTag?) {
    self.init(
      kind: .scalar, isPlain: isPlain, isAlias: false, tag: tag, span: span,
      next: index + 1, offset: text.lowerBound, length: text.count)
  }

  /// A collection that is still open.
  init(_ kind: Node.Kind, at index: Int, span: Span, tag: CoreTag?) {
    self.init(
      kind: kind, isPlain: false, isAlias: false, tag: tag, span: span,
      next: index + 1, offset: 0, length: 0)
  }

  /// An alias of the node at `target`, whose kind is `kind`.
  init(aliasAt index: Int, span: Span, target: Int, kind: Node.Kind) {
    self.init(
      kind: kind, isPlain: false, isAlias: true, tag: nil, span: span,
      next: index + 1, offset: target, length: 0)
  }

  private init(
    kind: Node.Kind, isPlain: Bool, isAlias: Bool, tag: CoreTag?, span: Span,
    next: Int, offset: Int, length: Int
  ) {
    self.kind = kind
    self.isPlain = isPlain
    self.isAlias = isAlias
    self.tag = tag
    startLine = Int32(span.start.line)
    startColumn = Int32(span.start.column)
    endLine = Int32(span.end.line)
    endColumn = Int32(span.end.column)
    self.next = Int32(next)
    self.offset = Int32(offset)
    self.length = Int32(length)
  }

  /// Where the node stands.
  var span: Span {
    Span(
      start: Mark(line: Int(startLine), column: Int(startColumn)),
      end: Mark(line: Int(endLine), column: Int(endColumn)))
  }

  /// Where a scalar's text stands in the document's text.
  var textRange: Range<Int> {
    Int(offset)..<Int(offset) + Int(length)
  }

  /// Closes a collection before the node at `next`.
  mutating func close(at end: Mark, next: Int, count: Int) {
    endLine = Int32(end.line)
    endColumn = Int32(end.column)
    self.next = Int32(next)
    length = Int32(count)
  }

  /// What a scalar means, given the document's text; nil when its text does not fit its tag.
  func scalar(in text: [UInt8]) -> Scalar? {
    if let tag { return tag.scalar(reading: text[textRange]) }
    return isPlain ? Scalar(plain: text[textRange]) : .string
  }
}
