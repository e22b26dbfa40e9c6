internal import FlowCore

/// A failed check, a visible secret, or a gap of the sample, in words.
///
/// The words never contain a secret, because the author may have given a real one.
struct CheckFault {
  /// The code, with the check's name in its place.
  static let code: DiagnosticCode = "check"

  private let message: String
  private let notes: [String]

  private init(_ message: String, _ notes: [String] = []) {
    self.message = message
    self.notes = notes
  }

  /// The fault at a place of the sample, or with nil about all of it.
  func diagnostic(at span: SourceSpan? = nil) -> Diagnostic {
    Diagnostic(Self.code, message, at: span, notes: notes)
  }

  static func notCalled(_ name: String) -> Self {
    Self("the sample does not call '\(name)', so it is not tested")
  }

  static func undeclared(_ call: ComponentCall, message: String) -> Self {
    Self(
      "'\(call.name)' failed with an undeclared error",
      [message, "declare the code in 'errors' and throw a CodedError with it"])
  }

  // MARK: - Records and recordings

  static func changedRecord(_ name: String, before: Value, after: Value) -> Self {
    record(name, before, "but decoded it as \(after.summary())")
  }
  static func unreadableRecord(_ name: String, _ value: Value, _ error: DecodeError) -> Self {
    record(name, value, "but cannot decode it: \(error)")
  }
  private static func record(_ name: String, _ value: Value, _ note: String) -> Self {
    Self(
      "the record of \(name) does not decode its own encoding",
      ["it encoded \(value.summary())", note])
  }

  static func otherTranscript(_ lines: [String]) -> Self {
    let advice =
      "take time, random values and keys from the context, and answer nothing else that varies"
    return Self("two runs with the same seed and date have different transcripts", lines + [advice])
  }
  static func brokenTranscript(_ problem: String) -> Self {
    Self("the recorded sample cannot be read: \(problem)")
  }
  static func otherRecording(_ lines: [String]) -> Self {
    Self("a replay of the sample records a different transcript", lines)
  }
  static func otherwiseResumed(_ name: String, _ lines: [String]) -> Self {
    Self(
      "a run that is killed after '\(name)' and resumed continues differently",
      lines + ["declare where the state is kept, in 'state' of the plugin"])
  }

  /// Nil if both are the same.
  static func otherWorld(_ name: String, before: String?, after: String?) -> Self? {
    guard let before, let after, before != after else { return nil }
    let texts = [before, after].map { Value.string($0).summary() }
    return Self(
      "a run that is killed after '\(name)' and resumed leaves a different state behind",
      [
        "without the kill \(texts[0]), with it \(texts[1])",
        "declare where the state is kept, in 'state' of the plugin",
      ])
  }

  static func asksOtherwise(_ message: String, _ notes: [String]) -> Self {
    Self(
      "called again with the same answers from its roles, the component behaves differently",
      [message] + notes
        + ["take the date, randomness and everything else from the context and the roles"])
  }

  // MARK: - Time

  static func neverEnds(_ call: ComponentCall) -> Self {
    Self("'\(call.name)' does not end when it is cancelled", ["cancelled at '\(call.address)'"])
  }
  static func goesOn(_ call: ComponentCall, for duration: Duration) -> Self {
    Self(
      "'\(call.name)' continues for \(duration.flowText) after it was cancelled",
      ["wait with context.sleep(for:) and let its CancellationError through"])
  }
  static func otherCancellation(_ call: ComponentCall, _ error: ComponentError) -> Self {
    Self(
      "'\(call.name)' answers a cancellation with the error '\(error.code.name)'",
      [error.message, "let the CancellationError through"])
  }
  static func answersAnyway(_ call: ComponentCall) -> Self {
    Self(
      "'\(call.name)' answers although it was cancelled while it waited",
      ["a replay could not tell that its step ran out of time; let the CancellationError through"])
  }
  static func outsideWait(name: String, _ address: Address) -> Self {
    let advice =
      "sleep with context.sleep(for:), start tasks with context.spawn, and wait for work done "
      + "elsewhere in context.outside"
    return Self(
      "'\(name)' waits for something outside of the run's time", ["called at '\(address)'", advice])
  }
  static func blocks(name: String, _ address: Address) -> Self {
    Self(
      "'\(name)' blocks its thread",
      ["called at '\(address)'", "move the blocking work to context.outside"])
  }

  // MARK: - Secrets

  /// The fields of a call's answer that differ with other secrets.
  static func told(_ name: String, fields: [String]) -> Self {
    var notes = fields.map { "\($0) differs with other secrets" }
    if fields.contains("error") {
      notes.append(
        "in the options, give secrets that all lead to the same error"
      )
    } else {
      if fields.contains("message") { notes.append("leave them out of the error message") }
      if fields != ["message"] {
        notes.append("declare the field 'secret: true', or reveal nothing derived from them")
      }
    }
    return Self("'\(name)' reveals something derived from a secret", notes)
  }
  static func logged(_ name: String) -> Self {
    Self(
      "'\(name)' logs something derived from a secret",
      ["a line of the log differs with other secrets", "log nothing derived from them"])
  }
  /// Differences without a component that answered differently.
  static func sample(_ fields: [String]) -> Self {
    let advice =
      "a value that an expression derives from a secret is not hidden; derive it in the component"
    return Self(
      "the sample itself derives something from a secret",
      fields.map { "\($0) differs with other secrets" } + [advice])
  }
  /// Recordings with the same meaning and different bytes.
  static let form = Self(
    "the form of the recording depends on a secret",
    ["the order of calls, or the form of a number, differs with other secrets"])
  static let varying = Self(
    "two runs with the same secrets differ, so values derived from them cannot be checked",
    ["see the check 'repetition'"])
  static func oneValue(_ name: String) -> Self {
    Self(
      "the secret '\(name)' has only one value, so values derived from it cannot be checked",
      ["give two or more different values in 'secrets' of the options"])
  }
  static func unused(_ name: String, near: [String]) -> Self {
    Self("the sample does not use the secret '\(name)'", Suggestion.phrase(near).map { [$0] } ?? [])
  }
  static func unfilled(_ field: String) -> Self {
    Self(
      "the sample gives \(field) no secret, so the values derived from it cannot be checked",
      ["declare an input 'secret: true' and fill the field with it"])
  }
}
