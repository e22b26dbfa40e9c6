package import FlowCore
internal import FlowSystem

/// The bodies that a transcript or a journal names, whether or not it can be used.
package struct BlobNames: Sendable {
  /// The bodies themselves, possibly several for one digest.
  private(set) var blobs: Set<Blob> = []
  /// The digests of the bodies.
  package private(set) var digests: Set<String> = []
  /// The digests of the lists and objects among the bodies.
  private(set) var trees: Set<String> = []
  /// The first line that is not JSON, which may name anything, or nil.
  package private(set) var damagedLine: Int?
  /// The number of a last line that is neither JSON nor ends with a newline, or nil.
  ///
  /// A journal loses it before the run goes on. A golden transcript has lost everything after it.
  package private(set) var tornLine: Int?
  /// True for a journal, by its first line.
  package private(set) var isJournal = false
  /// True if the end of the run is recorded.
  package private(set) var hasEnd = false

  /// Returns true if the first line is that of a transcript or a journal of any version.
  package static func areTranscript(_ bytes: [UInt8]) -> Bool {
    var lines = LineCursor(PlainText.withoutMark(bytes))
    return lines.next().flatMap(Self.json)?["transcript"] != nil
  }

  /// Finds the bodies named in the lines of a transcript or a journal.
  package init(in bytes: [UInt8]) {
    var lines = LineCursor(PlainText.withoutMark(bytes))
    while let line = lines.next() {
      if let json = Self.json(line) {
        add(json)
        if lines.number == 1 { isJournal = json["run"] != nil }
        if json["at"]?.string == "steps", json["end"] != nil { hasEnd = true }
      } else if lines.isTerminated {
        damagedLine = damagedLine ?? lines.number
      } else {
        tornLine = lines.number
      }
    }
  }

  /// Restores the line ends of the bodies beside a transcript after version control changed them.
  ///
  /// - Throws: `FileError` when the system refuses.
  /// - Returns: The number of changed bodies.
  package func mendLineEnds(beside transcript: String) throws(FileError) -> Int {
    let folder = BlobFolder(beside: transcript)
    var mended = 0
    for blob in blobs.sorted(by: { $0.digest < $1.digest })
    where try folder.mendLineEnds(of: blob) { mended += 1 }
    return mended
  }

  private static func json(_ line: ArraySlice<UInt8>) -> JSON? {
    // What is too long or not JSON is refused by the reader as well.
    line.count <= LineCursor.longest ? try? JSONParser.parse(line) : nil
  }

  private mutating func add(_ json: JSON) {
    // Nothing is read, so nothing can be wrong with a body.
    _ = try? json.resolvingBlobsOfLine { blob in
      blobs.insert(blob)
      digests.insert(blob.digest)
      if blob.form == .json { trees.insert(blob.digest) }
      return .null
    }
  }
}
