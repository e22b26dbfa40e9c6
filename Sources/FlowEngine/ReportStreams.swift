package import FlowCore
private import Synchronization

/// Brings what components report to the components that use them.
package final class ReportStreams: Sendable {
  /// How many reports are kept of an event until they are read, the latest.
  private static let capacity = 1_000

  private struct Reader {
    /// The scope of the component that reads.
    let scope: Address?
    let reads: @Sendable (Value) -> Value
    let continuation: AsyncStream<Value>.Continuation
  }

  private let readers = Mutex<[EventQueue.Key: [Reader]]>([:])

  /// Streams without readers.
  package init() {}

  /// What is reported from now on, as the component in a scope reads it.
  package func stream(
    of key: EventQueue.Key, to scope: Address?, reads: @escaping @Sendable (Value) -> Value
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    let reader = Reader(scope: scope, reads: reads, continuation: continuation)
    readers.withLock { $0[key, default: []].append(reader) }
    return stream
  }

  /// Brings a report to its readers; false when there are none.
  @discardableResult package func publish(_ key: EventQueue.Key, _ payload: Value) -> Bool {
    guard let readers = readers.withLock({ $0.isEmpty ? nil : $0[key] }) else { return false }
    for reader in readers { reader.continuation.yield(reader.reads(payload)) }
    return !readers.isEmpty
  }

  /// Ends what the components of a scope read; nil for those of the main scenario.
  package func end(in scope: Address?) {
    let ended = readers.withLock { readers in
      let ended = readers.values.joined().filter { $0.scope == scope }
      readers = readers.mapValues { $0.filter { $0.scope != scope } }.filter { !$0.value.isEmpty }
      return ended
    }
    for reader in ended { reader.continuation.finish() }
  }
}
