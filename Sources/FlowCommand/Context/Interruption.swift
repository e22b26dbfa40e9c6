private import Dispatch

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Turns the first request to stop into the cancellation of a task; the second ends the process.
///
/// `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP` are taken while the task runs. Only the executable's world
/// asks for it: a library must not change the signals of the program that it is part of.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The task's value, and whether it was asked to stop.
  static func cancelling<Value: Sendable>(
    _ task: Task<Value, Never>, notice: @escaping @Sendable () -> Void,
    abandon: @escaping @Sendable () -> Void
  ) async -> (value: Value, wasInterrupted: Bool) {
    let queue = DispatchQueue(label: "flow.signals")
    let sources = signals.map { number in
      // The default action would end the process before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if task.isCancelled {
          abandon()
          exit(ExitCode.interrupted.rawValue)
        }
        notice()
        task.cancel()
      }
      source.resume()
      return source
    }
    let value = await task.value
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
    return (value, task.isCancelled)
  }
}

extension CommandContext {
  /// Does work that Ctrl-C cancels, where the process's signals may be taken; the work is awaited in
  /// any case.
  func interruptibly<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, wasInterrupted: Bool) {
    guard world.takesSignals else { return (await work(), false) }
    return await Interruption.cancelling(
      Task { await work() },
      notice: { [world] in world.errorOutput("flow: stopping; once more to stop at once\n") },
      abandon: {})
  }
}
