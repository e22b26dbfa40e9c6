package import FlowPlan
internal import FlowSystem
private import Synchronization

/// A transcript in memory.
package struct InMemoryTranscript: Sendable {
  /// The lines, which are a whole transcript after the end of the run.
  package var bytes: [UInt8] = []
  /// The bodies in separate files.
  package var bodies: [Blob: [UInt8]] = [:]
  /// True if the run had secrets, so that only the owner should read its files.
  package var isPrivate = false
  /// The reason that readers would refuse the transcript, or nil.
  fileprivate(set) var excess: RecordingExcess?
  /// A sentence saying why a replay with a live caller of some calls would be inconclusive, or nil.
  package fileprivate(set) var warning: String?
  /// A sentence with the places of a program's credentials that it shows, or nil.
  package fileprivate(set) var shownSecrets: String?

  /// Creates an empty recording.
  package init() {}

  /// Reads the recording again.
  ///
  /// `file` names it in errors. Calls may have no answer if `isWhole` is false.
  ///
  /// - Throws: `TranscriptError` when a line is too long or too deep for a transcript.
  package func read(
    _ file: String, isWhole: Bool = true
  ) throws(TranscriptError) -> Transcript {
    if let excess { throw TranscriptError(.excess(excess), file: file, line: nil) }
    return try TranscriptReader.read(bytes, file: file, bodies: bodies, isWhole: isWhole)
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

  /// Creates an empty recording of a scenario in the same folder as its transcript.
  package init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    recorder = Recorder(
      scenario: name,
      blobs: { [buffer] blob, content in buffer.run.withLock { $0.bodies[blob] = content } },
      isSealed: true,
      write: { [buffer] bytes in buffer.run.withLock { $0.bytes += bytes } })
  }

  /// The recording so far.
  package var run: InMemoryTranscript {
    var run = buffer.run.withLock { $0 }
    run.excess = recorder.failure as? RecordingExcess
    run.warning = recorder.warning
    run.shownSecrets = recorder.shownSecrets
    return run
  }
}
