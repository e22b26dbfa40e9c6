internal import FlowSystem

extension ReportFormat<PlanGraph> {
  /// A graph in DOT, for Graphviz.
  ///
  ///     digraph flow {
  ///       label="Pay";
  ///       labelloc=t;
  ///       node [shape=box];
  ///       n1 [label="held\nbalance.load"];
  ///       n2 [shape=diamond, label="steps.held.balance > 5"];
  ///       n3 [label="balance.subtract"];
  ///       n1 -> n2;
  ///       n2 -> n3 [label="true"];
  ///       n1 -> n2 [style=dashed, constraint=false];
  ///     }
  package static var dot: ReportFormat { ReportFormat("dot") { graph, _ in .text(graph.dotText) } }
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

  /// Returns the text for a quoted string, in which a backslash starts an escape and `&` an HTML
  /// entity.
  private static func dotText(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "&": "&amp;"
      default: nil
      }
    }
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
    // Without influence on the layout, so that the steps keep their order.
    case .data: " [style=dashed, constraint=false]"
    }
  }
}
