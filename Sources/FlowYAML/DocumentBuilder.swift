internal import FlowSystem

/// The most resources of a text before reading it fails.
///
/// Every limit is checked while the text is read, so a hostile text costs no more than an honest
/// one of that size.
public struct Limits: Sendable, Hashable {
  /// The greatest depth of nested collections.
  public let depth: Int
  /// The length of the text in bytes, at most 1 GiB.
  public let bytes: Int
  /// The most nodes in all documents of the text, with one for each alias.
  public let nodes: Int
  /// The most nodes represented by all aliases of the text together.
  public let expansion: Int

  /// Creates limits.
  ///
  /// The defaults suit files written by people and programs.
  ///
  /// - Precondition: `bytes` and `nodes` are at most 2^30, because positions are kept in 32 bits.
  public init(
    depth: Int = 128, bytes: Int = 64 << 20, nodes: Int = 4_000_000, expansion: Int = 1_000_000
  ) {
    precondition(bytes <= 1 << 30, "a limit of \(bytes) bytes is over 1 GiB")
    precondition(nodes <= 1 << 30, "a limit of \(nodes) nodes is over 2^30")
    self.depth = depth
    self.bytes = bytes
    self.nodes = nodes
    self.expansion = expansion
  }
}

/// The language of a document.
public enum Format: Sendable {
  /// YAML 1.2, read by libyaml.
  case yaml
  /// JSON (RFC 8259), strictly: without comments and trailing commas.
  case json

  /// JSON for a file with the ending `.json`, in upper or lower case, and YAML for any other.
  public init(ofFile name: String) {
    self = name.lowercased().hasSuffix(".json") ? .json : .yaml
  }
}

extension Node {
  /// Reads exactly one document.
  ///
  /// The bytes are UTF-8, or for YAML UTF-16 with a byte order mark.
  ///
  /// - Throws: `YAMLError` when the text breaks the rules of its format, holds no or several
  ///   documents, uses what this reader refuses (duplicate keys, merge keys, collections as keys,
  ///   tags outside the core schema), or goes beyond the limits.
  public init(
    parsing bytes: [UInt8], as format: Format = .yaml, limits: Limits = Limits()
  ) throws(YAMLError) {
    let roots = try DocumentBuilder.roots(of: bytes, as: format, limits: limits, onlyOne: true)
    guard let root = roots.first else {
      let start = Position(line: 1, column: 1)
      throw YAMLError(.noDocument, at: Span(start: start, end: start))
    }
    self = root
  }

  /// Reads every document of a stream of YAML, none for an empty stream.
  ///
  /// The limits bound the stream as a whole.
  ///
  /// - Throws: `YAMLError` as `init(parsing:limits:)` does, except for the number of documents.
  public static func all(
    parsing bytes: [UInt8], limits: Limits = Limits()
  ) throws(YAMLError) -> [Node] {
    try DocumentBuilder.roots(of: bytes, as: .yaml, limits: limits, onlyOne: false)
  }
}

/// Turns a stream of events into the entries of a document.
///
/// It keeps its own stack of open collections, so that no nesting can exhaust the thread's.
private struct DocumentBuilder {
  private struct Frame {
    let index: Int
    let kind: Node.Kind
    let anchor: String?
    /// The surplus of all earlier aliases, to determine that of the aliases inside it.
    let surplus: Int
    var children = 0

    var isKeyNext: Bool { kind == .mapping && children.isMultiple(of: 2) }
  }

  /// The longest block scalar that is taken apart without an expression in it, in bytes.
  private static let longestBlock = 64 << 10

  private let limits: Limits
  private var entries: [Document.Entry] = []
  private var text: [UInt8] = []
  private var wideSpans = Document.WideSpans()
  private var places: [Int: TextPlaces] = [:]
  private var frames: [Frame] = []
  private var anchors: AnchorTable
  private var duplicateKeys = DuplicateKeys()
  /// The end of the last completed node, which is also the end of a block collection around it.
  private var lastEnd = Position(line: 1, column: 1)

  private init(bytes: Int, limits: Limits) {
    self.limits = limits
    anchors = AnchorTable(limit: limits.expansion)
    // Growing by copying would double the peak. Untouched pages cost no memory.
    entries.reserveCapacity(min(bytes / 6, limits.nodes))
    text.reserveCapacity(bytes)
  }

