internal import FlowSystem

extension Command {
  static let standIn = Command(
    syntax: CommandSyntax(
      name: "stand-in", summary: "Stands in for an MCP server that an agent starts.",
      operands: .one("NAME"), options: [],
      details: """
        An agent starts this command in place of the program of a server in its 'mcp.json'. It speaks
        the Model Context Protocol on standard input and output, and belongs to the run that has
        started the agent: a component 'stand-in' answers, and NAME is one of its roles.

        'stand-in.environment' gives the agent the variable FLOW_STAND_IN, which leads to this run.

          {"mcpServers": {"tools": {"command": "flow", "args": ["stand-in", "tools"]}}}
        """)
  ) { (flow, arguments) throws(UsageError) in
    let name = arguments.operands[0]
    guard let address = flow.process.variable(StandInAddress.variable) else {
      flow.process.say(
        "no run has started this program: \(StandInAddress.variable) is not set; "
          + "'environment' of a component 'stand-in' returns it")
      return .badCommandLine
    }
    guard let place = StandInAddress(address, name) else {
      flow.process.say("\(StandInAddress.variable) is not the URL of a component 'stand-in'")
      return .badCommandLine
    }
    let bridge = StandInBridge(place) { [process = flow.process] line in
      process.documentOutput(line + "\n")
    }
    let lines = ClientInput.parts(by: LineSplitter(), endingWith: OtherProcess.starter)
    let (_, wasInterrupted) = await flow.interruptibly { await bridge.serve(lines) }
    return wasInterrupted ? .interrupted : .passed
  }
}
