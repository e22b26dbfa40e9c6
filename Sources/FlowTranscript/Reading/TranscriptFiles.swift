internal import FlowSystem

// Transcripts and journals, in files and in bytes.
extension TranscriptReader {
  /// The transcript in a file.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  public static func read(_ file: String) throws(TranscriptError) -> Transcript {
    try read(file, allowsPipe: true)
  }

  /// Reads the transcript in a file, which may be a pipe if a person names it.
  ///
  /// - Throws: `TranscriptError` at the first invalid line.
  package static func read(
    _ file: String, allowsPipe: Bool
  ) throws(TranscriptError) -> Transcript {
    try read(try contents(file, allowsPipe: allowsPipe), file: file)
  }

  /// The journal in a file.
  ///
  /// - Throws: `TranscriptError` at the first whole line that does not belong.
  public static func readJournal(_ file: String) throws(TranscriptError) -> Journal {
    try readJournal(try contents(file, allowsPipe: true), file: file)
  }

  static func contents(
    _ file: String, allowsPipe: Bool = false
  ) throws(TranscriptError) -> [UInt8] {
    let most = TranscriptLine.mostBytes
    do { return try FileSystem.contents(of: file, limit: most, allowsPipe: allowsPipe) } catch {
      if error.kind == .tooLarge { throw TranscriptError(.tooLarge(file), file: file, line: nil) }
      let isFolder = error.kind == .notAFile && FileSystem.isDirectory(file)
      let reason = "\(error)" + (isFolder ? ", but a folder" : "")
      throw TranscriptError(.unreadable(reason), file: file, line: nil)
    }
  }

  /// Reads the transcript in bytes.
  ///
  /// `file` names it in errors, and its folder holds the bodies.
  ///
  /// - Throws: `TranscriptError` at the first invalid line.
  public static func read(_ bytes: [UInt8], file: String) throws(TranscriptError) -> Transcript {
    var reader = TranscriptReader(PlainText.withoutMark(bytes), file: file)
    return try reader.transcript()
  }

  /// Reads the transcript in bytes without a file, with its bodies in memory by their digests.
  ///
  /// `file` names it in errors.
  ///
  /// - Throws: `TranscriptError` at the first invalid line.
  package static func read(
    _ bytes: [UInt8], file: String, bodies: [String: [UInt8]]
  ) throws(TranscriptError) -> Transcript {
    var reader = TranscriptReader(bytes, file: file, named: bodies)
    return try reader.transcript()
  }

  /// The transcript in bytes, whatever its seal says, and whether all its bodies were there.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  static func readLeniently(
    _ bytes: [UInt8], file: String
  ) throws(TranscriptError) -> (Transcript, isWhole: Bool) {
    var reader = TranscriptReader(PlainText.withoutMark(bytes), file: file, isLenient: true)
    let transcript = try reader.transcript()
    return (transcript, reader.isWhole)
  }

  /// Reads the journal in bytes.
  ///
  /// Its last line may be torn and its end may be missing.
  ///
  /// - Throws: `TranscriptError` at the first invalid whole line.
  public static func readJournal(
    _ bytes: [UInt8], file: String
  ) throws(TranscriptError) -> Journal {
    var reader = TranscriptReader(bytes, file: file)
    return try reader.journal()
  }

  /// Reads the journal in bytes without a file, with its bodies in memory by their digests.
  ///
  /// `file` names it in errors.
  ///
  /// - Throws: `TranscriptError` at the first invalid whole line.
  package static func readJournal(
    _ bytes: [UInt8], file: String, bodies: [String: [UInt8]]
  ) throws(TranscriptError) -> Journal {
    var reader = TranscriptReader(bytes, file: file, named: bodies)
    return try reader.journal()
  }
}

// What a file is, by its first line.
extension TranscriptReader {
  /// Reads the header of a transcript in bytes, without its bodies, or returns nil.
  package static func header(of bytes: [UInt8]) -> TranscriptHeader? {
    var lines = LineCursor(PlainText.withoutMark(bytes))
    guard let line = lines.next(), line.count <= LineCursor.longest,
      let json = try? JSONParser.parse(line)
    else { return nil }
    return TranscriptHeader(json)
  }

  /// Returns true if a file is a transcript of a scenario that exists.
  package static func namesScenario(_ file: String) -> Bool {
    guard let content = try? contents(file), let header = header(of: content) else { return false }
    return FileSystem.isFile(header.scenarioPath(beside: file))
  }

  /// Returns true if a file is a journal, and not a transcript or unreadable.
  package static func isJournal(_ file: String) -> Bool {
    guard let content = try? contents(file) else { return false }
    return header(of: content)?.run != nil
  }
}
