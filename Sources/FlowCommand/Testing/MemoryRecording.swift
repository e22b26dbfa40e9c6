internal import FlowScenario
internal import FlowTranscript
private import Synchronization

/// A transcript in memory.
struct RecordedRun: Sendable {
  /// The lines; a whole transcript when the run has ended.
  var bytes: [UInt8] = []
  /// The bodies that stand in files of their own.
  var bodies: [Blob: [UInt8]] = [:]
}

/// A transcript that is recorded into memory, until somebody decides whether to keep it.
final class MemoryRecording: Sendable {
  private final class Buffer: Sendable {
    let run = Mutex(RecordedRun())
  }

  private let buffer = Buffer()
  /// Who receives the run's events.
  let recorder: Recorder

  /// An empty recording of a scenario whose transcript stands beside it.
  init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    recorder = Recorder(
      scenario: name,
      blobs: { [buffer] blob, content in buffer.run.withLock { $0.bodies[blob] = content } },
      isSealed: true,
      write: { [buffer] bytes in buffer.run.withLock { $0.bytes += bytes } })
  }

  /// What was recorded so far.
  var run: RecordedRun { buffer.run.withLock { $0 } }
}
