import FlowCommand

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

let world = CommandWorld.process()
do {
  let flow = FlowCommand(registry: try components(), world: world)
  exit(await flow.run(Array(CommandLine.arguments.dropFirst())).rawValue)
} catch {
  world.errorOutput("flow: \(error)\n")
  exit(ExitCode.internalError.rawValue)
}
