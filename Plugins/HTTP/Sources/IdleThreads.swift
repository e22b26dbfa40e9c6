private import Synchronization

/// The threads between two components.
enum IdleThreads {
  /// The server and the options of the connections, which are otherwise not exchangeable.
  struct Key: Hashable, Sendable {
    var server: String
    var options: TransferOptions
  }

  private struct Idle {
    let thread: TransferThread
    let generation: Int
  }

  private static let threads = Mutex<[Key: [Idle]]>([:])
  /// The most idle threads for a server, more than components of it work at once.
  private static let greatestCount = 64

  /// The next scenario of a suite starts long before, and a server that waits for the end of its
  /// connections hardly notices.
  @TaskLocal static var patience = Duration.milliseconds(50)

  /// Takes an idle thread.
  static func take(_ key: Key) -> TransferThread? {
    threads.withLock { threads in
      let thread = threads[key]?.popLast()?.thread
      if threads[key]?.isEmpty == true { threads[key] = nil }
      return thread
    }
  }

  /// Keeps a thread until another component takes it or the time is over, and returns false if there
  /// are too many.
  static func keep(_ thread: TransferThread, for key: Key) -> Bool {
    let idle = Idle(thread: thread, generation: thread.generation)
    let isKept = threads.withLock { threads in
      guard threads[key, default: []].count < greatestCount else { return false }
      threads[key, default: []].append(idle)
      return true
    }
    if isKept {
      Task.detached { [patience] in
        try? await Task.sleep(for: patience)
        if remove(idle, key) { await idle.thread.close() }
      }
    }
    return isKept
  }

  /// Removes a thread unless it was taken since.
  private static func remove(_ idle: Idle, _ key: Key) -> Bool {
    threads.withLock { threads in
      let index = threads[key]?.firstIndex {
        $0.thread === idle.thread && $0.generation == idle.generation
      }
      guard let index else { return false }
      threads[key]?.remove(at: index)
      if threads[key]?.isEmpty == true { threads[key] = nil }
      return true
    }
  }
}
