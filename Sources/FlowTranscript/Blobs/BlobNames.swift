/// The bodies that a transcript or a journal names, whether or not it can be used.
package struct BlobNames: Sendable {
  /// The digests of the bodies.
  package private(set) var digests: Set<String> = []
  /// The first line that is no JSON and may name anything; nil without one.
  package private(set) var damagedLine: Int?
  /// The last line, when it is no JSON and has no newline either; nil when it is whole.
  ///
  /// It is cut off a journal before the run goes on; a golden transcript has lost what came behind.
  package private(set) var tornLine: Int?
  /// Whether it is a journal, by its first line.
  package private(set) var isJournal = false
  /// Whether the end of the run is there.
  package private(set) var hasEnd = false

  /// Whether bytes are a transcript or a journal of any version, by their first line.
  package static func areTranscript(_ bytes: [UInt8]) -> Bool {
    var lines = LineCursor(bytes)
    return lines.next().flatMap(Self.json)?["transcript"] != nil
  }

  /// The bodies that the lines of a transcript or a journal name.
  package init(in bytes: [UInt8]) {
    var lines = LineCursor(bytes)
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

  private static func json(_ line: ArraySlice<UInt8>) -> JSON? {
    // What is too long or no JSON is refused by the reader as well.
    line.count <= LineCursor.longest ? try? JSONParser.parse(line) : nil
  }

  private mutating func add(_ json: JSON) {
    // Nothing is read, so nothing can be wrong with a body.
    _ = try? json.resolvingBlobs { blob in
      digests.insert(blob.digest)
      return ""
    }
  }
}
