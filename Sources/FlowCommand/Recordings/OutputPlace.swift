internal import FlowSystem
internal import FlowTranscript

/// What stands where an option would write: a mistyped path must cost no scenario and no recording.
enum OutputPlace {
  case scenario
  case transcript
  case journal
  /// Any other file with something in it.
  case other

  /// Enough for the head of a file, and for nearly all first lines of transcripts.
  private static let beginning = 64 << 10

  /// Nil where there is no file, or an empty one.
  private init?(_ path: String) {
    let bytes = FileSystem.beginning(of: path, atMost: Self.beginning)
    if bytes.isEmpty { return nil }
    let isYAML = [".yaml", ".yml"].contains { path.hasSuffix($0) }
    if bytes.starts(with: TranscriptHeader.beginning) {
      self = Self.isJournal(bytes) ? .journal : .transcript
    } else if isYAML {
      self = .scenario
    } else {
      // One with a merge in it is still somebody's transcript.
      self = bytes.starts(with: "<<<<<<< ".utf8) ? .transcript : .other
    }
  }

  /// By the run's name, which only journals have.
  private static func isJournal(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard case .object(let members)? = try? JSONParser.parse(line) else { return false }
    return members.contains { $0.name == "run" }
  }

  /// Refuses a place for a report where a scenario or a recording is.
  static func check(report path: String) throws(FileError) {
    switch OutputPlace(path) {
    case nil, .other: return
    case .scenario: throw refusal(path, "a scenario is there")
    case .transcript: throw refusal(path, "a transcript is there")
    case .journal: throw refusal(path, "a journal is there")
    }
  }

  /// Refuses a place for a transcript where something else is; its usual place beside a scenario is for nothing else.
  static func check(transcript path: String, isUsual: Bool) throws(FileError) {
    switch OutputPlace(path) {
    case nil, .transcript: return
    case .journal: throw refusal(path, "a journal is there; 'flow resume' continues it")
    case .scenario, .other:
      if !isUsual { throw refusal(path, "what is there is not a transcript") }
    }
  }

  private static func refusal(_ path: String, _ reason: String) -> FileError {
    FileError(.unreadable, path: path, reason: reason, isWriting: true)
  }
}
