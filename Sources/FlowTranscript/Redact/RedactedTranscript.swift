internal import FlowCore
package import FlowPlan
package import FlowRedaction
package import FlowSystem
internal import Synchronization

/// A transcript with texts that are hidden after its recording.
package struct RedactedTranscript: Sendable {
  /// The lines, with their seal.
  package let bytes: [UInt8]
  /// The changed lines, none if there is nothing to hide.
  package let changes: [RecordingRedaction.Change]
  /// The digests of the bodies that it does not name any more, in order.
  package let formerBodies: [String]
  /// The lines that still show a secret: in a name, an address or a number.
  package let visibleLines: [Int]
  private let bodies: [Blob: [UInt8]]

  /// Hides what a redactor knows in a transcript and its bodies.
  ///
  /// - Parameters:
  ///   - recording: The lines of a valid transcript.
  ///   - path: The path of its file.
  ///   - plan: The scenario.
  ///   - redactor: Hides the texts, under numbers that the transcript does not use.
  /// - Throws: `TranscriptError` when the result could not be read.
  package init(
    _ recording: [UInt8], at path: String, of plan: Plan, _ redactor: Redactor
  ) throws(TranscriptError) {
    let folder = BlobFolder(beside: path)
    var redaction = RecordingRedaction(of: plan, redactor) { blob throws(BlobError) in
      try folder.content(of: blob)
    }
    let lines: [UInt8]
    let kept: [Blob: [UInt8]]
    do {
      (lines, kept) = try Self.numbered(try redaction.lines(recording), redaction.bodies)
    } catch {
      throw TranscriptError(.unreadable("\(error)"), file: path, line: nil)
    }
    changes = redaction.changes
    bytes = changes.isEmpty ? recording : Seal.isThere(in: recording) ? Seal.sealed(lines) : lines
    bodies = changes.isEmpty ? [:] : kept
    let names = BlobNames(in: bytes).digests
    formerBodies = BlobNames(in: recording).digests.subtracting(names).sorted()
    visibleLines = Self.visibleLines(of: bytes, redactor.withoutPatterns)
    _ = try TranscriptReader.read(bytes, file: path, bodies: bodies)
  }

  /// Stores the bodies, and then puts the transcript in the place of its file.
  ///
  /// - Throws: `FileError` when the system refuses. The file is whole in any case.
  package func write(to path: String, isPrivate: Bool) throws(FileError) {
    let folder = BlobFolder(beside: path)
    for (blob, content) in bodies.sorted(by: { $0.key.digest < $1.key.digest }) {
      try folder.store(content, of: blob, isPrivate: isPrivate)
    }
    try FileSystem.replace(path, with: bytes)
  }

  /// Returns lines and bodies with placeholders numbered in the order of the lines.
  private static func numbered(
    _ lines: [UInt8], _ bodies: [Blob: [UInt8]]
  ) throws -> ([UInt8], [Blob: [UInt8]]) {
    var canonical = CanonicalLines()
    let kept = Mutex(bodies.filter { !canonical.keep($0.key, $0.value) })
    let numbered = try canonical.lines(lines) { blob, content in
      kept.withLock { $0[blob] = content }
    }
    return (numbered, kept.withLock { $0 })
  }

  private static func visibleLines(of bytes: [UInt8], _ redactor: Redactor) -> [Int] {
    var (cursor, found) = (LineCursor(bytes), [Int]())
    while let line = cursor.next() {
      let address = (try? JSONParser.parse(line)).flatMap { TranscriptLine($0)?.at }
      if redactor.redacted(Array(line)) != Array(line)
        || address.map(redactor.isShown(inAddress:)) == true
      {
        found.append(cursor.number)
      }
    }
    return found
  }
}

extension Transcript {
  /// Makes the redactor number further hidden texts after those of this transcript, except for the
  /// given secrets, which are the recorded ones.
  package func reserveNumbers(in redactor: Redactor, except secrets: [String]) {
    redactor.reserve(placeholderNumbers, except: secrets)
  }
}
