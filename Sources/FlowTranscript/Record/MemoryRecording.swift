package import FlowScenario
private import Synchronization

/// A transcript in memory.
package struct RecordedRun: Sendable {
  /// The lines; a whole transcript when the run has ended.
  package var bytes: [UInt8] = []
  /// The bodies that stand in files of their own.
  package var bodies: [Blob: [UInt8]] = [:]

  /// Nothing recorded yet.
  package init() {}
}

/// A transcript that is recorded into memory, until somebody decides whether to keep it.
package final class MemoryRecording: Sendable {
  private final class Buffer: Sendable {
    let run = Mutex(RecordedRun())
  }

  private let buffer = Buffer()
  /// Who receives the run's events.
  package let recorder: Recorder

  /// An empty recording of a scenario whose transcript stands beside it.
  package init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    recorder = Recorder(
      scenario: name,
      blobs: { [buffer] blob, content in buffer.run.withLock { $0.bodies[blob] = content } },
      isSealed: true,
      write: { [buffer] bytes in buffer.run.withLock { $0.bytes += bytes } })
  }

  /// What was recorded so far.
  package var run: RecordedRun { buffer.run.withLock { $0 } }
}
