import FlowCommand

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

let world = CommandWorld.process()
// A worker for each processor, one thread that wakes them, and one for a run that keeps to a single thread.
if !allowsThreads(world.coreCount + 2) {
  world.errorOutput("flow: cannot start threads; the limit of memory or processes is too small\n")
  exit(ExitCode.internalError.rawValue)
}
do {
  let flow = FlowCommand(registry: try components(), world: world)
  exit(await flow.run(Array(CommandLine.arguments.dropFirst())).rawValue)
} catch {
  world.errorOutput("flow: \(error)\n")
  exit(ExitCode.internalError.rawValue)
}
