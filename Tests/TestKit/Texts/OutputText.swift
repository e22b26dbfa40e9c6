private import Synchronization

/// Collects written output, part by part.
package final class OutputText: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  package init() {}

  package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  package func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }

  package func append(_ more: String) { append(Array(more.utf8)) }
}
