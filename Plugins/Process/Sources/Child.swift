import FlowCore
private import FlowProcess
import Synchronization

/// A process that was started, from its start until nothing of it is left.
///
/// Its state is changed by who watches it; those who wait for it look at it from elsewhere.
final class Child: Sendable {
  /// The number of the process, and of its group.
  let pid: Int32
  private let grace: Duration
  private let watcher: Watcher
  private let started = ContinuousClock.now
  /// The ports of this machine on which something listened before.
  private let takenPorts: Set<UInt16>
  private let state: Mutex<ChildState>

  /// Starts a process, which has to be watched from then on.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  init(
    _ command: Command, in watcher: Watcher, takenPorts: Set<UInt16> = []
  ) throws(ProcessError) {
    let state = try ChildState(starting: command)
    pid = state.pid
    grace = command.grace
    self.watcher = watcher
    self.takenPorts = takenPorts
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

// Waiting for something that a process does without ending. It is looked for again and again: a port
// tells nothing by itself, and one loop for both ends with the cancellation of the caller.
extension Child {
  private static let pause = Duration.milliseconds(10)
  /// How soon after its start a program ends that finds its port taken.
  private static let confidence = Duration.seconds(2)

  /// The ports of this machine on which something listens.
  static func listeningPorts() -> Set<UInt16> {
    let capacity = 8_192
    let ports = unsafe [UInt16](unsafeUninitializedCapacity: capacity) { ports, count in
      count = unsafe flow_listening_ports(ports.baseAddress, capacity)
    }
    return Set(ports)
  }

  /// Waits until a port of this machine accepts a connection.
  ///
  /// Whether it is the process's own cannot be seen, since another one may listen for it. But where something listened
  /// before, a process that wants the port for itself ends soon.
  ///
  /// - Throws: `.ended` when the process has ended; `CancellationError`.
  func wait(forPort port: UInt16, _ name: String) async throws -> String? {
    let wasTaken = takenPorts.contains(port)
    // Without a connection to the other one, or one that the process is slow to take.
    while wasTaken, result == nil, .now - started <= Self.confidence {
      try await Task.sleep(for: Self.pause)
    }
    let hasEndedSoon = wasTaken && result != nil
    while true {
      let accepts = flow_port_accepts(port)
      // One that goes on in the background ends with status 0.
      if let result, !accepts || result.status != 0 {
        let other = "; something else had port \(port) before it was started"
        let wait = hasEndedSoon ? other : " before port \(port) accepted a connection"
        throw ProcessError.ended(name, how: result.end + wait)
      }
      if accepts { return nil }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Waits until a server of this machine answers with a status from 200 to 399.
  ///
  /// - Throws: `.ended` when the process has ended; `CancellationError`.
  func wait(forAnswerFrom url: LocalURL, _ name: String) async throws -> String? {
    _ = try await wait(forPort: url.port, name)
    while true {
      if let status = try await status(of: url), 200..<400 ~= status { return nil }
      if let result, result.status != 0 {
        throw ProcessError.ended(name, how: "\(result.end) before \(url.text) answered")
      }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// The status that a server answers with; nil where it has none within five seconds.
  private func status(of url: LocalURL) async throws -> Int? {
    let connection = unsafe url.request.withCString { unsafe flow_request(url.port, $0) }
    guard connection >= 0 else { return nil }
    defer { flow_close(connection) }
    for _ in 0..<500 {
      let status = flow_answer_status(connection)
      if status != 0 { return status > 0 ? Int(status) : nil }
      if result?.status ?? 0 != 0 { return nil }
      try await Task.sleep(for: Self.pause)
    }
    return nil
  }

  /// Waits until a line of its output contains a text, and answers the line.
  ///
  /// - Throws: `.ended` when the process has ended; `CancellationError`.
  func wait(forLine text: String, _ name: String) async throws -> String {
    let search = state.withLock { $0.search(for: text) }
    defer { state.withLock { $0.endSearch(search) } }
    while true {
      // In this order: the last line comes with the end.
      let result = result
      if let line = state.withLock({ $0.line(of: search) }) { return line }
      if let result {
        throw ProcessError.ended(name, how: "\(result.end) before it wrote '\(text)'")
      }
      try await Task.sleep(for: Self.pause)
    }
  }
}

extension ProcessResult {
  /// `ended with status 1`.
  fileprivate var end: String {
    signal.map { "was ended by \($0)" } ?? "ended with status \(status)"
  }
}
