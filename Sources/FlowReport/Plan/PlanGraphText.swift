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
      // In quotes, so that words such as `end` and brackets are not syntax.
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

  /// Letters, digits and a few harmless signs as they are, the rest of ASCII as `#35;`.
  ///
  /// Quotes would end the label, `<` begin HTML, a backquote begin Markdown; `%%{` is a directive and `:`
  /// before `#` a style wherever they stand.
  private static func mermaidText(_ text: String) -> String { escaped(text) { "#\($0.value);" } }

  /// The same rule for the text of a YAML scalar in double quotes.
  private static func yamlText(_ text: String) -> String {
    escaped(text) { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
  }

  private static func escaped(_ text: String, with escape: (Unicode.Scalar) -> String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", " ", ".", ",", "_", "-", "/", "(", ")", "[", "]", "=",
        "+",
        "?", "!", "'":
        result.unicodeScalars.append(scalar)
      case _ where scalar.isASCII: result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
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

extension PlanGraph {
  /// The graph in DOT, the language of Graphviz (https://graphviz.org/doc/info/lang.html).
  package var dotText: String {
    var text = """
      digraph flow {
        label="\(Self.dotText(title))";
        labelloc=t;
        node [shape=box];

      """
    for item in items { text += Self.dot(item, indentation: "  ") }
    for edge in edges { text += "  n\(edge.from) -> n\(edge.to)\(edge.kind.dotAttributes);\n" }
    return text + "}\n"
  }

  private static func dot(_ item: Item, indentation: String) -> String {
    switch item {
    case .node(let node):
      let label = node.lines.map(dotText).joined(separator: "\\n")
      return "\(indentation)n\(node.id) [\(node.shape.dotAttribute)label=\"\(label)\"];\n"
    case .group(let group):
      let items = group.items.map { dot($0, indentation: indentation + "  ") }.joined()
      return """
        \(indentation)subgraph cluster_g\(group.id) {
        \(indentation)  label="\(dotText(group.label))";
        \(items)\(indentation)}

        """
    }
  }

  /// The text for a string in quotes, in which a backslash begins an escape and `&` an HTML entity.
  private static func dotText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension PlanGraph.Shape {
  fileprivate var dotAttribute: String {
    switch self {
    case .step: ""
    case .condition: "shape=diamond, "
    case .loop: "shape=hexagon, "
    }
  }
}

extension PlanGraph.Edge.Kind {
  fileprivate var dotAttributes: String {
    switch self {
    case .order: ""
    case .branch(let label): " [label=\"\(label)\"]"
    // Without a say in the layout, so that the steps stand in their order.
    case .data: " [style=dashed, constraint=false]"
    }
  }
}
