internal import FlowCore
internal import FlowEngine

/// Why a run with a journal cannot go on, as data and in words.
enum ResumeFailure {
  case otherAnswer(Invocation, recorded: Outcome, now: Outcome)
  case unknown(Invocation)
  case notOpened(Invocation, ComponentError)
  case notWritten(Invocation, String)
  case hidden(Invocation)

  var failure: BoundaryFailure {
    switch self {
    case .otherAnswer(let invocation, let recorded, let now):
      BoundaryFailure(
        code: .otherResumedAnswer, message: "'\(invocation.address)' does not answer as it did",
        notes: [
          "recorded \(recorded.text), now \(now.text)",
          "'\(invocation.name)' was called again to rebuild a state that was in memory",
        ])
    case .unknown(let invocation):
      BoundaryFailure(
        code: .unknownOutcome, message: "nobody knows whether '\(invocation.address)' was done",
        notes: [
          "'\(invocation.name)' was called, has not answered, and is not declared safe to repeat",
          "find out, then resume with --retry-unknown to do it again",
        ])
    case .notOpened(let invocation, let error):
      BoundaryFailure(
        code: .unopenedAgain, message: "'\(invocation.address)' could not be opened again",
        notes: ["\(error)", "the journal is as it was; resume it when the cause is gone"])
    case .notWritten(let invocation, let reason):
      BoundaryFailure(
        code: .unwrittenJournal,
        message: "'\(invocation.address)' was not called: the journal cannot be written",
        notes: [reason])
    case .hidden(let invocation):
      BoundaryFailure(
        code: .hiddenAnswer,
        message: "the journal hides a part of what '\(invocation.address)' answered",
        notes: ["what is hidden is not known any more, so the run cannot go on; run it anew"])
    }
  }
}

extension Outcome {
  fileprivate var text: String {
    switch self {
    case .answer(let value): value.summary()
    case .error(let error): "the error '\(error.code.name)'"
    case .cancelled: "nothing before it was cancelled"
    }
  }
}
