internal import FlowSystem

/// The nodes of a text in one array and their characters in another, immutable.
///
/// Nodes are in preorder: a collection comes before its children, and `next` leads past them. A
/// million nodes are two allocations, and walking them is walking memory forwards.
final class Document: Sendable {
  let entries: [Entry]
  /// The characters of all scalars, in UTF-8, one after another.
  let text: [UInt8]
  private let wideSpans: WideSpans
  /// The places of the characters of some scalars, by the indices of these.
  private let places: [Int: TextPlaces]

  init(entries: [Entry], text: [UInt8], wideSpans: WideSpans, places: [Int: TextPlaces]) {
    self.entries = entries
    self.text = text
    self.wideSpans = wideSpans
    self.places = places
  }

  /// Returns the place of a character of a scalar's text, or nil if unknown.
  func position(at offset: Int, in index: Int) -> Position? { places[index]?.position(at: offset) }

  func span(at index: Int) -> Span { wideSpans.unpack(entries[index].span) }
  func content(at index: Int) -> Entry { entries[contentIndex(of: index)] }

  /// The index itself, or for an alias the index of the node that it names.
  func contentIndex(of index: Int) -> Int {
    let entry = entries[index]
    return entry.isAlias ? Int(entry.offset) : index
  }

  /// The position of the first value whose key has exactly these characters, or nil.
  ///
  /// Nil for other nodes than mappings.
  ///
  /// Canonical equivalence does not count.
  func value(of key: String.UTF8View, in index: Int) -> Int? {
    let mapping = contentIndex(of: index)
    guard entries[mapping].kind == .mapping else { return nil }
    let (end, length) = (Int(entries[mapping].next), key.count)
    var place = mapping + 1
    while place < end {
      let value = Int(entries[place].next)
      let range = entries[contentIndex(of: place)].textRange
      if range.count == length, text[range].elementsEqual(key) { return value }
      place = Int(entries[value].next)
    }
    return nil
  }

  /// One node in 24 bytes.
  ///
  /// Numbers fit 32 bits because `Limits` bounds the bytes and the nodes of a text.
  struct Entry: Sendable {
    /// Kind, style and whether it is an alias, in one byte.
    private enum Form: UInt8 {
      case plainScalar, quotedScalar, blockScalar, sequence, mapping
      case scalarAlias, sequenceAlias, mappingAlias
    }

    private(set) var span: PackedSpan
    private let form: Form
    let tag: CoreTag?
    /// The index just after this node and everything inside it.
    private(set) var next: Int32
    /// The start of a scalar's text in the document's text, or for an alias the index of its
    /// target.
    let offset: Int32
    /// The number of bytes of a scalar's text, of items or of key-value pairs.
    private(set) var length: Int32
  }

  /// A node's place in 10 bytes, for nodes on short lines.
  ///
  /// `WideSpans` has the others.
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

    /// Packs a place, and remembers one that does not fit.
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

    func unpack(_ packed: PackedSpan) -> Span {
      guard packed.startColumn != PackedSpan.wide else { return spans[Int(packed.line)] }
      let line = Int(packed.line)
      return Span(
        start: Position(line: line, column: Int(packed.startColumn)),
        end: Position(line: line + Int(packed.furtherLines), column: Int(packed.endColumn)))
    }
  }
}

extension Document.Entry {
  init(
    scalarAt index: Int, span: Document.PackedSpan, text: Range<Int>, style: ScalarStyle,
    tag: CoreTag?
  ) {
    let form: Form =
      switch style {
      case .plain: .plainScalar
      case .quoted: .quotedScalar
      case .block: .blockScalar
      }
    self.init(
      span: span, form: form, tag: tag, next: Int32(index + 1),
      offset: Int32(text.lowerBound), length: Int32(text.count))
  }

  init(_ kind: Node.Kind, at index: Int, span: Document.PackedSpan, tag: CoreTag?) {
    self.init(
      span: span, form: kind == .mapping ? .mapping : .sequence, tag: tag, next: Int32(index + 1),
      offset: 0, length: 0)
  }

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
    case .plainScalar, .quotedScalar, .blockScalar, .scalarAlias: .scalar
    case .sequence, .sequenceAlias: .sequence
    case .mapping, .mappingAlias: .mapping
    }
  }

  var isPlain: Bool { form == .plainScalar }
  var isBlock: Bool { form == .blockScalar }

  var isAlias: Bool {
    switch form {
    case .scalarAlias, .sequenceAlias, .mappingAlias: true
    default: false
    }
  }

  var textRange: Range<Int> { Int(offset)..<Int(offset) + Int(length) }

  mutating func close(_ span: Document.PackedSpan, next: Int, count: Int) {
    self.span = span
    self.next = Int32(next)
    length = Int32(count)
  }

  /// The meaning of a scalar, given the document's text, or nil if its text does not fit its tag.
  func scalar(in text: [UInt8]) -> Scalar? {
    if let tag { return tag.scalar(reading: text[textRange]) }
    return isPlain ? Scalar(plain: text[textRange]) : .string
  }
}

/// The tags of the core schema, and how a node's meaning follows from them.
enum CoreTag: UInt8 {
  case string, int, float, bool, null, map, seq

  /// Finds the tag for libyaml's resolved form, or nil for a tag outside the core schema.
  ///
  /// The non-specific tag `!` means the node's kind, so it makes a scalar a string.
  init?(_ tag: String, on kind: Node.Kind) {
    switch (tag, kind) {
    case ("tag:yaml.org,2002:str", _), ("!", .scalar): self = .string
    case ("tag:yaml.org,2002:int", _): self = .int
    case ("tag:yaml.org,2002:float", _): self = .float
    case ("tag:yaml.org,2002:bool", _): self = .bool
    case ("tag:yaml.org,2002:null", _): self = .null
    case ("tag:yaml.org,2002:map", _), ("!", .mapping): self = .map
    case ("tag:yaml.org,2002:seq", _), ("!", .sequence): self = .seq
    default: return nil
    }
  }

  var shorthand: String {
    switch self {
    case .string: "!!str"
    case .int: "!!int"
    case .float: "!!float"
    case .bool: "!!bool"
    case .null: "!!null"
    case .map: "!!map"
    case .seq: "!!seq"
    }
  }

  var kind: Node.Kind {
    switch self {
    case .string, .int, .float, .bool, .null: .scalar
    case .map: .mapping
    case .seq: .sequence
    }
  }

  /// Reads a scalar as this tag demands, or returns nil if the text does not fit the tag.
  func scalar(reading text: ArraySlice<UInt8>) -> Scalar? {
    let plain = Scalar(plain: text)
    switch (self, plain) {
    case (.string, _): return .string
    case (.int, .int), (.int, .bigInt), (.float, .float), (.bool, .bool), (.null, .null):
      return plain
    // Every decimal integer also matches the schema's expression for floats.
    case (.float, .int), (.float, .bigInt): return Scalar.float(spelling: text)
    default: return nil
    }
  }
}
