internal import FlowExpression
internal import FlowSystem
internal import FlowYAML

/// The meanings of words in a text, by which editors colour it.
struct SemanticTokens {
  /// The kinds of words, in the order of the announced list.
  enum Kind: String, CaseIterable {
    case property, namespace, method, variable, function, keyword, number, string
    case sign = "operator"
    case type

    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private struct Word {
    let range: Range<Int>
    let kind: Kind
  }

  private let document: TextDocument
  private var words: [Word] = []

  init(_ document: TextDocument, _ tree: Node?) {
    self.document = document
    if let tree { visit(tree, depth: 0) }
    visitExpressions()
  }

  /// The words in the protocol's form: five numbers each, relative to the word before.
  func data(_ encoding: PositionEncoding) -> [JSON] {
    var last = EditorPosition(line: 0, character: 0)
    var (data, end) = ([JSON](), 0)
    for word in words.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where word.range.lowerBound >= end {
      let start = document.lines.place(of: word.range.lowerBound, encoding)
      let stop = document.lines.place(of: word.range.upperBound, encoding)
      guard start.line == stop.line, stop.character > start.character else { continue }
      let isSameLine = start.line == last.line
      data += [
        .int(start.line - last.line),
        .int(isSameLine ? start.character - last.character : start.character),
        .int(stop.character - start.character), .int(word.kind.number), .int(0),
      ]
      (last, end) = (start, word.range.upperBound)
    }
    return data
  }

  // MARK: - The format

  private mutating func visit(_ node: Node, depth: Int) {
    if node.isAlias || depth > 100 { return }
    for item in node.items { visit(item, depth: depth + 1) }
    for entry in node.entries {
      add(entry.key.span, .property)
      switch entry.key.text {
      case "uses", "await": addMember(entry.value)
      case "plugin", "type": if entry.value.kind == .scalar { add(entry.value.span, .type) }
      case "id": if entry.value.kind == .scalar { add(entry.value.span, .variable) }
      default: visit(entry.value, depth: depth + 1)
      }
    }
  }

  private func range(_ span: Span) -> Range<Int> {
    let start = document.lines.offset(of: span.start)
    return start..<max(start, document.lines.offset(of: span.end))
  }

  private mutating func add(_ span: Span, _ kind: Kind) {
    words.append(Word(range: range(span), kind: kind))
  }

  /// Adds the two parts of `balance.load`.
  private mutating func addMember(_ node: Node) {
    guard node.kind == .scalar else { return }
    let range = range(node.span)
    guard let point = document.bytes[range].firstIndex(of: UInt8(ascii: ".")) else {
      return add(node.span, .namespace)
    }
    words.append(Word(range: range.lowerBound..<point, kind: .namespace))
    words.append(Word(range: (point + 1)..<range.upperBound, kind: .method))
  }

  // MARK: - Expressions

  private mutating func visitExpressions() {
    let bytes = document.bytes
    let (opening, closing) = (Array("${{".utf8), Array("}}".utf8))
    for start in bytes.ranges(of: opening).map(\.upperBound) {
      let rest = bytes[start..<min(bytes.count, start + 4_000)]
      guard let end = rest.firstRange(of: closing)?.lowerBound else { continue }
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      words += ExpressionToken.all(in: text).map { token in
        Word(
          range: (start + token.bytes.lowerBound)..<(start + token.bytes.upperBound),
          kind: token.kind.semanticKind)
      }
    }
  }
}

extension ExpressionToken.Kind {
  fileprivate var semanticKind: SemanticTokens.Kind {
    switch self {
    case .name: .variable
    case .function: .function
    case .word: .keyword
    case .number: .number
    case .string: .string
    case .sign: .sign
    }
  }
}

extension Feature {
  static let semanticTokens = Feature(
    method: "textDocument/semanticTokens/full",
    capability: (
      "semanticTokensProvider",
      .fields([
        "legend": .fields([
          "tokenTypes": .array(SemanticTokens.Kind.allCases.map { .string($0.rawValue) }),
          "tokenModifiers": .array([]),
        ]), "full": .bool(true),
      ])
    )
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let analysis = workspace.analysis(of: document.uri), analysis.kind.isKnown else {
      return .fields(["data": .array([])])
    }
    let tokens = SemanticTokens(document, analysis.tree)
    return .fields(["data": .array(tokens.data(workspace.encoding))])
  }
}