  /// Reads the roots of a stream's documents.
  ///
  /// - Throws: `YAMLError`. With `onlyOne`, also for a second document, which is not read then.
  static func roots(
    of bytes: [UInt8], as format: Format, limits: Limits, onlyOne: Bool
  ) throws(YAMLError) -> [Node] {
    guard bytes.count <= limits.bytes else {
      throw YAMLError(.exceeded(.bytes(limits.bytes)), at: nil)
    }
    // YAML allows UTF-16 with a mark (YAML 1.2.2, section 5.2), and libyaml reads it.
    if let encoding = PlainText.encoding(of: bytes),
      format == .json || !PlainText.hasUTF16Mark(bytes)
    {
      let start = Position(line: 1, column: 1)
      throw YAMLError(.otherEncoding(encoding), at: Span(start: start, end: start))
    }
    var builder = DocumentBuilder(bytes: bytes.count, limits: limits)
    let roots = try builder.roots(of: bytes, as: format, onlyOne: onlyOne)
    let document = Document(
      entries: builder.entries, text: builder.text, wideSpans: builder.wideSpans,
      places: builder.places)
    return roots.map { Node(document: document, index: $0) }
  }

  private mutating func roots(
    of bytes: [UInt8], as format: Format, onlyOne: Bool
  ) throws(YAMLError) -> [Int] {
    switch format {
    case .yaml:
      return try EventReader.read(bytes) { reader throws(YAMLError) in
        try readStream(from: &reader, onlyOne: onlyOne)
      }
    case .json:
      var reader = JSONReader(bytes)
      return try readStream(from: &reader, onlyOne: onlyOne)
    }
  }

  private mutating func readStream(
    from reader: inout some EventSource, onlyOne: Bool
  ) throws(YAMLError) -> [Int] {
    var roots: [Int] = []
    while true {
      switch try reader.advance() {
      case .streamEnd: return roots
      case .documentStart:
        guard !onlyOne || roots.isEmpty else { throw YAMLError(.manyDocuments, at: reader.span) }
        anchors.startDocument()
        roots.append(entries.count)
      case let event: try add(event, from: reader)
      }
    }
  }

  private mutating func add(_ event: Event, from reader: some EventSource) throws(YAMLError) {
    switch event {
    case .scalar(let properties, let style): try addScalar(properties, style, from: reader)
    case .alias(let name): try addAlias(name, at: reader.span)
    case .collectionStart(let kind, let properties): try open(kind, properties, at: reader.span)
    case .collectionEnd: try close(at: reader.span)
    case .documentStart, .streamEnd, .other: break
    }
  }

  // One function for each kind of event.

  private mutating func addScalar(
    _ properties: Event.Properties, _ style: ScalarStyle, from reader: some EventSource
  ) throws(YAMLError) {
    let (index, span) = (entries.count, reader.span)
    let isKey = try begin(.scalar, at: span)
    let tag = try coreTag(properties.tag, on: .scalar, at: span)
    let range = reader.appendText(to: &text)
    let entry = Document.Entry(
      scalarAt: index, span: wideSpans.pack(span), text: range, style: style, tag: tag)
    if let tag, entry.scalar(in: text) == nil {
      throw YAMLError(
        .tagMismatch(tag, text: String(decoding: text[range], as: UTF8.self)), at: span)
    }
    if isKey, style == .plain, tag == nil, range.count == 2, text[range].elementsEqual("<<".utf8) {
      throw YAMLError(.mergeKey, at: span)
    }
    entries.append(entry)
    if isTakenApart(range, span, style) {
      places[index] = TextPlaces(
        of: text[range], in: reader.source(), from: span.start, isBlock: style == .block)
    }
    if let anchor = properties.anchor {
      anchors.open(anchor, index: index, kind: .scalar)
      anchors.close(anchor, index: index, size: 1)
    }
    lastEnd = span.end
  }

  /// Returns true if errors may point into a scalar and its characters have no obvious places.
  ///
  /// Readers of documents only take scalars with expressions apart.
  private func isTakenApart(_ range: Range<Int>, _ span: Span, _ style: ScalarStyle) -> Bool {
    // A block may be in a language with braces, such as a query, whose mistakes have places.
    if style == .block, range.count <= Self.longestBlock, text[range].contains(UInt8(ascii: "{")) {
      return true
    }
    guard text[range].contains(UInt8(ascii: "$")), text[range].contains(sequence: "${{".utf8) else {
      return false
    }
    let quotes = style == .quoted ? 2 : 0
    return span.start.line != span.end.line
      || span.end.column - span.start.column != text[range].scalarCount + quotes
  }

  private mutating func addAlias(_ name: String, at span: Span) throws(YAMLError) {
    let target = try anchors.resolve(name, at: span)
    _ = try begin(target.kind, at: span)
    entries.append(
      Document.Entry(
        aliasAt: entries.count, span: wideSpans.pack(span), target: target.index,
        kind: target.kind))
    lastEnd = span.end
  }

