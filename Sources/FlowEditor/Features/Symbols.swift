internal import FlowSystem
internal import FlowYAML

/// The outline of a text: its inputs, components, steps and outputs.
struct Symbols {
  /// The kinds of symbols, by their numbers in the protocol.
  private enum Kind: Int {
    case module = 2
    case namespace = 3
    case property = 7
    case function = 12
    case variable = 13
    case array = 18
    case event = 24
  }

  /// An entry of the outline.
  private struct Symbol {
    let name: String
    let kind: Kind
    /// The place of its name.
    let place: Span
    /// The place of everything that belongs to it.
    let content: Span
    let children: [JSON]
    var detail = ""

    init(_ name: String, _ kind: Kind, _ place: Span, _ content: Span, _ children: [JSON] = []) {
      (self.name, self.kind, self.place) = (name, kind, place)
      (self.content, self.children) = (content, children)
    }
  }

  /// The deepest nesting of symbols.
  private static let deepest = 32

  private let document: TextDocument
  private let encoding: PositionEncoding

  init(_ document: TextDocument, _ encoding: PositionEncoding) {
    (self.document, self.encoding) = (document, encoding)
  }

  func symbols(in root: Node) -> [JSON] {
    root.entries.compactMap { entry -> JSON? in
      switch entry.key.text {
      case "inputs": return section(entry, .property)
      case "components": return section(entry, .module)
      case "outputs": return section(entry, .variable)
      case let key where WrittenLine.stepKeys.contains(key):
        let children = steps(entry.value, depth: 0)
        return json(Symbol(key, .array, entry.key.span, entry.value.span, children))
      default: return nil
      }
    }
  }

  private func section(_ entry: Node.Entry, _ kind: Kind) -> JSON {
    let children = entry.value.entries.map { child in
      var symbol = Symbol(child.key.text, kind, child.key.span, child.value.span)
      symbol.detail = child.value["type"]?.text ?? child.value["plugin"]?.text ?? ""
      return json(symbol)
    }
    return json(Symbol(entry.key.text, .namespace, entry.key.span, entry.value.span, children))
  }

  private func steps(_ list: Node, depth: Int) -> [JSON] {
    if depth > Self.deepest { return [] }
    return list.items.compactMap { $0.kind == .mapping ? step($0, depth: depth) : nil }
  }

  private func step(_ node: Node, depth: Int) -> JSON {
    let action = node.entries.first { entry in
      ["uses", "scenario", "await", "wait", "for"].contains(entry.key.text)
    }
    let first = node.entries.first?.key.text ?? "step"
    let word = action.map {
      $0.key.text == "uses" ? $0.value.text : "\($0.key.text) \($0.value.text)"
    }
    let name = node["id"]?.text ?? node["name"]?.text ?? word ?? first
    let isAwaiting = action?.key.text == "await"
    let place = node["id"]?.span ?? action?.value.span ?? node.entries.first?.key.span ?? node.span
    var symbol = Symbol(
      name.isEmpty ? first : name, isAwaiting ? .event : .function, place, node.span,
      inner(node, depth: depth + 1))
    symbol.detail = name == word ? "" : word ?? (name == first ? "" : first)
    return json(symbol)
  }

  /// The steps and branches inside of a step.
  private func inner(_ node: Node, depth: Int) -> [JSON] {
    node.entries.flatMap { entry -> [JSON] in
      if WrittenLine.stepKeys.contains(entry.key.text) { return steps(entry.value, depth: depth) }
      return entry.key.text == "parallel" ? branches(entry.value, depth: depth) : []
    }
  }

  private func branches(_ node: Node, depth: Int) -> [JSON] {
    node.entries.map { branch in
      let steps = branch.value.kind == .sequence ? branch.value : branch.value["do"]
      var symbol = Symbol(
        branch.key.text, .namespace, branch.key.span, branch.value.span,
        steps.map { self.steps($0, depth: depth) } ?? [])
      symbol.detail = "branch"
      return json(symbol)
    }
  }

  private func json(_ symbol: Symbol) -> JSON {
    let whole = Span(
      start: min(symbol.place.start, symbol.content.start),
      end: max(symbol.place.end, symbol.content.end))
    return .fields([
      "name": .string(symbol.name), "kind": .int(symbol.kind.rawValue),
      "detail": symbol.detail.isEmpty ? nil : .string(symbol.detail), "range": range(whole).json,
      "selectionRange": range(symbol.place).json,
      "children": symbol.children.isEmpty ? nil : .array(symbol.children),
    ])
  }

  private func range(_ span: Span) -> EditorRange {
    EditorRange(
      document.lines.place(of: document.lines.offset(of: span.start), encoding),
      document.lines.place(of: document.lines.offset(of: span.end), encoding))
  }

  /// Returns the symbols one after another, for clients without nested ones.
  static func flat(_ symbols: [JSON], in uri: String, container: String? = nil) -> [JSON] {
    symbols.flatMap { symbol in
      let name = symbol["name"]?.string
      let own = JSON.fields([
        "name": symbol["name"], "kind": symbol["kind"],
        "location": .fields(["uri": .string(uri), "range": symbol["range"]]),
        "containerName": container.map(JSON.string),
      ])
      return [own] + flat(symbol["children"]?.elements ?? [], in: uri, container: name)
    }
  }
}

extension Feature {
  static let symbols = Feature(
    method: "textDocument/documentSymbol", capability: ("documentSymbolProvider", .bool(true))
  ) { (workspace, params) throws(RPCError) in
    let document = try workspace.document(params)
    guard let tree = workspace.analysis(of: document.uri)?.tree else { return .array([]) }
    let symbols = Symbols(document, workspace.encoding).symbols(in: tree)
    return .array(
      workspace.client.nestsSymbols ? symbols : Symbols.flat(symbols, in: document.uri))
  }
}
