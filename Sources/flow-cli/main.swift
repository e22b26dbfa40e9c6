import FlowCommand

await FlowCommand.main(components, families: families)
