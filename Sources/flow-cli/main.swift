import FlowCommand

await FlowCommand.main(components)
