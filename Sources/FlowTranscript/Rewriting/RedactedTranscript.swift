internal import FlowCore
package import FlowPlan
package import FlowRedaction
package import FlowSystem

/// A transcript with texts that are hidden after its recording.
package struct RedactedTranscript: Sendable {
  /// The changed lines, none if there is nothing to hide.
  package let changes: [RecordingRedaction.Change]
  /// The digests of the bodies that it does not name any more, in order.
  package let formerBodies: [String]
  /// The lines that still show a secret: in a name, an address or a number.
  package let visibleLines: [Int]
  private let transcript: Transcript
  private let bytes: [UInt8]

  /// Hides what a redactor knows in a transcript and its bodies.
  ///
  /// - Parameters:
  ///   - recording: The transcript.
  ///   - path: The path of its file.
  ///   - plan: The scenario.
  ///   - redactor: Hides the texts, under numbers that the transcript does not use.
  /// - Throws: `TranscriptError` when the result could not be read.
  package init(
    _ recording: Transcript, at path: String, of plan: Plan, _ redactor: Redactor
  ) throws(TranscriptError) {
    var redaction = RecordingRedaction(of: plan, redactor)
    let hidden = redaction.hidden(recording)
    changes = redaction.changes
    transcript = changes.isEmpty ? recording : hidden.renumbered
    if let misfit = transcript.misfit {
      throw TranscriptError(.matcher(.example(misfit.pattern)), file: path, line: misfit.line)
    }
    do throws(RecordingExcess) { bytes = try transcript.file() } catch {
      throw TranscriptError(.excess(error), file: path, line: nil)
    }
    formerBodies = recording.bodyDigests.subtracting(transcript.bodyDigests).sorted()
    visibleLines = Self.visibleLines(of: transcript, redactor.withoutPatterns)
  }

  /// Stores the bodies, and then puts the transcript in the place of its file.
  ///
  /// - Throws: `FileError` when the system refuses. The file is whole in any case.
  package func write(to path: String, isPrivate: Bool) throws(FileError) {
    let folder = BlobFolder(beside: path)
    for (blob, content) in transcript.bodies.sorted(by: { $0.key.digest < $1.key.digest }) {
      try folder.store(content, of: blob, isPrivate: isPrivate)
    }
    try FileSystem.replace(path, with: bytes)
  }

  private static func visibleLines(of transcript: Transcript, _ redactor: Redactor) -> [Int] {
    let shows = { (text: String) in redactor.redacted(Array(text.utf8)) != Array(text.utf8) }
    let header = shows(transcript.header.json.text) ? [1] : []
    return header
      + transcript.lines.enumerated().compactMap { index, line in
        shows(line.text) || redactor.isShown(inAddress: line.at) ? index + 2 : nil
      }
  }
}

extension Transcript {
  /// Makes the redactor number further hidden texts after those of this transcript, except for the
  /// given secrets, which are the recorded ones.
  package func reserveNumbers(in redactor: Redactor, except secrets: [String]) {
    redactor.reserve(placeholderNumbers, except: secrets)
  }
}
