import FlowCore
import Synchronization

/// A process that was started, from its start until nothing of it is left.
///
/// Its state is changed by who watches it; those who wait for it look at it from elsewhere.
final class Child: Sendable {
  /// The number of the process, and of its group.
  let pid: Int32
  private let grace: Duration
  private let watcher: Watcher
  /// When it was started.
  let started = ContinuousClock.now
  /// By what the sockets are known on which it listens.
  let origin: Origin
  private let state: Mutex<ChildState>

  /// Starts a process, which has to be watched from then on.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  init(
    _ command: Command, in watcher: Watcher, besides listeners: Set<UInt64> = []
  ) throws(ProcessError) {
    let state = try ChildState(starting: command)
    pid = state.pid
    grace = command.grace
    self.watcher = watcher
    origin = Origin(of: state.pid, besides: listeners)
    self.state = Mutex(state)
  }

  /// Lets the watcher watch it, also after a moment on this thread where it may be over so soon.
  func watch(isShort: Bool) {
    if isShort { watcher.tend(self) } else { watcher.add(self) }
  }

  /// Why an output is not all in its file.
  var outputFailure: FileError? { state.withLock { $0.outputFailure } }

  /// What became of it; nil while something of it is left.
  var result: ProcessResult? { state.withLock { $0.result } }

  /// The last lines of what is kept of its outputs: at most three of each.
  var lastLines: [String] { state.withLock { $0.lastLines } }

  /// Asks its process group to end, and kills it when the grace is over.
  func stop() { stop(after: grace) }

  private func stop(after grace: Duration) {
    state.withLock { $0.stop(after: grace) }
    watcher.wake()
  }

  /// What becomes of it; the cancellation of the caller stops it.
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

  // MARK: - Its output

  /// Begins to search its output for a line that contains a text: what was written so far, and all that comes.
  func search(for text: String) -> Int { state.withLock { $0.search(for: text) } }

  /// The line that a search has found.
  func line(of search: Int) -> String? { state.withLock { $0.line(of: search) } }

  /// Ends a search.
  func endSearch(_ search: Int) { state.withLock { $0.endSearch(search) } }

  // MARK: - For the watcher

  /// What is to be watched.
  var descriptors: [(ChildState.Source, Int32)] { state.withLock { $0.descriptors } }

  /// When it has to be looked at though nothing has happened.
  var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }

  /// Takes what has become ready and goes on; true when nothing of it is left.
  func advance(_ ready: [ChildState.Source]) -> Bool {
    let (result, waiting) = state.withLock { state in
      for source in ready { state.take(source) }
      state.advance(.now)
      return (state.result, state.result == nil ? [] : state.takeWaiting())
    }
    guard let result else { return false }
    for continuation in waiting { continuation.resume(returning: result) }
    return true
  }
}
