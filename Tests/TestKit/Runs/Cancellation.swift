package import FlowEngine
private import Synchronization

/// Cancels a run as a whole when an address is called, as Ctrl-C does.
package final class Cancellation: EventSink {
  private let address: String?
  private let prepare: @Sendable () -> Void
  private let task = Mutex<Task<RunReport, Never>?>(nil)

  /// A cancellation at an address, or never, with a call of `prepare` just before it.
  package init(at address: String?, prepare: @escaping @Sendable () -> Void = {}) {
    self.address = address
    self.prepare = prepare
  }

  /// Runs in a separate task, so that cancelling it does not cancel the test.
  package func run(_ work: @escaping @Sendable () async -> RunReport) async -> RunReport {
    let (starts, start) = AsyncStream<Void>.makeStream()
    let running = Task {
      // Not before there is a task to cancel.
      for await _ in starts { break }
      return await work()
    }
    task.withLock { $0 = running }
    start.yield()
    return await running.value
  }

  package func receive(_ event: Event) {
    guard case .invoked(let invocation) = event, "\(invocation.address)" == address else { return }
    prepare()
    task.withLock { $0 }?.cancel()
  }
}
