import FlowCore
import Subprocess
import Synchronization

/// A started process, until it and its group have ended.
///
/// The watcher changes its state. Waiting tasks read it from other threads.
final class Child: Sendable {
  /// The number of the process, and of its group.
  let pid: Int32
  private let grace: Duration
  private let watcher: Watcher
  /// The time of the start.
  let started = ContinuousClock.now
  /// The identity by which listening sockets of the process are recognised.
  let origin: Origin
  private let state: Mutex<ChildState>
  /// Its run, or nil between two runs.
  private let bond: Mutex<Bond?>
  /// Shows a line of its output, or nil if nobody watches.
  private let show: (@Sendable (String) -> Void)?

  /// The part of a run in a process.
  struct Bond: Sendable {
    /// The pace of the run's time while the process runs, or nil if time stands still.
    var pace: RealTimePace?
    /// Notes an end that nothing asked for, or nil for a process whose end is awaited.
    var note: EndNote?
  }

  /// Notes a failed end that nothing asked for, in words and with the last lines of the outputs.
  typealias EndNote = @Sendable (_ end: String, _ lastLines: [String]) -> PendingFailure

  /// Starts a process, which must be watched from then on.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  init(
    _ command: Command, in watcher: Watcher, besides listeners: Set<UInt64> = [],
    bond: Bond = Bond()
  ) throws(ProcessError) {
    let state = try ChildState(starting: command)
    pid = state.pid
    grace = command.grace
    self.watcher = watcher
    self.bond = Mutex(bond)
    show = command.show
    origin = Origin(of: state.pid, besides: listeners)
    self.state = Mutex(state)
  }

  /// Lets the watcher watch the process, first for a moment on this thread if it is expected to be
  /// short.
  func watch(isShort: Bool) {
    if isShort { watcher.tend(self) } else { watcher.add(self) }
  }

  /// The reason why an output is not completely in its file, or nil.
  var outputFailure: FileError? { state.withLock { $0.outputFailure } }

  /// The result, or nil while a part of the process is left.
  var result: ProcessResult? { state.withLock { $0.result } }

  /// The last lines kept of its outputs, at most three of each.
  var lastLines: [String] { state.withLock { $0.lastLines } }

  /// Asks the process group to end, and kills it after the grace period.
  func stop() { stop(after: grace) }

  private func stop(after grace: Duration) {
    state.withLock { $0.stop(after: grace) }
    watcher.wake()
  }

  /// Waits for the result.
  ///
  /// Cancelling the caller stops the process.
  func end(stoppedAfter grace: Duration) async -> ProcessResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { $0.resultOrWait(continuation) }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      stop(after: grace)
    }
  }

  /// Sends a signal, and returns false if the program has ended.
  func send(_ signal: Int32, toGroup: Bool) -> Bool {
    state.withLock { $0.send(signal, toGroup: toGroup) }
  }

  // MARK: - An end that nothing asked for

  /// Takes the end as asked for, whether or not it has come.
  func takeEnd() { state.withLock { $0.takeEnd() } }

  /// Takes an end from now on as asked for, and returns true if the process has ended before and
  /// the watcher has yet to notice.
  func isEndingBefore() -> Bool { state.withLock { $0.isEndingBefore() } }

  // MARK: - From one run to the next

  /// Leaves the run, and returns false if the process has ended or is about to.
  func leave() -> Bool {
    bond.withLock { bond in
      defer { bond = nil }
      return bond
    }?.pace?.end()
    return state.withLock(\.isUntouched)
  }

  /// Takes part in another run, and returns false if the process has ended or is about to.
  func join(_ bond: Bond) -> Bool {
    self.bond.withLock { $0 = bond }
    let isUntouched = state.withLock { state in
      if state.isUntouched { state.forgetSteps() }
      return state.isUntouched
    }
    if !isUntouched { _ = leave() }
    return isUntouched
  }

  // MARK: - Its terminal

  /// True if the program has a terminal.
  var hasTerminal: Bool { state.withLock { $0.hasTerminal } }

  /// Types on the terminal, and returns false if the program has ended.
  func type(_ text: String) -> Bool {
    defer { watcher.wake() }
    return state.withLock { $0.type(text) }
  }

  /// Returns the line on the terminal with a text up to its end, or nil.
  func prompt(_ text: String) -> String? { state.withLock { $0.prompt(text) } }

  // MARK: - Its output

  /// Starts a search for an output line containing a string, both in earlier output and in later
  /// output.
  func search(for text: String) -> Int { state.withLock { $0.search(for: text) } }

  /// Returns the line found by a search, or nil.
  func line(of search: Int) -> String? { state.withLock { $0.line(of: search) } }

  /// Returns a line without an end that contains a string, if the program has been silent since.
  func unfinishedLine(containing text: String) -> String? {
    state.withLock { $0.unfinishedLine(containing: text) }
  }

  /// Ends a search.
  func endSearch(_ search: Int) { state.withLock { $0.endSearch(search) } }

  // MARK: - For the watcher

  /// The descriptors to watch.
  var descriptors: [SubprocessStreams.Watched] { state.withLock { $0.descriptors } }

  /// The time at which `advance` is due without any event, or nil.
  var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }

  /// Handles the ready sources and continues, returning true when no part of the process is left.
  func advance(_ ready: [SubprocessStreams.Source]) -> Bool {
    let bond = bond.withLock(\.self)
    let (result, waiting, lines) = state.withLock { state in
      for source in ready { state.take(source) }
      state.advance(.now)
      if let note = bond?.note { state.noteEnd(note) }
      let lines = show == nil ? [] : state.takeShown()
      return (state.result, state.result == nil ? [] : state.takeWaiting(), lines)
    }
    // Without the lock, since a slow terminal must not delay a stop.
    if let show { for line in lines { show(line) } }
    guard let result else { return false }
    bond?.pace?.end()
    for continuation in waiting { continuation.resume(returning: result) }
    return true
  }
}
