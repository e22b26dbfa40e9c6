internal import FlowReport
internal import FlowScenario

extension Command {
  /// `flow graph SCENARIO`.
  static let graph = Command(
    syntax: CommandSyntax(
      name: "graph", summary: "Draws the steps of a scenario as a graph, without running them.",
      operands: .one("SCENARIO"),
      options: [
        Option(
          name: "format", value: .required("FORMAT"),
          summary: "mermaid, unless given, or dot for Graphviz.")
      ],
      details: """
        Arrows show the order of the steps, dashed ones which step reads the answer of which. A loop is a
        box around its steps, an 'if' a diamond.

          flow graph shop.yaml --format dot | dot -Tsvg > shop.svg
        """)
  ) { (flow, arguments) throws(UsageError) in
    let name = try arguments.only("format") ?? GraphFormat.mermaid.rawValue
    guard let format = GraphFormat(rawValue: name) else {
      throw .malformed(option: "format", value: name, expected: "mermaid or dot")
    }
    guard let plan = flow.plan(arguments.operands[0]) else { return .badInput }
    plan.hideSecrets(inputs: [], by: flow.redactor)
    flow.world.output(format.text(of: PlanGraph(plan)))
    return .passed
  }
}

/// The languages that a graph is written in.
private enum GraphFormat: String {
  case mermaid
  case dot

  func text(of graph: PlanGraph) -> String {
    switch self {
    case .mermaid: graph.mermaidText
    case .dot: graph.dotText
    }
  }
}
