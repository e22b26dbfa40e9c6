internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension ScenarioReport {
  /// The result of its end.
  ///
  /// A flaky scenario that fails the suite counts by its last run.
  package var result: Result {
    if let stored { return stored.result }
    return switch verdict {
    case .passed: .passed
    case .recorded: isRefused ? .failure : .passed
    case .notRun: wasInterrupted ? .error : .skipped
    case .flaky:
      isTolerated || attempts.last?.passed == true ? .passed : findings.diagnostics.result
    case .failed: findings.diagnostics.result
    }
  }

  /// True if it needs a look.
  package var isFailing: Bool {
    verdict == .flaky ? !isTolerated : result == .failure || result == .error
  }

  /// The run that explains its end: the first failed one, or the first of all, which is always kept
  /// whole.
  var decisive: Attempt? {
    // The trials that failed do not explain why the scenario passed.
    if trials?.hasPassed == true, let passed = attempts.first(where: \.passed) { return passed }
    return attempts.first { !$0.passed } ?? attempts.first
  }

  /// The shown name: its name, or the last part of the path.
  var shownName: String {
    name.isEmpty ? String(path.split(separator: "/").last ?? "") : name
  }

  /// The path and the name, if it has one.
  var title: String { name.isEmpty ? path : "\(path): \(name)" }

  /// The problem in a sentence.
  package var message: String {
    if let stored { return stored.facts.message }
    if wasInterrupted { return "interrupted" }
    if isRefused { return "recorded while CI is set, so it does not pass" }
    return findings.diagnostics.first?.message ?? findings.notes.first ?? verdict.rawValue
  }

  /// The problem with its first difference.
  var sentence: String {
    if let stored { return stored.facts.sentence }
    if wasInterrupted || isRefused { return message }
    return findings.diagnostics.first?.headline ?? message
  }

  /// Returns problems with their quoted lines.
  ///
  /// Among other scenarios, a problem without a place has the scenario's name.
  func text(
    of diagnostics: [Diagnostic], isAmongOthers: Bool = false, hasColors: Bool = false,
    isBrief: Bool = false, _ redactor: Redactor
  ) -> String {
    // The lines of a transcript are long and generated, so their numbers are enough.
    let transcript = Path.transcript(of: path)
    let isOfTranscript = diagnostics.contains { $0.span?.file == transcript }
    return DiagnosticText.text(
      of: diagnostics, about: isAmongOthers ? path : nil,
      quoting: isOfTranscript ? .nothing : .files, hasColors: hasColors, isBrief: isBrief, redactor)
  }

  /// Returns all findings in the form of the console, which shortens several failed cases if
  /// `isBrief`.
  func foundText(isBrief: Bool = false, _ redactor: Redactor) -> String {
    if let stored { return isBrief ? stored.brief : stored.text }
    return text(of: findings.diagnostics, isBrief: isBrief, redactor)
      + DiagnosticText.notes(findings.notes)
  }
}

extension [Diagnostic] {
  /// The codes of unmet expectations, of departures from a transcript and of alterations.
  private static let failures: Set<DiagnosticCode> = [
    .unexpectedAnswer, .missingError, .failedAssertion,
    .unrecordedCall, .otherOperation, .changedInput, .unusedCalls, .otherEnd, .otherOutputs,
    .failedTrials, .otherLiveRun, .otherOrder, .otherEvent, .unreportedEvent, .unnoticedAlteration,
  ]

  /// The result by the first problem, which ended the run.
  var result: ScenarioReport.Result {
    first.map { Self.failures.contains($0.code) } ?? false ? .failure : .error
  }
}
