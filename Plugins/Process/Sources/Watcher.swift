private import Dispatch
private import FlowProcess
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Waits for processes and their output, on a thread of its own while there are any.
///
/// No task waits in a system call, so however many processes run, the concurrent pool is free.
final class Watcher: Sendable {
  private struct State {
    var children: [Child] = []
    /// Whether the thread is at work.
    var isRunning = false
    /// What wakes the thread, once it was at work; nil where the system had no more descriptors.
    var waker: Waker?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "flow.processes")

  /// Watches a process until nothing of it is left.
  func add(_ child: Child) {
    let isRunning = state.withLock { state in
      defer { state.isRunning = true }
      state.children.append(child)
      return state.isRunning
    }
    if isRunning { wake() } else { queue.async { self.run() } }
  }

  /// Lets the thread look at all processes again.
  func wake() {
    state.withLock { $0.isRunning ? $0.waker : nil }?.wake()
  }

  private func run() {
    // The input of a process that closes it.
    flow_block_broken_pipes()
    let waker = state.withLock { state in
      // Kept for the processes to come, which are often many, one after the other.
      if state.waker == nil { state.waker = Waker() }
      return state.waker
    }
    while let children = remaining() { watch(children, waker) }
  }

  /// The processes to watch; nil when there are none, and then the thread is free.
  private func remaining() -> [Child]? {
    state.withLock { state in
      if !state.children.isEmpty { return state.children }
      state.isRunning = false
      return nil
    }
  }

  /// Waits until something happens, or is due, and passes it on.
  private func watch(_ children: [Child], _ waker: Waker?) {
    var polled = [pollfd(fd: waker?.reading ?? -1, events: Int16(POLLIN), revents: 0)]
    var sources: [(child: Int, source: ChildState.Source)] = []
    for (index, child) in children.enumerated() {
      for (source, descriptor) in child.descriptors {
        let events = source == .input ? POLLOUT : POLLIN
        polled.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        sources.append((index, source))
      }
    }
    _ = unsafe poll(&polled, nfds_t(polled.count), timeout(of: children, isWakened: waker != nil))
    if polled[0].revents != 0 { waker?.clear() }
    var ready = [[ChildState.Source]](repeating: [], count: children.count)
    for (entry, place) in zip(polled.dropFirst(), sources) where entry.revents != 0 {
      ready[place.child].append(place.source)
    }
    for (child, sources) in zip(children, ready) where child.advance(sources) { remove(child) }
  }

  /// Milliseconds until the first process is due; -1 for none.
  private func timeout(of children: [Child], isWakened: Bool) -> Int32 {
    let limit: Int32 = isWakened ? -1 : 10
    guard let deadline = children.compactMap(\.deadline).min() else { return limit }
    let left = max(.zero, deadline - .now)
    // Rounded up: a deadline that is not over yet would only be looked at in vain.
    let milliseconds = Int32(min(60_000, left / .milliseconds(1))) + 1
    return isWakened ? milliseconds : min(milliseconds, limit)
  }

  private func remove(_ child: Child) {
    state.withLock { state in state.children.removeAll { $0 === child } }
  }
}

/// A pipe that ends the waiting of a thread.
private final class Waker: Sendable {
  /// Becomes readable by `wake`.
  let reading: Int32
  private let writing: Int32

  /// Nil when the system has no more descriptors.
  init?() {
    var writing: Int32 = -1
    let reading = unsafe flow_waker_open(&writing)
    if reading < 0 { return nil }
    (self.reading, self.writing) = (reading, writing)
  }

  deinit {
    flow_close(reading)
    flow_close(writing)
  }

  func wake() { flow_wake(writing) }

  /// Forgets how often it was woken.
  func clear() { flow_waker_clear(reading) }
}
