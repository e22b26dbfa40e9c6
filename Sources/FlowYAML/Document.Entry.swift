extension Document {
  /// One node in 24 bytes.
  ///
  /// Numbers fit 32 bits because `Limits` bounds the bytes and the nodes of a text.
  struct Entry: Sendable {
    /// Kind, style and whether it is an alias, in one byte.
    private enum Form: UInt8 {
      case plainScalar, otherScalar, sequence, mapping
      case scalarAlias, sequenceAlias, mappingAlias
    }

    private(set) var span: PackedSpan
    private let form: Form
    let tag: CoreTag?

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
  init(
    scalarAt index: Int, span: Document.PackedSpan, text: Range<Int>, isPlain: Bool, tag: CoreTag?
  ) {
    self.init(
      span: span, form: isPlain ? .plainScalar : .otherScalar, tag: tag, next: Int32(index + 1),
      offset: Int32(text.lowerBound), length: Int32(text.count))
  }

  /// A collection that is still open.
  init(_ kind: Node.Kind, at index: Int, span: Document.PackedSpan, tag: CoreTag?) {
    self.init(
      span: span, form: kind == .mapping ? .mapping : .sequence, tag: tag, next: Int32(index + 1),
      offset: 0, length: 0)
  }

  /// An alias of the node at `target`, whose kind is `kind`.
  init(aliasAt index: Int, span: Document.PackedSpan, target: Int, kind: Node.Kind) {
    let form: Form =
      switch kind {
      case .scalar: .scalarAlias
      case .sequence: .sequenceAlias
      case .mapping: .mappingAlias
      }
    self.init(
      span: span, form: form, tag: nil, next: Int32(index + 1), offset: Int32(target), length: 0)
  }

  var kind: Node.Kind {
    switch form {
    case .plainScalar, .otherScalar, .scalarAlias: .scalar
    case .sequence, .sequenceAlias: .sequence
    case .mapping, .mappingAlias: .mapping
    }
  }

  var isPlain: Bool { form == .plainScalar }

  var isAlias: Bool {
    switch form {
    case .scalarAlias, .sequenceAlias, .mappingAlias: true
    default: false
    }
  }

  /// Where a scalar's text stands in the document's text.
  var textRange: Range<Int> {
    Int(offset)..<Int(offset) + Int(length)
  }

  /// Closes a collection before the node at `next`.
  mutating func close(_ span: Document.PackedSpan, next: Int, count: Int) {
    self.span = span
    self.next = Int32(next)
    length = Int32(count)
  }

  /// What a scalar means, given the document's text; nil when its text does not fit its tag.
  func scalar(in text: [UInt8]) -> Scalar? {
    if let tag { return tag.scalar(reading: text[textRange]) }
    return isPlain ? Scalar(plain: text[textRange]) : .string
  }
}
