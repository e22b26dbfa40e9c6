public import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension FlowCommand {
  /// Does what the process's arguments say, with these components, and ends the process.
  ///
  ///     await FlowCommand.main([Weather.self])
  ///
  /// The whole `main.swift` of a `flow` with components of one's own.
  public static func main(_ components: [any Component.Type]) async -> Never {
    let world = CommandWorld.process()
    // A worker for each processor, one thread that wakes them, and one for a run that keeps to a single thread.
    guard allowsThreads(world.coreCount + 2) else {
      world.errorOutput(
        "flow: cannot start threads; the limit of memory or processes is too small\n")
      exit(ExitCode.internalError.rawValue)
    }
    do {
      let flow = FlowCommand(registry: try Registry(components), world: world)
      exit(await flow.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    } catch {
      world.errorOutput("flow: \(error)\n")
      exit(ExitCode.internalError.rawValue)
    }
  }
}

#if canImport(Glibc) || canImport(Musl)
  /// Whether the system allows this process so many more threads at once.
  ///
  /// Where a limit of memory or processes (`ulimit -v`, `ulimit -u`) is too small, libdispatch starts no
  /// worker and says nothing, and a run would wait forever for a task that nothing executes.
  private func allowsThreads(_ count: Int) -> Bool {
    guard hasTightLimit else { return true }
    var gate: [CInt] = [0, 0]
    guard unsafe pipe(&gate) == 0 else { return false }
    var threads: [pthread_t] = []
    while threads.count < count, let thread = waitingThread(gate[0]) { threads.append(thread) }
    // The end of the pipe ends all of them.
    close(gate[1])
    for thread in threads { pthread_join(thread, nil) }
    close(gate[0])
    return threads.count == count
  }

  /// Whether a limit is set that may be too small; trying costs more than starting `flow` should.
  private var hasTightLimit: Bool {
    // RLIMIT_NPROC and RLIMIT_AS of <asm-generic/resource.h>, macros and enumerators that Swift sees as other types.
    let limits: [(CInt, rlim_t)] = [(6, 1_000), (9, 1 << 30)]
    return limits.contains { resource, enough in
      var limit = rlimit()
      return unsafe getrlimit(resource, &limit) != 0 || limit.rlim_cur < enough
    }
  }

  /// A thread that ends when nothing can come through a pipe any more; nil when the system refuses it.
  private func waitingThread(_ descriptor: CInt) -> pthread_t? {
    var thread = pthread_t()
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor))
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        var byte: UInt8 = 0
        _ = unsafe read(CInt(Int(bitPattern: argument)), &byte, 1)
        return nil
      }, argument)
    return failure == 0 ? thread : nil
  }
#else
  /// The system's kernel starts the workers there, so nothing has to be tried.
  private func allowsThreads(_ count: Int) -> Bool { true }
#endif
