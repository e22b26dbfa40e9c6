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

  /// The signals for a request to stop, without Ctrl-C if something else takes it.
  private static func signals(withoutCtrlC: Bool) -> [CInt] {
    (withoutCtrlC ? [] : [SIGINT]) + [SIGTERM] + (TakenSignals.isIgnored(SIGHUP) ? [] : [SIGHUP])
  }

  /// Makes a request to stop end the process, even where it would be ignored, until the returned
  /// values are released.
  static func ending() -> [TakenSignals] {
    signals(withoutCtrlC: false).map { signal in
      TakenSignals([signal]) { exit(ExitCode(stoppedBy: signal).rawValue) }
    }
  }

  /// Returns the value of the work, and the code for the signal that requested a stop, or nil.
  ///
  /// The work starts only when no signal can be missed any more.
  static func cancelling<Value: Sendable>(
    withoutCtrlC: Bool, _ work: @escaping @Sendable () async -> Value,
    notice: @escaping @Sendable () -> Void, abandon: @escaping @Sendable () -> Void
  ) async -> (value: Value, stopped: ExitCode?) {
    let ready = AsyncStream<Never>.makeStream()
    let task = Task {
      for await _ in ready.stream {}
      return await work()
    }
    let first = Mutex<(time: ContinuousClock.Instant, code: ExitCode)?>(nil)
    let stop: @Sendable (ExitCode) -> Void = { code in
      if let begun = first.withLock({ $0 }) {
        if begun.time.duration(to: .now) < same { return }
        patiently(abandon)
        exit(code.rawValue)
      }
      patiently(notice)
      task.cancel()
      first.withLock { $0 = (.now, code) }
    }
    let signals = signals(withoutCtrlC: withoutCtrlC).map { signal in
      TakenSignals([signal]) { stop(ExitCode(stoppedBy: signal)) }
    }
    defer { for signal in signals { signal.release() } }
    ready.continuation.finish()
    let value = await task.value
    return (value, first.withLock { $0?.code })
  }

  /// Runs an action that prints, and returns before its end if it takes too long.
  private static func patiently(_ action: @escaping @Sendable () -> Void) {
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended, execute: DispatchWorkItem(block: action))
    _ = ended.wait(timeout: .now() + patience)
  }
}

/// The code of the signal that stopped a command, for its end.
final class StopCode: Sendable {
  private let state = Mutex<ExitCode?>(nil)

  /// Keeps the code of the latest signal.
  func note(_ code: ExitCode) { state.withLock { $0 = code } }

  /// Returns the code of a command, with that of the signal for an interruption.
  func replacing(_ code: ExitCode) -> ExitCode {
    code == .interrupted ? state.withLock { $0 } ?? code : code
  }
}

extension ExitCode {
  /// The code for a command stopped by a signal: 128 plus its number, as in shells.
  fileprivate init(stoppedBy signal: CInt) {
    self = ExitCode(rawValue: 128 + signal)
  }
}
