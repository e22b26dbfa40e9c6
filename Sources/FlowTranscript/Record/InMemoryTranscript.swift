package import FlowScenario
internal import FlowSystem
private import Synchronization

/// A transcript in memory.
package struct InMemoryTranscript: Sendable {
  /// The lines; a whole transcript when the run has ended.
  package var bytes: [UInt8] = []
  /// The bodies that stand in files of their own.
  package var bodies: [Blob: [UInt8]] = [:]
  /// Whether the run had secrets, so that only the owner should read its files.
  package var isPrivate = false
  /// Why it is not whole; nil unless a reader would refuse it.
  fileprivate(set) var excess: RecordingExcess?
  /// Why a replay with the caller of some calls live would be inconclusive, a sentence; nil where none would.
  package fileprivate(set) var warning: String?

  /// Nothing recorded yet.
  package init() {}

  /// What was recorded, read again; `file` names it in errors.
  ///
  /// - Throws: `TranscriptError` when a line is too long or too deep for a transcript.
  package func read(_ file: String) throws(TranscriptError) -> Transcript {
    if let excess { throw TranscriptError(.excess(excess), file: file, line: nil) }
    return try TranscriptReader.read(bytes, file: file, bodies: bodies)
  }
}

/// A transcript that is recorded into memory, until it is decided whether to keep it.
package final class MemoryRecording: Sendable {
  private final class Buffer: Sendable {
    let run = Mutex(InMemoryTranscript())
  }

  private let buffer = Buffer()
  /// Receives the run's events.
  package let recorder: Recorder

  /// An empty recording of a scenario whose transcript lies beside it.
  package init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    recorder = Recorder(
      scenario: name,
      blobs: { [buffer] blob, content in buffer.run.withLock { $0.bodies[blob] = content } },
      isSealed: true,
      write: { [buffer] bytes in buffer.run.withLock { $0.bytes += bytes } })
  }

  /// What was recorded so far.
  package var run: InMemoryTranscript {
    var run = buffer.run.withLock { $0 }
    run.excess = recorder.failure as? RecordingExcess
    run.warning = recorder.warning
    return run
  }
}
