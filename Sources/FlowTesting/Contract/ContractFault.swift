internal import FlowCore

/// What a component does against the contract, as data and in words.
enum ContractFault {
  case notCalled(String)
  case changedRecord(String, before: Value, after: Value)
  case unreadableRecord(String, Value, DecodeError)
  case undeclared(ComponentCall, message: String)
  case otherTranscript([String])
  case neverEnds(ComponentCall)
  case goesOn(ComponentCall, for: Duration)
  case otherCancellation(ComponentCall, ComponentError)
  case answersAnyway(ComponentCall)
  case outsideWait(name: String, Address)
  case blocks(name: String, Address)
  case brokenTranscript(String)
  case otherRecording([String])
  case otherwiseResumed(String, [String])

  /// The code that stands for the check's name.
  static let code: DiagnosticCode = "contract"

  func diagnostic(at span: SourceSpan?) -> Diagnostic {
    let (message, notes) = wording
    return Diagnostic(Self.code, message, at: span, notes: notes)
  }

  private var wording: (message: String, notes: [String]) {
    switch self {
    case .notCalled(let name):
      ("the sample does not call '\(name)', so nothing is known about it", [])
    case .changedRecord(let name, let before, let after):
      (
        "the record of \(name) does not decode what it encodes",
        ["it encoded \(before.summary())", "and made of that \(after.summary())"]
      )
    case .unreadableRecord(let name, let value, let error):
      (
        "the record of \(name) does not decode what it encodes",
        ["it encoded \(value.summary())", "and reads that as an error: \(error)"]
      )
    case .undeclared(let call, let message):
      (
        "'\(call.name)' failed in a way that it does not declare",
        [message, "declare the code in 'errors' and throw an error that has it, a CodedError"]
      )
    case .otherTranscript(let lines):
      (
        "two runs with the same seed and date have different transcripts",
        lines + ["take time, chance and keys from the context, and answer nothing else that varies"]
      )
    case .brokenTranscript(let problem): ("the recorded sample cannot be read: \(problem)", [])
    case .otherRecording(let lines): ("a replay of the sample records something else", lines)
    case .otherwiseResumed(let name, let lines):
      (
        "a run that is killed after '\(name)' and resumed goes on otherwise",
        lines + ["say where the state lives, in 'state' of the plugin"]
      )
    case .neverEnds, .goesOn, .otherCancellation, .answersAnyway, .outsideWait, .blocks: timeWording
    }
  }

  private var timeWording: (message: String, notes: [String]) {
    switch self {
    case .neverEnds(let call):
      ("'\(call.name)' does not end when it is cancelled", ["cancelled at '\(call.address)'"])
    case .goesOn(let call, let duration):
      (
        "'\(call.name)' goes on for \(duration.flowText) after it was cancelled",
        ["wait with context.sleep(for:) and let its CancellationError through"]
      )
    case .otherCancellation(let call, let error):
      (
        "'\(call.name)' answers a cancellation with the error '\(error.code.name)'",
        [error.message, "let the CancellationError through"]
      )
    case .answersAnyway(let call):
      (
        "'\(call.name)' answers though it was cancelled while it waited",
        ["a replay could not tell that its step ran out of time; let the CancellationError through"]
      )
    case .outsideWait(let name, let address):
      (
        "'\(name)' waits for something outside of the run's time",
        [
          "called at '\(address)'",
          "sleep with context.sleep(for:), start tasks with context.spawn, and wait for what goes on "
            + "elsewhere in context.outside",
        ]
      )
    case .blocks(let name, let address):
      (
        "'\(name)' blocks its thread",
        ["called at '\(address)'", "do what blocks in context.outside"]
      )
    default: ("", [])
    }
  }
}
