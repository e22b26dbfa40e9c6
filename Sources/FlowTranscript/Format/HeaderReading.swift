internal import FlowSystem

// What a file is, by its first line.
extension TranscriptReader {
  /// The header of a transcript in bytes, without the bodies that it names; nil for everything else.
  package static func header(of bytes: [UInt8]) -> TranscriptHeader? {
    var lines = LineCursor(bytes)
    guard let line = lines.next(), line.count <= LineCursor.longest,
      let json = try? JSONParser.parse(line)
    else { return nil }
    return TranscriptHeader(json)
  }

  /// Whether a file is a transcript that names a scenario which is there.
  package static func namesScenario(_ file: String) -> Bool {
    guard let content = try? contents(file), let header = header(of: content) else { return false }
    return FileSystem.isFile(header.scenarioPath(beside: file))
  }

  /// Whether a file is a journal, as opposed to a transcript or something that cannot be read.
  package static func isJournal(_ file: String) -> Bool {
    guard let content = try? contents(file) else { return false }
    return header(of: content)?.run != nil
  }
}
