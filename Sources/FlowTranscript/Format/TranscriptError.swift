public import FlowCore

/// A transcript that cannot be read.
public struct TranscriptError: Error, Sendable, Hashable {
  /// The file's path as the user gave it.
  public let file: String
  /// What is wrong and where.
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
    case empty
    case nothingWritten
    case noJournal
    case lineTooLong(Int)
    case excess(LineExcess)
    case json(JSONError)
    case noTranscript
    case version(String?)
    case header
    case line
    case answerWithoutCall(String)
    case callWithoutAnswer(String)
    case cutOff
    case afterEnd
    case inputs(String)
    case blob(BlobError)
    case brokenSeal(hasCarriageReturns: Bool)
    case otherChecksum
    case scenarioElsewhere(String)
    case matcher(PatternProblem)

    fileprivate var wording: (code: String, message: String) {
      switch self {
      case .unreadable(let reason): ("F3101", reason)
      case .empty: ("F3102", "the transcript is empty")
      case .nothingWritten:
        ("F3102", "the journal has no whole line: nothing was done, so remove it and run anew")
      case .noJournal: ("F3113", "this is a transcript, not a journal: its header names no run")
      case .lineTooLong(let limit): ("F3103", "the line is longer than \(limit) bytes")
      case .excess(let excess): ("F3103", "the run cannot be recorded: \(excess)")
      case .json(let error): ("F3104", "the line is not JSON: \(error)")
      case .noTranscript: ("F3105", "this is not a transcript: its first line is not JSON")
      case .version(let version):
        version.map { ("F3105", "unknown transcript version \($0), expected 1") }
          ?? ("F3105", "this is not a transcript: its first line has no 'transcript'")
      case .header: ("F3106", "the first line is not a complete header")
      case .line: ("F3107", "the line is not a line of a transcript")
      case .answerWithoutCall(let address): ("F3108", "'\(address)' is answered without a call")
      case .callWithoutAnswer(let address): ("F3109", "'\(address)' is called and never answered")
      case .cutOff: ("F3110", "the transcript has no end; it was cut off after this line")
      case .afterEnd: ("F3111", "the transcript goes on after its end")
      case .blob(let error): (error.code, "\(error)")
      case .brokenSeal(let hasCarriageReturns): ("F3117", Self.seal(hasCarriageReturns))
      case .otherChecksum:
        (
          "F3121",
          "the line is not as it was written, or one before it is missing; if the change is meant, "
            + "'flow transcript seal' accepts it"
        )
      case .scenarioElsewhere(let path):
        (
          "F3120",
          "the scenario '\(Value.escaped(path))' that is named here is not in this folder, the project or the "
            + "working directory; name it with '--scenario' if it is meant"
        )
      case .matcher(let problem): problem.wording
      case .inputs(let message): ("F3112", "the recorded inputs do not fit: \(message)")
      }
    }

    private static func seal(_ hasCarriageReturns: Bool) -> String {
      hasCarriageReturns
        ? "the transcript's lines end in CR and LF, so its seal does not hold; let version control keep "
          + "them ('*.jsonl -text' in .gitattributes), or 'flow transcript seal' mends them"
        : "the transcript is not as it was recorded; if the change is meant, 'flow transcript seal' "
          + "accepts it"
    }
  }
}
