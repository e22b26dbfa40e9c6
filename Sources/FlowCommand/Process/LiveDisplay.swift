private import Dispatch
internal import FlowReport
internal import FlowSystem
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The rows on the terminal while a command works, with their timer and the reactions to signals.
///
/// Only the executable's environment has a terminal, because a library must not change the signals
/// of its program.
final class LiveDisplay {
  private let process: ProcessEnvironment
  private let queue = DispatchQueue(label: "flow.display")
  private var timers: [any DispatchSourceTimer] = []
  private var signals: [TakenSignals] = []

  /// The key that prints the places.
  private static let key = UInt8(ascii: "t")

  /// Shows rows until `end`, provided the process has a terminal for them.
  ///
  /// The places of all runs, a line each, are printed on SIGUSR1, and when `t` is pressed. Notices
  /// are requested once a second, with or without a terminal.
  init(
    _ process: ProcessEnvironment, rows: @escaping LiveRegion.Rows,
    places: @escaping @Sendable () -> [String],
    notices: (@Sendable () -> [String])? = nil
  ) {
    self.process = process
    if let notices {
      repeatedly(every: .seconds(1)) {
        for notice in notices() { process.errorOutput("\(notice)\n") }
      }
    }
    let tell: @Sendable () -> Void = {
      process.errorOutput(places().map { "\($0)\n" }.joined())
    }
    if process.takesSignals { react(to: SIGUSR1, tell) }
    if let region = process.region { show(rows, in: region, tell) }
  }

  private func show(
    _ rows: @escaping LiveRegion.Rows, in region: LiveRegion, _ tell: @escaping @Sendable () -> Void
  ) {
    region.begin(rows)
    process.keys?.take()
    repeatedly(every: .milliseconds(100)) { [keys = process.keys] in
      if keys?.pressed().contains(Self.key) == true { tell() }
      region.tick()
    }
    react(to: SIGWINCH) { region.tick() }
    let goOn: @Sendable () -> Void = { [keys = process.keys] in
      // A shell may have changed the mode of the terminal meanwhile.
      keys?.take()
      region.tick()
    }
    react(to: SIGCONT, goOn)
    // Ctrl-Z.
    react(to: SIGTSTP) { [keys = process.keys] in
      region.suspend()
      keys?.release()
      ProcessSignals.stopProcess()
      goOn()
    }
    // Ctrl-\, which ends the process at once.
    react(to: SIGQUIT) { [process] in
      process.leaveTerminal()
      ProcessSignals.endProcess(by: SIGQUIT)
    }
  }

  /// Stops the display, and releases the signals.
  func end() {
    // Between two of the actions: one that stops the process restores its handler when it
    // continues.
    queue.sync {
      for timer in timers { timer.cancel() }
      for signal in signals { signal.release() }
    }
    (timers, signals) = ([], [])
    // Waiting actions must not run after the terminal was left.
    queue.sync {}
    process.leaveTerminal()
  }

  private func repeatedly(
    every interval: DispatchTimeInterval, _ action: @escaping @Sendable () -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + interval, repeating: interval, leeway: .milliseconds(10))
    timer.setEventHandler(handler: DispatchWorkItem(block: action))
    timer.resume()
    timers.append(timer)
  }

  private func react(to number: CInt, _ action: @escaping @Sendable () -> Void) {
    // On the queue of the timers, so that they run one after the other.
    signals.append(TakenSignals([number]) { [queue] in queue.async(execute: action) })
  }
}

/// The last reported progress of a search.
final class LatestRow: Sendable {
  private let text = Mutex<String?>(nil)

  /// The row of the live region, or nil before the first report.
  var row: String? {
    get { text.withLock { $0 } }
    set { text.withLock { $0 = newValue } }
  }
}

/// The default reactions of the system to signals.
private enum ProcessSignals {
  /// Reacts to a signal by the default action of the system.
  static func endProcess(by number: CInt) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    // The thread that received the signal first may have it blocked.
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  /// Stops the process until a shell continues it.
  ///
  /// Returns at once if the system ignores the signal because no shell could do so.
  static func stopProcess() {
    let handler = signal(SIGTSTP, SIG_DFL)
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    raise(SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    signal(SIGTSTP, handler)
  }
}

extension LiveRegion {
  /// Returns the region of the process's terminal, or nil without a terminal or a person in front
  /// of it.
  static func process(_ environment: [String: String]) -> LiveRegion? {
    // Output through a pipe may appear on the same terminal, between the rows.
    guard Terminal.isOnErrors, !Terminal.hasPipedOutput, environment["TERM"] != "dumb",
      (environment["CI"] ?? "").isEmpty
    else { return nil }
    return LiveRegion(
      size: { Terminal.size.map { Size(columns: $0.columns, rows: $0.rows) } },
      isVisible: { Terminal.isInForeground }, write: Terminal.write)
  }
}
