internal import FlowReport
internal import FlowScenario

extension Command {
  static let graph = Command(
    syntax: CommandSyntax(
      name: "graph", summary: "Draws the steps of a scenario as a graph, without running them.",
      operands: .one("SCENARIO"),
      options: [outputs.option()],
      details: """
        Arrows show the order of the steps. Dashed arrows lead from an answer to the steps that read
        it. A loop is a box around its steps, an 'if' a diamond.

          flow graph shop.yaml --format dot | dot -Tsvg > shop.svg
        """)
  ) { (flow, arguments) throws(UsageError) in
    let output = try outputs.chosen(by: arguments)
    guard let plan = flow.plan(arguments.operands[0]) else { return .badInput }
    plan.hideSecrets(inputs: [], by: flow.redactor)
    flow.write(PlanGraph(plan), as: output)
    return .passed
  }

  private static let outputs: [ReportFormat<PlanGraph>] = [
    .mermaid, .dot,
  ]
}
