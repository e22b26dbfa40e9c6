internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Changes of a text's layout that change nothing else: blanks at the ends of lines, one line
/// break at the end, and no empty lines before it.
///
/// A block scalar keeps its blanks. The tree of the result is compared with that of the text.
struct Formatting {
  private let document: TextDocument

  init(_ document: TextDocument) { self.document = document }

  /// The changes, or none for a text that is no YAML.
  var edits: [TextEdit] {
    guard let tree = tree(of: document.bytes) else { return [] }
    let lines = trailing(outside: blocks(in: tree))
    var all = lines
    if let end {
      all = lines.filter { $0.range.upperBound <= end.range.lowerBound } + [end]
    }
    // Empty lines at the end may belong to a block.
    return [all, lines].first { $0.isEmpty || isSame(document.applying($0), tree) } ?? []
  }

  /// The blanks at the ends of lines outside of some stretches, which are in file order.
  private func trailing(outside blocks: [Range<Int>]) -> [TextEdit] {
    var rest = blocks[...]
    return trailing.filter { edit in
      let place = edit.range.lowerBound
      while let first = rest.first, first.upperBound <= place { rest.removeFirst() }
      return !(rest.first?.contains(place) ?? false)
    }
  }

  /// The lines of block scalars, each without the line of its indicator, in file order.
  private func blocks(in node: Node) -> [Range<Int>] {
    if node.isAlias { return [] }
    switch node.kind {
    case .scalar:
      guard node.isBlock else { return [] }
      let start = document.lines.offset(of: Position(line: node.span.start.line + 1, column: 1))
      return [start..<max(start, document.lines.offset(of: node.span.end))]
    case .sequence: return node.items.flatMap(blocks)
    case .mapping: return node.entries.flatMap { blocks(in: $0.value) }
    }
  }

  private var trailing: [TextEdit] {
    (0..<document.lines.count).compactMap { number in
      let line = document.lines.line(number)
      var end = line.endIndex
      while end > line.startIndex, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
      return end == line.endIndex ? nil : TextEdit(range: end..<line.endIndex, text: "")
    }
  }

  private var end: TextEdit? {
    let bytes = document.bytes
    if bytes.isEmpty { return nil }
    var content = bytes.count
    while content > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[content - 1]) { content -= 1 }
    // The blanks of the last lines go with them.
    let start = bytes[content...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    let rest = bytes[start...]
    if rest.elementsEqual([0x0A]) || rest.elementsEqual([0x0D, 0x0A]) { return nil }
    let ending = bytes.contains(0x0D) ? "\r\n" : "\n"
    return TextEdit(range: start..<bytes.count, text: ending)
  }

  private func tree(of bytes: [UInt8]) -> Node? {
    try? Node(parsing: bytes, as: Format(ofFile: document.path))
  }

  private func isSame(_ changed: TextDocument, _ tree: Node) -> Bool {
    self.tree(of: changed.bytes)?.hasSameContent(as: tree) ?? false
  }
}

extension Node {
  /// True if two trees have the same nodes, wherever they are.
  fileprivate func hasSameContent(as other: Node) -> Bool {
    guard kind == other.kind, isAlias == other.isAlias, tag == other.tag else { return false }
    if isAlias { return true }
    switch kind {
    case .scalar: return text.isIdentical(to: other.text) && isPlain == other.isPlain
    case .sequence:
      return items.count == other.items.count
        && zip(items, other.items).allSatisfy { $0.hasSameContent(as: $1) }
    case .mapping:
      return entries.count == other.entries.count
        && zip(entries, other.entries).allSatisfy {
          $0.key.hasSameContent(as: $1.key) && $0.value.hasSameContent(as: $1.value)
        }
    }
  }
}

extension Feature {
  static let formatting = Feature(
    method: "textDocument/formatting", capability: ("documentFormattingProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard DocumentKind(document).isKnown else { return .array([]) }
    return .array(Formatting(document).edits.map { document.json($0, workspace.encoding) })
  }
}
