package import FlowCore
private import Synchronization

/// The streams that bring reports of components to the components that use them.
package final class ReportStreams: Sendable {
  /// The number of unread reports kept for each event, the latest ones.
  private static let capacity = 10_000

  private typealias Follower = @Sendable (Value) -> Void

  private struct Mailbox {
    var reports: [Value] = []
    var isEnded = false
    /// Receives the reports in place of waiting tasks, or nil.
    var follower: Follower?
  }

  /// A reader of one event in one component.
  private struct Reader {
    /// The number of readers before it.
    let number: Int
    /// The scope of the reading component.
    let scope: Address?
    /// The name of the reading component.
    let component: String
    let reads: @Sendable (Value) -> Value
    let mailbox = Monitor<Mailbox, Void, Value?>(Mailbox())

    func receive(_ report: Value) {
      let report = reads(report)
      let follower = mailbox.withLock { box, tasks -> Follower? in
        if let follower = box.follower { return follower }
        // A task that was cancelled meanwhile takes no report.
        if tasks.resumeFirst({ _ in .success(report) }) { return nil }
        box.reports.append(report)
        if box.reports.count > capacity { box.reports.removeFirst() }
        return nil
      }
      follower?(report)
    }

    func follow(_ follower: @escaping Follower) {
      let unread = mailbox.withLock { box, _ in
        if !box.isEnded { box.follower = follower }
        defer { box.reports = [] }
        return box.reports
      }
      for report in unread { follower(report) }
    }

    func end() {
      mailbox.withLock { box, tasks in
        (box.isEnded, box.follower) = (true, nil)
        tasks.resume { _ in .success(nil) }
      }
    }

    /// The next report, or nil at the end and for a cancelled task.
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
    /// The number of reports so far.
    var count = 0
  }

  /// Returns how often a report is delivered, for an event with readers or waiting steps.
  ///
  /// Called once for each report.
  package typealias Deliveries = @Sendable (_ event: String) -> Int

  private let state = Mutex(State())
  private let deliveries: Deliveries?

  /// Creates streams without readers.
  ///
  /// With nil, each report is delivered once.
  package init(deliveries: Deliveries? = nil) {
    self.deliveries = deliveries
  }

  /// A source of future reports for a component, of this name in a scope.
  package func source(
    of key: EventQueue.Key, to component: String, in scope: Address?,
    reads: @escaping @Sendable (Value) -> Value
  ) -> ReportSource {
    let reader = state.withLock { state in
      let reader = Reader(number: state.count, scope: scope, component: component, reads: reads)
      state.count += 1
      state.readers[key, default: []].append(reader)
      return reader
    }
    return ReportSource(next: { await reader.next() }, follow: { reader.follow($0) })
  }

  /// Brings a report to its readers, as often as it is to be delivered.
  ///
  /// Returns false without readers.
  @discardableResult package func publish(_ key: EventQueue.Key, _ payload: Value) -> Bool {
    (0..<deliveries(of: key)).reduce(false) { isRead, _ in deliver(key, payload) || isRead }
  }

  /// Returns the number of deliveries for a report.
  func deliveries(of key: EventQueue.Key, isAwaited: Bool = false) -> Int {
    guard let deliveries, isAwaited || state.withLock({ $0.readers[key]?.isEmpty == false })
    else { return 1 }
    return deliveries(key.name)
  }

  /// Brings a report to its readers once.
  ///
  /// Returns false without readers.
  @discardableResult func deliver(_ key: EventQueue.Key, _ payload: Value) -> Bool {
    guard let readers = state.withLock({ $0.readers.isEmpty ? nil : $0.readers[key] }) else {
      return false
    }
    for reader in readers { reader.receive(payload) }
    return !readers.isEmpty
  }

  /// Ends the sources of a component of a scope, or of all its components.
  ///
  /// The scope is nil for the main scenario.
  package func end(in scope: Address?, of component: String? = nil) {
    let ends = { (reader: Reader) in
      reader.scope == scope && (component == nil || reader.component == component)
    }
    let ended = state.withLock { state in
      let ended = state.readers.values.joined().filter(ends)
      if ended.isEmpty { return ended }
      state.readers = state.readers.mapValues { $0.filter { !ends($0) } }
        .filter { !$0.value.isEmpty }
      return ended
    }
    // In the order of their start, because the order of a dictionary differs from run to run.
    for reader in ended.sorted(by: { $0.number < $1.number }) { reader.end() }
  }
}
