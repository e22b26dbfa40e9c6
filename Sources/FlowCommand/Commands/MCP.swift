internal import FlowCore
internal import FlowSystem

extension Command {
  static let mcp = Command(
    syntax: CommandSyntax(
      name: "mcp", summary: "Serves check, explain, run, test and mutate to an assistant.",
      operands: .none,
      options: [
        Option(
          "allow-write", .none,
          "Lets the assistant record: 'record' of run, and 'update' of test."),
        .secret,
      ] + Permissions.options,
      details: """
        Speaks the Model Context Protocol on standard input and output, for programs that start it.
        Each tool is the command of its name with '--format json'. All paths must be below the
        working directory. --deny, --allow-host and --secret apply to every call.

        Without --allow-write, no call writes a transcript or the state of the project. Components
        that run may still write, unless they are denied.

          flow mcp --deny network,process
        """)
  ) { (flow, arguments) throws(UsageError) in
    // Wrong permissions and secrets end the command now, not each call.
    _ = try GivenSecrets(arguments, flow.process, flow.redactor)
    let tools = AssistantTools(
      FlowCommand(registry: flow.registry, process: flow.process),
      given: arguments.options.filter { RepeatedOptions.common.contains($0.name) },
      allowsWriting: arguments.has("allow-write"))
    let server = AssistantServer(tools) { [process = flow.process] message in
      process.documentOutput(message.text.shownJSON + "\n")
    }
    let lines = ClientInput.parts(by: LineSplitter(), endingWith: OtherProcess.starter)
    let (_, wasInterrupted) = await flow.interruptibly { await server.serve(lines) }
    return wasInterrupted ? .interrupted : .passed
  }
}
