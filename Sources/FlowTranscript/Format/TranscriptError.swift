public import FlowCore
internal import FlowSystem

/// An unreadable transcript.
public struct TranscriptError: Error, Sendable, Hashable {
  /// The file's path as the user gave it.
  public let file: String
  /// The problem and its position.
  public let diagnostic: Diagnostic

  init(_ problem: Problem, file: String, line: Int?, column: Int = 1) {
    self.file = file
    let span = line.map {
      SourceSpan(
        file: file, start: Position(line: $0, column: column),
        end: Position(line: $0, column: column))
    }
    diagnostic = Diagnostic(problem.wording.code, problem.wording.message, at: span)
  }

  enum Problem {
    case unreadable(String)
    case tooLarge(String)
    case empty
    case nothingWritten
    case noJournal
    case lineTooLong(Int)
    case excess(RecordingExcess)
    case conflict
    case json(JSONError)
    case stranger(Stranger)
    case noTranscript(isScenario: Bool)
    case version(String?)
    case header
    case line
    case repetition(RepetitionError)
    case answerWithoutCall(String)
    case callWithoutAnswer(String)
    case callWithoutCaller(String)
    case cutOff
    case afterEnd
    case inputs(String)
    case blob(BlobError)
    case brokenSeal(hasCarriageReturns: Bool)
    case otherChecksum(isFile: Bool)
    case scenarioElsewhere(String)
    case scenarioMissing(String)
    case matcher(PatternProblem)

    fileprivate var wording: (code: DiagnosticCode, message: String) {
      switch self {
      case .unreadable(let reason): (.unreadableTranscript, reason)
      case .tooLarge(let file):
        (
          .unreadableTranscript,
          "cannot read '\(file.escaped)': it has more than \(TranscriptLine.mostBytes >> 20) MiB; "
            + "record fewer steps, or split the scenario"
        )
      case .empty: (.emptyTranscript, "the transcript is empty")
      case .nothingWritten: (.emptyTranscript, Self.noWholeLine)
      case .noJournal: (.missingRun, "this is a transcript, not a journal: its header has no 'run'")
      case .lineTooLong(let limit): (.longLine, "the line is longer than \(limit) bytes")
      case .excess(let excess): (.longLine, "the run cannot be recorded: \(excess)")
      case .conflict: (.malformedLine, Self.aConflict)
      case .json(let error): (.malformedLine, "the line is not JSON: \(error)")
      case .stranger(let stranger):
        (.unknownTranscriptVersion, stranger.sentence(insteadOf: "a transcript or a journal"))
      case .noTranscript(true): (.unknownTranscriptVersion, Self.aScenario)
      case .noTranscript(false): (.unknownTranscriptVersion, Self.notATranscript + "is not JSON")
      case .version(nil): (.unknownTranscriptVersion, Self.notATranscript + "has no 'transcript'")
      case .version(let version?):
        (.unknownTranscriptVersion, "unknown transcript version \(version), expected 1")
      case .header: (.incompleteHeader, "the first line is not a complete header")
      case .line: (.unknownLine, "the line is not valid in a transcript")
      case .repetition(let error): (.unknownLine, error.message)
      case .answerWithoutCall(let address):
        (.answerWithoutCall, "'\(address)' has an answer but no call")
      case .callWithoutAnswer(let address):
        (.callWithoutAnswer, "'\(address)' has a call but no answer")
      case .callWithoutCaller(let address):
        (.callWithoutCaller, "the caller of '\(address)' has no earlier call")
      case .cutOff: (.cutOffTranscript, "the transcript has no end; it was cut off after this line")
      case .afterEnd: (.linesAfterEnd, "there are lines after the end of the transcript")
      case .blob(let error): (error.code, "\(error)")
      case .brokenSeal(let hasCarriageReturns): (.brokenSeal, Self.seal(hasCarriageReturns))
      case .otherChecksum(let isFile):
        (.brokenChecksum, Self.notAsWritten + (isFile ? Self.ifIntended : ""))
      case .scenarioElsewhere(let path): (.distantScenario, Self.elsewhere(path))
      case .scenarioMissing(let path): (.lostScenario, Self.missing(path))
      case .matcher(let problem): problem.wording
      case .inputs(let message): (.unfitInputs, "the recorded inputs do not fit: \(message)")
      }
    }

    private static let aScenario =
      "this is a scenario, not a transcript; 'flow run' runs it, and 'flow test' replays its transcript"

    private static let notATranscript = "this is not a transcript: its first line "

    private static let aConflict =
      "the line is a merge conflict marker; keep one of the versions, or record the run again"

    private static let noWholeLine =
      "the journal has no complete line: nothing was done, so remove it and start a new run"

    private static let notAsWritten =
      "the line has changed since it was written, or an earlier one is missing"
    private static let ifIntended = "; if that is intended, accept it with 'flow transcript seal'"

    private static func missing(_ path: String) -> String {
      "the scenario '\(path.escaped)' named here does not exist; if it was renamed, pass its new path with "
        + "'--scenario'"
    }

    private static func elsewhere(_ path: String) -> String {
      "the scenario '\(path.escaped)' named here is not in this folder, the project or the "
        + "working directory; to use it anyway, pass it with '--scenario'"
    }

    private static func seal(_ hasCarriageReturns: Bool) -> String {
      hasCarriageReturns
        ? "the transcript's lines end in CR and LF, so its seal is broken; keep version control from changing "
          + "them ('*.jsonl -text' and '**/blobs/* -text' in .gitattributes), or repair them with "
          + "'flow transcript seal'"
        : "the transcript has changed since it was recorded" + ifIntended
    }
  }
}

extension RepetitionError {
  fileprivate var message: String {
    switch self {
    case .noCall(let address): "the line is like '\(address.escaped)', which no line before calls"
    case .noElements(let path, let count):
      "'\(path.escaped)' repeats elements that its call does not have: the list there has \(count)"
    case .tooLong: "the line is longer than \(LineCursor.longest) bytes with what it repeats"
    }
  }
}
