internal import FlowPlan
internal import FlowReport
internal import FlowSystem

extension Command {
  static let graph = Command(
    syntax: CommandSyntax(
      name: "graph", summary: "Draws the steps of a scenario as a graph, without running them.",
      operands: .one("SCENARIO"),
      options: [outputs.option()],
      details: """
        Arrows show the order of the steps. Dashed arrows lead from an answer to the steps that read
        it. A loop is a box around its steps, an 'if' a diamond. If the scenario has a transcript,
        the graph has the recorded values of variables, names, conditions and outputs.

          flow graph shop.yaml --format dot | dot -Tsvg > shop.svg
        """)
  ) { (flow, arguments) throws(UsageError) in
    let output = try outputs.chosen(by: arguments)
    guard let plan = flow.plan(arguments.operands[0]) else { return .badInput }
    plan.hideSecrets(inputs: [], by: flow.redactor)
    flow.write(await flow.graph(of: plan), as: output)
    return .passed
  }

  private static let outputs: [ReportFormat<PlanGraph>] = [
    .mermaid, .dot,
  ]
}

extension CommandContext {
  /// Returns the graph of a plan, with the values of its recording if one fits.
  fileprivate func graph(of plan: Plan) async -> PlanGraph {
    let path = Path.transcript(of: plan.file)
    guard FileSystem.isOccupied(path) else {
      return PlanGraph(plan)
    }
    guard let trace = await recordedTrace(of: plan, at: path) else {
      process.say("the graph has no values: '\(path.onOneLine)' cannot be replayed", as: .note)
      return PlanGraph(plan)
    }
    return PlanGraph(plan, of: trace, hidingBy: redactor)
  }
}
