internal import FlowCore
package import FlowPlan
package import FlowRedaction

/// A run that was recorded just now, before anything of it is in a file.
package struct Recording: Sendable {
  /// The transcript, or nil if the run has not ended or cannot be recorded.
  package var transcript: Transcript?
  /// True if the run had secrets, so that only the owner should read its files.
  package var isPrivate = false
  /// The reason that readers would refuse the transcript, or nil.
  package let excess: RecordingExcess?
  /// A sentence saying why a replay with a live caller of some calls would be inconclusive, or nil.
  package let warning: String?
  /// A sentence with the places of a program's credentials that it shows, or nil.
  package let shownSecrets: String?

  /// True if something was hidden in its lines after they were recorded.
  private let hasLearnt: Bool

  init(
    transcript: Transcript?, excess: RecordingExcess?, warning: String?, shownSecrets: String?,
    hasLearnt: Bool
  ) {
    (self.transcript, self.excess, self.hasLearnt) = (transcript, excess, hasLearnt)
    (self.warning, self.shownSecrets) = (warning, shownSecrets)
  }

  /// The transcript's file, or no bytes without a transcript.
  package var bytes: [UInt8] { transcript?.bytes ?? [] }

  /// The bodies that the file names.
  package var bodies: [Blob: [UInt8]] { transcript?.bodies ?? [:] }

  /// The transcript, whose calls may have no answer if `isWhole` is false.
  ///
  /// `file` names it in errors.
  ///
  /// - Throws: `TranscriptError` when there is none, a line would be too long or too deep for its
  ///   file, or a call has no answer.
  package func whole(
    _ file: String, isWhole: Bool = true
  ) throws(TranscriptError) -> Transcript {
    if let excess { throw TranscriptError(.excess(excess), file: file, line: nil) }
    guard let transcript else { throw TranscriptError(.cutOff, file: file, line: nil) }
    // As in hardly any run: it has learnt a secret that is in a volatile part.
    if hasLearnt, let misfit = transcript.misfit {
      throw TranscriptError(.matcher(.example(misfit.pattern)), file: file, line: misfit.line)
    }
    let calls = transcript.calls
    if isWhole, let unanswered = calls.indices.first(where: { !calls.isAnswered($0) }) {
      throw TranscriptError(
        .callWithoutAnswer("\(calls.address(of: unanswered))"), file: file,
        line: calls.line(of: unanswered))
    }
    return transcript
  }

  /// Returns true if the run was given, asked and answered the same as another one of the scenario, as
  /// in `Transcript.hasSameCalls`.
  package func hasSameCalls(as recorded: Transcript) -> Bool {
    guard let transcript, excess == nil, !hasLearnt else { return false }
    return recorded.hasSameCalls(as: transcript)
  }

  /// Returns the recording of a part of the tests, with those that did not run from an older one.
  ///
  /// Without scopes it stays as it is.
  package func replacingScopes(of old: Transcript) -> Recording {
    guard let transcript, excess == nil else { return self }
    var copy = self
    copy.transcript = old.replacingScopes(by: transcript) ?? transcript
    return copy
  }

  /// Returns the recording with the answers and matchers of an older one that hold.
  ///
  /// - Parameters:
  ///   - old: The older recording of the scenario.
  ///   - plan: The scenario.
  ///   - redactor: Hides the secrets of this recording and the patterns of the project.
  /// - Returns: The recording, or this one without a transcript.
  package func keeping(
    _ old: Transcript, of plan: Plan, _ redactor: Redactor
  ) -> Recording {
    guard let new = transcript, excess == nil else { return self }
    var copy = self
    copy.transcript = old.following(new).keeping(in: new, of: plan, redactor)
    return copy
  }
}
