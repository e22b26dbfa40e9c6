internal import FlowSystem
internal import FlowYAML

/// The lines that an editor may fold: every collection and text over several lines, and comments.
struct Folding {
  private static let most = 20_000

  private let lines: LineTable
  private(set) var ranges: [JSON] = []

  init(_ document: TextDocument, _ tree: Node?) {
    lines = document.lines
    if let tree { for entry in tree.entries { fold(entry) } }
    foldComments()
  }

  private mutating func fold(_ entry: Node.Entry) {
    add(entry.key.span.start.line, entry.value.span.end)
    fold(inside: entry.value)
  }

  private mutating func fold(inside node: Node) {
    if node.isAlias || ranges.count >= Self.most { return }
    for item in node.items {
      add(item.span.start.line, item.span.end)
      fold(inside: item)
    }
    for entry in node.entries { fold(entry) }
  }

  /// Adds the lines from one of YAML up to an end.
  private mutating func add(_ start: Int, _ end: Position) {
    let first = lines.place(of: lines.offset(of: Position(line: start, column: 1)), .utf8).line
    var last = lines.place(of: lines.offset(of: end), .utf8).line
    // A text in a block ends at the start of the line after it.
    if end.column == 1, last > first { last -= 1 }
    while last > first, lines.isBlank(last) { last -= 1 }
    if last > first { ranges.append(Self.range(first, last, nil)) }
  }

  private mutating func foldComments() {
    var start: Int?
    for number in 0...lines.count {
      let isComment = lines.line(number).first { $0 != 0x20 } == UInt8(ascii: "#")
      if isComment { start = start ?? number }
      if !isComment, let first = start {
        if number - 1 > first { ranges.append(Self.range(first, number - 1, "comment")) }
        start = nil
      }
    }
  }

  private static func range(_ first: Int, _ last: Int, _ kind: String?) -> JSON {
    .fields([
      "startLine": .int(first), "endLine": .int(last), "kind": kind.map(JSON.string),
    ])
  }
}

extension Feature {
  static let folding = Feature(
    method: "textDocument/foldingRange", capability: ("foldingRangeProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let analysis = workspace.analysis(of: document.uri), analysis.kind.isKnown else {
      return .array([])
    }
    return .array(Folding(document, analysis.tree).ranges)
  }
}
