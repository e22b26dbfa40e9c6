internal import FlowSystem

extension ReportFormat<PlanGraph> {
  /// A flowchart of Mermaid, drawn in Markdown by many sites.
  ///
  ///     ---
  ///     title: "Pay"
  ///     ---
  ///     flowchart TD
  ///       n1["held<br/>balance.load"]
  ///       n2{"steps.held.balance #62; 5"}
  ///       n3["balance.subtract"]
  ///       n1 --> n2
  ///       n2 -->|"true"| n3
  ///       n1 -.-> n2
  package static var mermaid: ReportFormat {
    ReportFormat("mermaid") { graph, _ in .text(graph.mermaidText) }
  }
}

extension PlanGraph {
  /// The graph as a flowchart of Mermaid (https://mermaid.js.org/syntax/flowchart.html).
  package var mermaidText: String {
    var text = "---\ntitle: \"\(Self.yamlText(title))\"\n---\nflowchart TD\n"
    for item in items { text += Self.mermaid(item, indentation: "  ") }
    for edge in edges { text += "  n\(edge.from) \(edge.kind.mermaidArrow) n\(edge.to)\n" }
    return text
  }

  private static func mermaid(_ item: Item, indentation: String) -> String {
    switch item {
    case .node(let node):
      // In quotes, so that brackets and words such as `end` are not syntax.
      let label = "\"" + node.lines.map(mermaidText).joined(separator: "<br/>") + "\""
      switch node.shape {
      case .step: return "\(indentation)n\(node.id)[\(label)]\n"
      case .condition: return "\(indentation)n\(node.id){\(label)}\n"
      case .loop: return "\(indentation)n\(node.id){{\(label)}}\n"
      }
    case .group(let group):
      let items = group.items.map { mermaid($0, indentation: indentation + "  ") }.joined()
      let label = mermaidText(group.label)
      return "\(indentation)subgraph g\(group.id)[\"\(label)\"]\n\(items)\(indentation)end\n"
    }
  }

  /// Returns letters, digits and a few harmless signs unchanged, the rest of ASCII as `#35;`.
  ///
  /// Quotes would end the label, `<` start HTML, a backquote start Markdown. `%%{` is a directive
  /// and `:` before `#` a style in every place.
  private static func mermaidText(_ text: String) -> String { escaped(text) { "#\($0.value);" } }

  /// Returns text escaped by the same rule for a YAML scalar in double quotes.
  private static func yamlText(_ text: String) -> String {
    escaped(text) { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
  }

  private static func escaped(_ text: String, with escape: (Unicode.Scalar) -> String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", " ", ".", ",", "_", "-", "/", "(", ")", "[", "]", "=",
        "+", "?", "!", "'":
        nil
      default: scalar.isASCII ? escape(scalar) : nil
      }
    }
  }
}

extension PlanGraph.Edge.Kind {
  fileprivate var mermaidArrow: String {
    switch self {
    case .order: "-->"
    case .branch(let label): "-->|\"\(label)\"|"
    case .data: "-.->"
    }
  }
}
