package import FlowScenario
private import Synchronization

/// A transcript that is recorded into memory, until somebody decides whether to keep it.
package final class MemoryRecording: Sendable {
  private final class Buffer: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  private let buffer = Buffer()
  /// Who receives the run's events.
  package let recorder: Recorder

  /// An empty recording of a scenario whose transcript stands beside it.
  package init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    recorder = Recorder(scenario: name) { [buffer] bytes in
      buffer.bytes.withLock { $0 += bytes }
    }
  }

  /// The lines so far; a whole transcript when the run has ended.
  package var bytes: [UInt8] { buffer.bytes.withLock { $0 } }
}
