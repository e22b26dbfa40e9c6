private import Dispatch
internal import FlowSystem
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The handling of requests to stop: the first cancels a task, and the second ends the process.
///
/// `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP` are taken while the task runs, except `SIGHUP` below
/// `nohup`. Only the executable's environment requests this, because a library must not change the
/// signals of its program.
enum Interruption {
  /// The time within which a second request is a copy of the first.
  ///
  /// A supervisor signals the process and its group. A shell and the system both report a closed
  /// terminal.
  private static let same = Duration.milliseconds(50)
  /// The longest wait for the terminal.
  ///
  /// Output without a reader must not keep the process from ending.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  /// The signals for a request to stop.
  private static var signals: [CInt] {
    [SIGINT, SIGTERM] + (TakenSignals.isIgnored(SIGHUP) ? [] : [SIGHUP])
  }

  /// Makes a request to stop end the process, even where it would be ignored, until the returned
  /// value is released.
  static func ending() -> TakenSignals {
    TakenSignals(signals) { exit(ExitCode.interrupted.rawValue) }
  }

  /// Returns the value of the work, and true if a stop was requested.
  ///
  /// The work starts only when no signal can be missed any more.
  static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, notice: @escaping @Sendable () -> Void,
    abandon: @escaping @Sendable () -> Void
  ) async -> (value: Value, wasInterrupted: Bool) {
    let ready = AsyncStream<Never>.makeStream()
    let task = Task {
      for await _ in ready.stream {}
      return await work()
    }
    let first = Mutex<ContinuousClock.Instant?>(nil)
    let signals = TakenSignals(signals) {
      if let begun = first.withLock({ $0 }) {
        if begun.duration(to: .now) < same { return }
        patiently(abandon)
        exit(ExitCode.interrupted.rawValue)
      }
      patiently(notice)
      task.cancel()
      first.withLock { $0 = .now }
    }
    defer { signals.release() }
    ready.continuation.finish()
    return (await task.value, task.isCancelled)
  }

  /// Runs an action that prints, and returns before its end if it takes too long.
  private static func patiently(_ action: @escaping @Sendable () -> Void) {
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended, execute: DispatchWorkItem(block: action))
    _ = ended.wait(timeout: .now() + patience)
  }
}