  private mutating func open(
    _ kind: Node.Kind, _ properties: Event.Properties, at span: Span
  ) throws(YAMLError) {
    let index = entries.count
    _ = try begin(kind, at: span)
    guard frames.count < limits.depth else {
      throw YAMLError(.exceeded(.depth(limits.depth)), at: span)
    }
    let tag = try coreTag(properties.tag, on: kind, at: span)
    entries.append(Document.Entry(kind, at: index, span: wideSpans.pack(span), tag: tag))
    if let anchor = properties.anchor { anchors.open(anchor, index: index, kind: kind) }
    frames.append(
      Frame(
        index: index, kind: kind, anchor: properties.anchor,
        surplus: anchors.surplus))
  }

  private mutating func close(at span: Span) throws(YAMLError) {
    guard let frame = frames.popLast() else { return }
    if frame.kind == .mapping { try checkKeys(ofMappingAt: frame.index) }
    // libyaml ends a block collection, and a pair without braces, with an event of no width at the
    // place of the next token. Only a closing bracket or brace has a place of its own.
    if span.start != span.end { lastEnd = span.end }
    let count = frame.kind == .mapping ? frame.children / 2 : frame.children
    let start = wideSpans.unpack(entries[frame.index].span).start
    let whole = wideSpans.pack(Span(start: start, end: lastEnd))
    entries[frame.index].close(whole, next: entries.count, count: count)
    if let anchor = frame.anchor {
      let size = entries.count - frame.index + anchors.surplus - frame.surplus
      anchors.close(anchor, index: frame.index, size: size)
    }
  }

  // What the functions above have in common.

  /// Counts a node as a child of the innermost open collection, and says whether it is a key.
  private mutating func begin(_ kind: Node.Kind, at span: Span) throws(YAMLError) -> Bool {
    guard entries.count < limits.nodes else {
      throw YAMLError(.exceeded(.nodes(limits.nodes)), at: span)
    }
    guard let parent = frames.indices.last else { return false }
    let isKey = frames[parent].isKeyNext
    guard !isKey || kind == .scalar else { throw YAMLError(.collectionKey(kind), at: span) }
    frames[parent].children += 1
    return isKey
  }

  private func coreTag(
    _ tag: String?, on kind: Node.Kind, at span: Span
  ) throws(YAMLError) -> CoreTag? {
    guard let tag else { return nil }
    guard let core = CoreTag(tag, on: kind) else { throw YAMLError(.unknownTag(tag), at: span) }
    guard core.kind == kind else { throw YAMLError(.tagOnOtherKind(core, kind), at: span) }
    return core
  }

  private mutating func checkKeys(ofMappingAt index: Int) throws(YAMLError) {
    let pair = duplicateKeys.find(inMappingAt: index, of: entries, text: text)
    guard let pair else { return }
    let key = entries[pair.second]
    let content = key.isAlias ? entries[Int(key.offset)] : key
    throw YAMLError(
      .duplicateKey(
        String(decoding: text[content.textRange], as: UTF8.self),
        firstLine: wideSpans.unpack(entries[pair.first].span).start.line),
      at: wideSpans.unpack(key.span))
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(sequence: String.UTF8View) -> Bool {
    let part = Array(sequence)
    return indices.dropLast(part.count - 1).contains { self[$0...].starts(with: part) }
  }
}

/// The anchors of one document, and the number of nodes represented by the stream's aliases.
private struct AnchorTable {
  struct Target {
    let index: Int
    let kind: Node.Kind
    /// The number of its nodes with all inner aliases replaced, or nil while it is being read.
    fileprivate(set) var size: Int?
  }

  private let limit: Int
  private var targets: [String: Target] = [:]
  private var expansion = 0
  /// The number of additional nodes if every alias of the stream were replaced by its target.
  private(set) var surplus = 0

  /// Creates an empty table.
  ///
  /// All aliases together may represent `limit` nodes.
  init(limit: Int) { self.limit = limit }

  /// Names a node that has started.
  ///
  /// A repeated name means the new node from then on.
  mutating func open(_ name: String, index: Int, kind: Node.Kind) {
    targets[name] = Target(index: index, kind: kind, size: nil)
  }

  /// Completes a node of `size` nodes, unless a node inside it has taken its name over.
  mutating func close(_ name: String, index: Int, size: Int) {
    if targets[name]?.index == index { targets[name]?.size = size }
  }

  /// Forgets all names: an anchor is known inside its document only.
  mutating func startDocument() { targets.removeAll(keepingCapacity: true) }

  /// Finds the target of an alias, and counts its nodes.
  mutating func resolve(_ name: String, at span: Span) throws(YAMLError) -> Target {
    guard let target = targets[name] else { throw YAMLError(.unknownAlias(name), at: span) }
    guard let size = target.size else { throw YAMLError(.cyclicAlias(name), at: span) }
    expansion += size
    surplus += size - 1
    guard expansion <= limit else { throw YAMLError(.exceeded(.expansion(limit)), at: span) }
    return target
  }
}
