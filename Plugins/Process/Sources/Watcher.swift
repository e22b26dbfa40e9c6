private import Dispatch
private import FlowProcess
private import Subprocess
private import Synchronization

/// Waits for processes and their output, on a separate thread while there are any.
///
/// No task waits in a system call for long, so the concurrent pool stays free however many
/// processes run. After a process that ended within a moment, a task with the only process watches
/// it itself for that long: two switches between threads cost as much as a tenth of a short
/// program.
final class Watcher: Sendable {
  private struct State {
    /// The processes watched by the thread.
    var children: [Child] = []
    /// True if a task watches its process itself.
    var isTended = false
    /// True if the latest process was alone and ended within a task's patience.
    ///
    /// The next one may as well.
    var isQuick = false
    /// True if the thread is at work.
    var isRunning = false
    /// The waker of the thread after its first start, or nil if the system has no more descriptors.
    var waker: Waker?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "flow.processes")

  /// The time for which a task watches its process before the thread does, blocking its executor.
  private static let patience = Duration.milliseconds(5)

  /// Watches a process until it has ended completely, at first for a moment on the caller's thread.
  ///
  /// - Precondition: The process has no input, since only the watcher's thread blocks SIGPIPE.
  func tend(_ child: Child) {
    let isTended = state.withLock { state in
      guard state.isQuick, !state.isTended, !state.isRunning else { return false }
      state.isTended = true
      return true
    }
    guard isTended else { return add(child) }
    let end = ContinuousClock.now + Self.patience
    var hasEnded = false
    while !hasEnded, .now < end { hasEnded = !watch([child], nil, until: end).isEmpty }
    state.withLock { state in
      state.isTended = false
      state.isQuick = hasEnded && !state.isRunning
    }
    if !hasEnded { add(child) }
  }

  /// Watches a process until it has ended completely.
  func add(_ child: Child) {
    let isRunning = state.withLock { state in
      defer { state.isRunning = true }
      state.children.append(child)
      return state.isRunning
    }
    if isRunning { wake() } else { queue.async { self.run() } }
  }

  /// Lets the thread check all processes again.
  func wake() {
    state.withLock { $0.isRunning ? $0.waker : nil }?.wake()
  }

  private func run() {
    // A process may close its input.
    flow_block_broken_pipes()
    let waker = state.withLock { state in
      // Kept for later processes, which often run one after the other.
      if state.waker == nil { state.waker = Waker() }
      return state.waker
    }
    while let children = remaining() { remove(watch(children, waker), of: children.count) }
  }

  /// Returns the processes to watch, or nil without any, which frees the thread.
  private func remaining() -> [Child]? {
    state.withLock { state in
      if !state.children.isEmpty { return state.children }
      state.isRunning = false
      return nil
    }
  }

  /// Waits for an event or a deadline, handles it, and returns the processes that have ended
  /// completely.
  private func watch(
    _ children: [Child], _ waker: Waker?, until end: ContinuousClock.Instant? = nil
  ) -> [Child] {
    let watched = children.map(\.descriptors)
    let owners = watched.enumerated().flatMap { index, each in each.map { _ in index } }
    let all = watched.flatMap(\.self)
    let deadline = (children.compactMap(\.deadline) + [end].compactMap(\.self)).min()
    var ready = [[SubprocessStreams.Source]](repeating: [], count: children.count)
    for index in SubprocessStreams.ready(among: all, waker, until: deadline) {
      ready[owners[index]].append(all[index].source)
    }
    return zip(children, ready).filter { child, sources in child.advance(sources) }.map(\.0)
  }

  /// Forgets the ended ones of `count` watched processes.
  private func remove(_ ended: [Child], of count: Int) {
    guard let last = ended.last else { return }
    state.withLock { state in
      state.children.removeAll { child in ended.contains { $0 === child } }
      let isAlone = count == 1 && !state.isTended
      state.isQuick = isAlone && (last.result?.elapsed ?? .zero) < Self.patience
    }
  }
}
