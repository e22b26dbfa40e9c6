internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// A reason that a run with a journal cannot go on, as data and in words.
enum ResumeFailure {
  case otherAnswer(Invocation, recorded: Outcome, now: Outcome)
  /// A call with an unknown outcome, and an answer of its form.
  case unknown(String, form: JSON, others: [String])
  case notOpened(Invocation, ComponentError)
  case notWritten(Invocation, String)
  case hidden(Invocation)
  case otherCall(Invocation, Transcript.Call?)
  case notCalled(Invocation, Transcript.Call)

  var failure: BoundaryFailure {
    switch self {
    case .otherAnswer(let invocation, let recorded, let now):
      Self.other(
        "'\(invocation.address)' answers differently than recorded",
        recorded: recorded.text, now: now.text,
        why: "'\(invocation.name)' was called again to rebuild its state in memory")
    case .unknown(let address, let form, let others):
      BoundaryFailure(
        code: .unknownOutcome, message: "it is not known whether '\(address)' took effect",
        notes: [
          "it was called but has no answer, and is not declared safe to repeat",
          Self.note(others), "check it, then resume with --retry-unknown to repeat the call",
          Self.done(address, form),
        ].compactMap(\.self))
    case .notOpened(let invocation, let error):
      BoundaryFailure(
        code: .unopenedAgain, message: "'\(invocation.address)' could not be opened again",
        notes: ["\(error)", "the journal is unchanged; resume it when the cause is fixed"])
    case .notWritten(let invocation, let reason):
      BoundaryFailure(
        code: .unwrittenJournal,
        message: "'\(invocation.address)' was not called: the journal cannot be written",
        notes: [reason])
    case .otherCall(let invocation, let expected):
      Self.otherCalls(
        "\(invocation.address.caller ?? invocation.address)",
        recorded: expected.map { "'\($0.address)' \($0.input.json.text)" } ?? "nothing more",
        now: "'\(invocation.address)' \(invocation.inputJSON.text)")
    case .notCalled(let invocation, let missing):
      Self.otherCalls(
        "\(invocation.address)", recorded: "'\(missing.address)' \(missing.input.json.text)",
        now: "nothing")
    case .hidden(let invocation):
      BoundaryFailure(
        code: .hiddenAnswer,
        message: "part of the answer of '\(invocation.address)' is hidden in the journal",
        notes: ["the hidden value is unknown; start a new run"])
    }
  }

  /// The option for a call that took effect, to be pasted into a shell.
  private static func done(_ address: String, _ form: JSON) -> String {
    if form == .object([]) {
      let word = address.contains("[") ? "'\(address)'" : address
      return "or with --done \(word) if it took effect"
    }
    let text = "\(address)=\(form.text)".replacing("'", with: #"'\''"#)
    return "or with --done '\(text)' if it took effect, with the values of its answer"
  }

  /// Mentions the other calls with an unknown outcome.
  private static func note(_ others: [String]) -> String? {
    if others.isEmpty { return nil }
    let named = others.prefix(9).map { "'\($0)'" }.joined(separator: ", ")
    let more = others.count > 9 ? " and \(others.count - 9) more" : ""
    return "also unknown: \(named)\(more)"
  }

  private static func otherCalls(
    _ address: String, recorded: String, now: String
  ) -> BoundaryFailure {
    other(
      "'\(address)' does not repeat its recorded calls", recorded: recorded, now: now,
      why: "it was called again, but its own calls must not be made twice")
  }

  private static func other(
    _ message: String, recorded: String, now: String, why: String
  ) -> BoundaryFailure {
    BoundaryFailure(
      code: .otherResumedAnswer, message: message,
      notes: ["recorded \(recorded), now \(now)", why])
  }
}

extension Outcome {
  fileprivate var text: String {
    switch self {
    case .answer(let value): value.summary()
    case .error(let error): "the error '\(error.code.name)': \(error.message)"
    case .cancelled: "no answer before it was cancelled"
    }
  }
}
