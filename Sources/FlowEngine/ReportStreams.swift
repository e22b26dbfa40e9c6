package import FlowCore
private import Synchronization

/// Brings what components report to the components that use them.
package final class ReportStreams: Sendable {
  /// How many reports are kept of an event until they are read, the latest.
  private static let capacity = 10_000

  private struct Mailbox {
    var reports: [Value] = []
    var isEnded = false
  }

  /// What one component reads of one event.
  private struct Reader {
    /// How many readers there were before it.
    let number: Int
    /// The scope of the component that reads.
    let scope: Address?
    let reads: @Sendable (Value) -> Value
    let mailbox = Monitor<Mailbox, Void, Value?>(Mailbox())

    func receive(_ report: Value) {
      let report = reads(report)
      mailbox.withLock { box, tasks in
        // A task that was cancelled meanwhile takes nothing.
        if tasks.resumeFirst({ _ in .success(report) }) { return }
        box.reports.append(report)
        if box.reports.count > capacity { box.reports.removeFirst() }
      }
    }

    func end() {
      mailbox.withLock { box, tasks in
        box.isEnded = true
        tasks.resume { _ in .success(nil) }
      }
    }

    /// The next report; nil at the end, and for a task that is cancelled.
    func next() async -> Value? {
      let next = try? await mailbox.wait(for: ()) { box in
        if !box.reports.isEmpty { return .success(box.reports.removeFirst()) }
        return box.isEnded ? .success(nil) : nil
      }
      return next ?? nil
    }
  }

  private struct State {
    var readers: [EventQueue.Key: [Reader]] = [:]
    /// How many there have been.
    var count = 0
  }

  /// How often a report of an event of this name is delivered that has readers, or that a step may wait for.
  ///
  /// Called once for each.
  package typealias Deliveries = @Sendable (_ event: String) -> Int

  private let state = Mutex(State())
  private let deliveries: Deliveries?

  /// Streams without readers; each report is delivered once for nil.
  package init(deliveries: Deliveries? = nil) {
    self.deliveries = deliveries
  }

  /// What is reported from now on, as the component in a scope reads it.
  package func source(
    of key: EventQueue.Key, to scope: Address?, reads: @escaping @Sendable (Value) -> Value
  ) -> ReportSource {
    let reader = state.withLock { state in
      let reader = Reader(number: state.count, scope: scope, reads: reads)
      state.count += 1
      state.readers[key, default: []].append(reader)
      return reader
    }
    return ReportSource { await reader.next() }
  }

  /// Brings a report to its readers; false when there are none.
  @discardableResult package func publish(_ key: EventQueue.Key, _ payload: Value) -> Bool {
    (0..<deliveries(of: key)).reduce(false) { isRead, _ in deliver(key, payload) || isRead }
  }

  /// How often a report is to be delivered.
  func deliveries(of key: EventQueue.Key, isAwaited: Bool = false) -> Int {
    guard let deliveries, isAwaited || state.withLock({ $0.readers[key]?.isEmpty == false })
    else { return 1 }
    return deliveries(key.name)
  }

  /// Brings a report to its readers once; false when there are none.
  @discardableResult func deliver(_ key: EventQueue.Key, _ payload: Value) -> Bool {
    guard let readers = state.withLock({ $0.readers.isEmpty ? nil : $0.readers[key] }) else {
      return false
    }
    for reader in readers { reader.receive(payload) }
    return !readers.isEmpty
  }

  /// Ends what the components of a scope read; nil for those of the main scenario.
  package func end(in scope: Address?) {
    let ended = state.withLock { state in
      let ended = state.readers.values.joined().filter { $0.scope == scope }
      state.readers = state.readers.mapValues { $0.filter { $0.scope != scope } }
        .filter { !$0.value.isEmpty }
      return ended
    }
    // In the order in which they began: that of a dictionary differs from run to run.
    for reader in ended.sorted(by: { $0.number < $1.number }) { reader.end() }
  }
}
