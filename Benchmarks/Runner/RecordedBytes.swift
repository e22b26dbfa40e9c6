import Synchronization

/// Keeps a recording in memory.
final class RecordedBytes: Sendable {
  private let content = Mutex<[UInt8]>([])

  var bytes: [UInt8] { content.withLock { $0 } }

  func append(_ more: [UInt8]) { content.withLock { $0 += more } }
}
